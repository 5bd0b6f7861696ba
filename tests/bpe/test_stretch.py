"""Every character of an edited text knows the characters of the original that it stands for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.bpe.stretch import Change, Stretch, byte_places


@st.composite
def changes(draw: st.DrawFn, length: int) -> list[Change]:
    """In order, without overlap; insertions too."""
    places = sorted(draw(st.lists(st.integers(0, length), max_size=8)))
    found: list[Change] = []
    for begin, end in zip(places[::2], places[1::2], strict=False):
        if not found or begin >= found[-1][1]:
            found.append((begin, end, draw(st.text("xyzé", max_size=3))))
    return found


Plain = list[tuple[str, int, int, bool]]


def plainly(chars: Plain, edits: list[Change], end: int) -> Plain:
    """The same, a character at a time."""
    out: Plain = []
    done = 0
    for begin, stop, new in edits:
        out += chars[done:begin]
        if begin < stop:
            span = chars[begin][1], chars[stop - 1][2]
        else:
            place = chars[begin][1] if begin < len(chars) else chars[-1][2] if chars else end
            span = place, place
        out += [(char, *span, False) for char in new]
        done = stop
    return out + chars[done:]


@given(st.data(), st.text("ab é日", max_size=15), st.integers(0, 5))
def test_against_one_character_at_a_time(data: st.DataObject, text: str, begin: int) -> None:
    stretch = Stretch(text, begin, tracked=True)
    plain: Plain = [(char, begin + i, begin + i + 1, True) for i, char in enumerate(text)]
    for _ in range(data.draw(st.integers(0, 3))):
        edits = data.draw(changes(len(stretch.text)))
        if not plain:
            break
        stretch = stretch.edited(edits)
        plain = plainly(plain, edits, begin)
    assert stretch.text == "".join(char for char, *_ in plain)
    first = data.draw(st.integers(0, len(plain)))
    last = data.draw(st.integers(first, len(plain)))
    part = stretch.part(first, last)
    assert part.text == stretch.text[first:last]
    for place, (_, start, stop, _same) in enumerate(plain[first:last]):
        assert part.original_span(place, place + 1) == (start, stop)
    if last > first:
        assert part.original_span(0, last - first) == (plain[first][1], plain[last - 1][2])


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
def test_byte_places(text: str) -> None:
    want = [len(text[:place].encode()) for place in range(len(text) + 1)]
    assert byte_places(text).tolist() == want

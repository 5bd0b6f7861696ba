"""Windows on streamed documents against slices of the whole text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.bpe.windows import Window, fill_windows
from tests.bpe.test_counting import blocks_of

PARTS = ["a", "bc ", "\n", "é", "日本", "\r\n", "x" * 9]
documents = st.lists(st.lists(st.sampled_from(PARTS), max_size=20).map("".join), max_size=4)


@given(documents, st.sampled_from([1, 3, 10, 1000]), st.data())
def test_equal_slices(documents: list[str], size: int, data: st.DataObject) -> None:
    places = st.tuples(st.integers(0, 4), st.integers(0, 60), st.integers(0, 9), st.integers(0, 9))
    asked = data.draw(st.lists(places, max_size=8))
    windows = [Window(doc, max(0, at - left), at, at + right) for doc, at, left, right in asked]
    list(fill_windows(blocks_of(documents, size), windows))
    for window in windows:
        text = documents[window.document].encode() if window.document < len(documents) else b""
        assert bytes(window.data) == text[window.begin : window.end]
        before = text[: window.place]
        if window.place >= len(text) or window.end == window.place:
            continue
        assert window.line == before.count(b"\n") + 1
        # A place inside a character has the column of that character.
        whole = text[: window.place + 4].decode("utf-8", "ignore")
        starts = [len(whole[:n].encode()) for n in range(len(whole))]
        character = max(n for n, start in enumerate(starts) if start <= window.place)
        column = character - whole.rfind("\n", 0, character)
        assert window.column == column


def test_reading_stops_when_all_is_known() -> None:
    read = []
    blocks = (read.append(block.document) or block for block in blocks_of(["ab", "cd", "ef"], 1))
    window = Window(1, 0, 0, 1)
    list(fill_windows(blocks, [window]))
    assert bytes(window.data) == b"c" and read[-1] == 1

"""The compiled scanner cuts every text as `regex` does."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.bpe.patterns import PRESETS
from bpe_studio.bpe.scanner import rules_of
from bpe_studio.kernels.scan import last_cut, scan
from tests import oracle, texts

presets = st.sampled_from(list(PRESETS))
EVERY_CHAR = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x110000)]))
ASSIGNED = regex.sub(r"[\p{Cn}\p{Co}]+", "", EVERY_CHAR)


def one_of_each_kind() -> list[str]:
    """A character of one, two, three and four bytes for everything that a preset tells apart."""
    # fmt: off
    kinds = (r"\s", r"\p{Lu}", r"\p{Ll}", r"\p{Lt}", r"\p{Lm}", r"\p{Lo}", r"\p{Nd}", r"\p{Nl}",
             r"\p{No}", r"\p{Mn}", r"\p{Mc}", r"\p{Me}", r"\p{P}", r"\p{S}", r"\p{C}",
             r"(?=\w)\p{S}", r"(?=\w)\p{P}", r"(?!\w)\p{L}", r"(?!\w)\p{N}",
             r"(?!\w)\p{M}")
    # fmt: on
    found = {}
    for kind in kinds:
        for match in regex.finditer(kind, EVERY_CHAR):
            found.setdefault((kind, len(match[0].encode())), match[0])
    spaces = regex.findall(r"\s", EVERY_CHAR)
    return sorted({*found.values(), *spaces, "ſ", "K"})


LETTERS = st.sampled_from(["s", "t", "re", "ve", "m", "ll", "d", "S", "T", "Re", "rE", "VE", "M",
                           "Ll", "LL", "D", "ſ", "x", "l", "r", "e", "v", "ſſ"])  # fmt: skip
contraction = st.tuples(st.sampled_from(["'", "''", "'", "’"]), LETTERS).map("".join)
run = st.tuples(st.sampled_from(one_of_each_kind()), st.integers(1, 70)).map(lambda p: p[0] * p[1])
# Few characters, so that every neighbourhood comes up, also at the borders of blocks.
dense_text = st.sampled_from(
    ["a'sdlvretm LLS", "abAB '\n\t.", "a1 23.\n", "aB\n /.\r\t ", "aé日A.' \n1", "_a'1 s.",
     "ab AB's.\u0301\n ʰ", "aſ's'l ǅ\n/.", " \n\r\ta.", "'s "]
).flatmap(lambda chars: st.text(chars, min_size=20, max_size=150))  # fmt: skip
ascii_text = st.text(st.characters(max_codepoint=127), max_size=90)
part = (
    st.sampled_from(one_of_each_kind())
    | st.sampled_from([*" \r\n\t'/.aZ19_", "\r\n", "  ", "word ", "Name", "12345"])
    | contraction
    | run
    | ascii_text
)
text_of_all_kinds = st.lists(part, max_size=50).map("".join) | dense_text | texts.any_text

# What is rare in random texts: each tells an alternative, a switch or a give-back apart.
RARE = ["'s", "x'ſ", "'ſx", "'Sx", "x'LLy", "it's's't", "1's", "\t's", " 's", "''s", "'x", "'lx",
        "\u0301AB.", "\u0301AbC", ".AB", "ABc", "ABʰC", "aBC", "ǅaǅ", "日本A", "A\u0301B",
        ".\u0301A", "/.x", ".\n/x", "x\n/y", ".\r\n\n//", " /\n", " .x", "..x", "\t.x", "\tx",
        "\nx", "\n\tx", "x \n ", "x \n", " \n \n x", ".\n \nx", ".\n  x", "x\r\ny", "x\n\r",
        "\u3000x", "\u3000\u3000x", "x\u2028\n\u2028", " 1", "  1", "12345678", "1234x", "٣٣٣٣",
        "²a", "_a1_", "_ _", " \u200b", "é é", ".é", "a\n", "a ", "a  ", " "]  # fmt: skip


def padded(text: str) -> tuple[np.ndarray, int]:
    data = text.encode()
    # What stands behind the text must not matter: letters would go on with a word.
    return np.frombuffer(data + b"s'll be" * 20, dtype=np.uint8), len(data)


def scan_in_batches(name: str, data: np.ndarray, start: int, end: int, room: int) -> list[int]:
    found: list[int] = []
    ends = np.empty(room, dtype=np.int64)
    while start < end:
        count, start = scan(data, start, end, rules_of(PRESETS[name]), ends)
        assert 0 < count <= room
        assert start == ends[count - 1]
        found += ends[:count].tolist()
    return found


def pieces_of(name: str, text: str, room: int = 4096) -> list[str]:
    data, end = padded(text)
    borders = [0, *scan_in_batches(name, data, 0, end, room)]
    raw = text.encode()
    return [raw[a:b].decode() for a, b in pairwise(borders)]


@pytest.mark.parametrize("name", PRESETS)
def test_rare_neighbourhoods_at_every_place_of_a_block(name: str) -> None:
    for rare in RARE:
        for before in ("word ", "a1.\n"):
            for offset in range(90):
                text = (before * 40)[:offset] + rare
                for whole in (text, text + "aB. " * 9):
                    expected = oracle.split(PRESETS[name].expression, whole)
                    assert pieces_of(name, whole) == expected


@pytest.mark.parametrize("name", PRESETS)
def test_rare_neighbourhoods_may_be_cut(name: str) -> None:
    rules = rules_of(PRESETS[name])
    for first in RARE:
        for second in RARE:
            data, end = padded(first + second)
            whole = scan_in_batches(name, data, 0, end, 64)
            for seen in range(1, end):
                if data[seen] & 0xC0 != 0x80:
                    cut = last_cut(data, 0, seen, rules)
                    parts = scan_in_batches(name, data, 0, cut, 64)
                    assert parts + scan_in_batches(name, data, cut, end, 64) == whole


@given(
    text=text_of_all_kinds, name=presets, room=st.integers(1, 9) | st.sampled_from([64, 70, 4096])
)
def test_pieces_are_those_of_regex(text: str, name: str, room: int) -> None:
    assert pieces_of(name, text, room) == oracle.split(PRESETS[name].expression, text)


@given(text=text_of_all_kinds, name=presets, size=st.integers(2, 40))
def test_text_may_be_cut_at_the_last_cut(text: str, name: str, size: int) -> None:
    data, end = padded(text)
    rules = rules_of(PRESETS[name])
    found: list[int] = []
    start, seen = 0, 0
    while seen < end:
        # More is read until there is a cut in what is there.
        seen = min(seen + size, end)
        while seen < end and data[seen] & 0xC0 == 0x80:
            seen += 1
        cut = last_cut(data, start, seen, rules) if seen < end else end
        found += scan_in_batches(name, data, start, cut, 64)
        start = cut
    assert found == scan_in_batches(name, data, 0, end, 64)


@given(text=text_of_all_kinds, name=presets)
def test_a_cut_is_found_wherever_it_begins_to_look(text: str, name: str) -> None:
    data, end = padded(text)
    rules = rules_of(PRESETS[name])
    places = [i for i in range(end) if data[i] & 0xC0 != 0x80]
    whole = last_cut(data, 0, end, rules)
    for start in places:
        cut = last_cut(data, start, end, rules)
        assert cut == whole if start + 4 < whole else cut >= start


def test_real_texts_have_cuts() -> None:
    rows = ["1,2", "x\ty", "日本、", "a b", "f(x);", "price 12", "[1,2]"]
    for name, pattern in PRESETS.items():
        for line_end in ("\n", "\r\n"):
            data, end = padded(line_end.join(rows * 20))
            cuts = [last_cut(data, 0, i, rules_of(pattern)) for i in range(100, end)]
            assert all(i - cut < 40 for i, cut in enumerate(cuts, 100)), name


def assert_same_ends(name: str, text: str) -> None:
    data, end = padded(text)
    ends = np.array(scan_in_batches(name, data, 0, end, 1 << 16))
    spans = np.array([match.end() for match in PRESETS[name].compiled.finditer(text)])
    starts = np.flatnonzero(data[:end] & 0xC0 != 0x80)
    assert np.array_equal(ends, np.append(starts, end)[spans])


@pytest.mark.parametrize("name", PRESETS)
def test_every_character_between_fixed_neighbours(name: str) -> None:
    assert_same_ends(name, "1" + ".1".join(EVERY_CHAR) + ".")
    between = ("b A", "B.a", "'s'", "1\n ", "\n\n", " É日", "\u0301")
    assert_same_ends(name, "\n".join(part.join(ASSIGNED) for part in between[:2]))
    for number, part in enumerate(between[2:]):
        assert_same_ends(name, part.join(ASSIGNED[number::5]))


def test_an_empty_text_has_no_pieces() -> None:
    data, _ = padded("")
    ends = np.empty(4, dtype=np.int64)
    for pattern in PRESETS.values():
        assert scan(data, 0, 0, rules_of(pattern), ends) == (0, 0)

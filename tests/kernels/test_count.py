"""A dict is the judge of the table; hashes are made to collide to try what else is rare."""

from __future__ import annotations

from collections import Counter
from itertools import accumulate

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.bpe.word_table import WordTable
from bpe_studio.kernels import count, join

# Around the 15 bytes of a packed piece and the 16 that are hashed at once, with bytes that could
# be taken for padding.
piece = st.builds(
    lambda parts, length: (b"".join(parts) * 50)[:length],
    st.lists(st.sampled_from([b"a", b"b", b"\0", b"abcdefg", b"\xff"]), min_size=1, max_size=3),
    st.sampled_from([1, 2, 7, 8, 9, 14, 15, 16, 17, 24, 31, 32, 33, 48, 49]),
)
pieces = st.lists(piece, min_size=1, max_size=80)


def counted(pieces: list[bytes], *, cap: int = 1 << 20) -> WordTable:
    words = WordTable()
    ends = np.array(list(accumulate(map(len, pieces))), dtype=np.int64)
    data = np.frombuffer(b"".join(pieces) + b"\xaa" * 32, dtype=np.uint8)
    while not count.has_room(words.table, len(ends), int(ends[-1]), cap):
        words.grow()
    count.count_pieces(data, 0, ends, len(ends), cap, 1, words.table, words.scratch)
    return words


def contents(words: WordTable) -> list[tuple[bytes, int]]:
    size = join.measure(words.table, 0, len(words))[1]
    data = np.empty(size + join.SLACK, dtype=np.uint8)
    offsets = np.zeros(len(words) + 1, dtype=np.int64)
    counts = np.empty(len(words), dtype=np.int64)
    join.write(words.table, 0, len(words), data, offsets, counts, 0)
    return [
        (data[offsets[i] : offsets[i + 1]].tobytes(), int(counts[i])) for i in range(len(words))
    ]


@given(pieces=pieces)
def test_counts_are_those_of_a_dict_in_its_order(pieces: list[bytes]) -> None:
    words = counted(pieces)
    assert contents(words) == list(Counter(pieces).items())
    assert words.pieces == len(pieces)


@given(pieces=pieces, cap=st.integers(16, 40))
def test_long_pieces_are_counted_in_parts(pieces: list[bytes], cap: int) -> None:
    expected: Counter[bytes] = Counter()
    for one in pieces:
        # None of these bytes continues a character.
        expected.update(one[i : i + cap] for i in range(0, len(one), cap))
    words = counted(pieces, cap=cap)
    assert contents(words) == list(expected.items())
    assert words.cut_pieces == sum(len(one) > cap for one in pieces)


def test_growth_keeps_everything() -> None:
    pieces = [b"%d" % (n % 50_000) * (1 + n % 3) for n in range(120_000)]
    assert contents(counted(pieces)) == list(Counter(pieces).items())
    # A batch at a time, so that the table grows many times.
    words = WordTable()
    for first in range(0, len(pieces), 1000):
        part = pieces[first : first + 1000]
        ends = np.array(list(accumulate(map(len, part))), dtype=np.int64)
        data = np.frombuffer(b"".join(part) + bytes(32), dtype=np.uint8)
        words.add(data, 0, ends, 0)
    assert contents(words) == list(Counter(pieces).items())
    assert len(words.table.slots) > 2 * len(words)


def test_pieces_with_one_hash_are_told_apart() -> None:
    """Two long pieces with equal keys differ in their bytes or lengths only."""
    words = counted([b"a" * 20, b"b" * 20, b"c" * 21])
    entries = words.table.entries
    for number in range(3):
        entries[number * count.ENTRY_WORDS] = 7
    words.table.slots[:] = 0
    count.rehash(entries, 0, 3, words.table.slots, words.table.bits)
    table = words.table
    for number, text in enumerate([b"a" * 20, b"b" * 20, b"c" * 21]):
        data = np.frombuffer(text + bytes(32), dtype=np.uint8)
        found = count.find_long(
            table.slots, table.bits, entries, table.arena, np.uint64(7), data, 0, len(text)
        )
        assert found == number
    data = np.frombuffer(b"a" * 21 + bytes(32), dtype=np.uint8)
    missing = count.find_long(
        table.slots, table.bits, entries, table.arena, np.uint64(7), data, 0, 21
    )
    assert missing < 0


@given(text=st.text())
def test_characters_are_counted(text: str) -> None:
    data = np.frombuffer(text.encode(), dtype=np.uint8)
    assert count.count_characters(data, 0, len(data)) == len(text)

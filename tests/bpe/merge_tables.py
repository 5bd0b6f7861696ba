"""Random small merge tables, also such as no training makes, and pieces for them."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from bpe_studio.bpe.table import MergeTable
from tests import oracle

BYTES = list(range(256))

# Where one way of merging ends and the next begins, and a few machine words.
LENGTHS = st.sampled_from([1, 2, 3, 7, 8, 9, 15, 16, 17, 30, 31, 32, 33, 61, 62, 63, 64, 65, 130])


@st.composite
def any_merges(draw: st.DrawFn, *, repeats: bool = True) -> list[tuple[int, int, int]]:
    """Merges in any order of learning, also of parts that a later rank makes; several a token;
    with `repeats`, the same pair more than once."""
    known = {b"a": 97, b"b": 98, b"c": 99}
    merges: dict[tuple[int, int], int] = {}
    for _ in range(draw(st.integers(0, 14))):
        left, right = draw(st.sampled_from(sorted(known))), draw(st.sampled_from(sorted(known)))
        pair = (known[left], known[right])
        if pair not in merges and len(left + right) <= 40:
            merges[pair] = known.setdefault(left + right, 253 + len(known))
    order = [(*pair, new) for pair, new in merges.items()]
    if repeats and order:
        order += draw(st.lists(st.sampled_from(order), max_size=3))
    return draw(st.permutations(order)) if draw(st.booleans()) else order


@st.composite
def any_table(draw: st.DrawFn) -> MergeTable:
    """Of any merges; some bytes missing."""
    missing = draw(st.sets(st.sampled_from([0, 32, 100, 255])))
    ids = [-1 if byte in missing else byte for byte in range(256)]
    return MergeTable.build(byte_ids=ids, merges=draw(any_merges()))


def are_ordered(merges: list[tuple[int, int, int]]) -> bool:
    """Whether every merge comes after all that make its parts."""
    made = {new: rank for rank, (_, _, new) in enumerate(merges)}
    return all(made.get(part, -1) < rank for rank, merge in enumerate(merges) for part in merge[:2])


@st.composite
def any_piece(draw: st.DrawFn) -> str:
    unit = draw(st.text("abc", min_size=1, max_size=9))
    length = draw(LENGTHS | st.integers(0, 300))
    return (unit * length)[:length] if draw(st.booleans()) else shuffled(draw, unit, length)


def shuffled(draw: st.DrawFn, letters: str, length: int) -> str:
    return "".join(random.Random(draw(st.integers(0, 999))).choices(letters, k=length))


def full_merges(letters: str, longest: int, seed: int) -> list[tuple[int, int, int]]:
    """Every way to make every string of so many letters out of two, in a random order."""
    known = {letter: ord(letter) for letter in letters}
    merges = []
    for _ in range(longest - 1):
        for left in sorted(known):
            for right in sorted(known):
                if len(left + right) <= longest:
                    known.setdefault(left + right, 256 + len(known))
    for left in known:
        for right in known:
            if left + right in known:
                merges.append((known[left], known[right], known[left + right]))
    random.Random(seed).shuffle(merges)
    return merges


def judged(piece: str, merges: list[tuple[int, int, int]]) -> list[int]:
    """What the oracle makes of a piece under a table with the bytes' own numbers."""
    return oracle.encode_piece(piece, merges, BYTES, {})

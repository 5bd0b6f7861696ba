"""Plain byte-pair encoding, one merge at a time: easy to read, slow, and it tells every step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Step:
    """One merge that fired on a piece, at one or more places.

    Attributes
    ----------
    rank, left, right, id : int
        The merge.
    positions : tuple of int
        Where it fired: indices into `before` of each left symbol.
    before, after : tuple of int
        The symbols of the piece, as ids.
    lost : tuple of (rank, left, right)
        The other pairs present that the table could merge, ascending.
    """

    rank: int
    left: int
    right: int
    id: int
    positions: tuple[int, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]
    lost: tuple[tuple[int, int, int], ...]


def trace(
    symbols: Sequence[int], merges: Mapping[tuple[int, int], tuple[int, int]]
) -> Iterator[Step]:
    """Every merge that fires on one piece, in order.

    Join the leftmost of the adjacent pairs of lowest rank; repeat until none is left. What one
    merge joins in a row is told as one step: it joins its pair from left to right, and ends early
    with a join that makes a pair of lower rank, which comes first then. That happens only where a
    merge uses a token that a later rank makes.

    Parameters
    ----------
    symbols : the base symbols of the piece
    merges : ``{(left, right): (rank, new id)}``
    """
    before = tuple(symbols)
    while True:
        pairs = set(pairwise(before))
        present = sorted((merges[pair][0], *pair) for pair in pairs if pair in merges)
        if not present:
            return
        rank, left, right = present[0]
        after, positions = _join(before, (left, right), merges)
        yield Step(rank, left, right, merges[left, right][1], positions, before, after,
                   tuple(present[1:]))  # fmt: skip
        before = after


def _join(
    symbols: tuple[int, ...],
    pair: tuple[int, int],
    merges: Mapping[tuple[int, int], tuple[int, int]],
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """As `merge`, up to the first join that makes a pair of a lower rank."""
    rank, new = merges[pair]
    after: list[int] = []
    positions: list[int] = []
    index = 0
    while index < len(symbols):
        if symbols[index : index + 2] != pair:
            after.append(symbols[index])
            index += 1
            continue
        positions.append(index)
        after.append(new)
        index += 2
        beside = [*after[-2:], *symbols[index : index + 1]]
        if any(merges[made][0] < rank for made in pairwise(beside) if made in merges):
            break
    return (*after, *symbols[index:]), tuple(positions)


def merge(
    symbols: Sequence[int], left: int, right: int, new: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Replaces a pair left to right without overlap; returns the symbols and where it fired.

    >>> merge([1, 1, 1, 2], 1, 1, 9)
    ((9, 1, 2), (0,))
    """
    after: list[int] = []
    positions: list[int] = []
    index = 0
    last = len(symbols) - 1
    while index < len(symbols):
        if index < last and symbols[index] == left and symbols[index + 1] == right:
            positions.append(index)
            after.append(new)
            index += 2
        else:
            after.append(symbols[index])
            index += 1
    return tuple(after), tuple(positions)

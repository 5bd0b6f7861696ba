"""Plain byte-pair encoding, one merge at a time: easy to read, slow, and it tells every step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Step:
    """One merge that fired on a piece.

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

    Take the adjacent pair of lowest rank, merge it everywhere left to right, until none is left.

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
        new = merges[left, right][1]
        after, positions = merge(before, left, right, new)
        yield Step(rank, left, right, new, positions, before, after, tuple(present[1:]))
        before = after


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

"""The first count of the pairs: the pieces laid out, counted and listed, a share on each thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.crew import Crew, available_threads

FIRST_SLOTS: Final = 1 << 12
_PLACES_A_SLICE: Final = 1 << 19
_SLICES_A_SHARE: Final = 4
# Each has a table of its own; more threads would only wait for memory.
_MOST_SHARES: Final = 4
# Frequencies of pieces are told apart up to here.
_MOST_FREQUENT: Final = 1 << 16


def frequencies_of(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many pieces have each frequency; the last one stands for all above."""
    return np.bincount(np.minimum(counts, _MOST_FREQUENT), minlength=_MOST_FREQUENT + 1)


def least_count(frequencies: NDArray[np.int64], merges: int) -> int:
    """A count that the best pair of each of the next `merges` merges has at least.

    While the r-th merge is chosen, r - 1 tokens are new, so one of the r most frequent pieces of
    several tokens is not a single token yet: it has a pair, and that is as frequent as the piece.
    Rarer pairs need not be kept, which are most.

    Parameters
    ----------
    frequencies : of pieces of several tokens that have a pair to merge until they are one
    """
    as_frequent = np.cumsum(frequencies[::-1])[::-1]
    return int(np.flatnonzero(as_frequent >= merges)[-1]) if as_frequent[0] >= merges else 0


class PairCounts:
    """Counts the pairs of pieces that are tokens.

    Parameters
    ----------
    pieces : Pieces
        Of the kernel, with room for all; filled by `count`.
    parts : uint8 or int32 array, and offsets : int64 array, shape (n + 1,)
        The bytes or tokens of the pieces, one after another, and where each begins.
    numbers : int64 array
        The token number of every byte or token.
    weights : int64 array, shape (n,)
    slices : list of (int, int)
        Ranges of pieces to handle at a time.
    """

    def __init__(
        self,
        pieces: Any,
        parts: NDArray[Any],
        offsets: NDArray[np.int64],
        numbers: NDArray[np.int64],
        weights: NDArray[np.int64],
        slices: list[tuple[int, int]],
    ) -> None:
        from bpe_studio.kernels import layout, pairs

        self._layout: Any = layout
        self._kernel: Any = pairs
        self._pieces = pieces
        self._input = parts, offsets, weights
        self._numbers = numbers
        threads = min(available_threads(), _MOST_SHARES)
        size = max(_SLICES_A_SHARE, -(-len(slices) // threads))
        self._shares = [
            _Share(slices[first : first + size], offsets) for first in range(0, len(slices), size)
        ]
        self._table: NDArray[np.void] = np.zeros(0, dtype=pairs.COUNTED)
        self._places: NDArray[np.int64] = np.zeros(0, dtype=np.int64)

    def count(self) -> Iterator[None]:
        """Lays the pieces out and counts; yields every few milliseconds."""
        yield from self._on_all(self._count_share)
        shares = self._shares
        slots = max(FIRST_SLOTS, 1 << int(2 * sum(share.found for share in shares)).bit_length())
        self._table, self._places, shift = new_table(slots)
        for share in shares:
            self._kernel.add_counts(share.table, share.places, self._table, self._places, shift)
            yield

    def frequencies(self) -> NDArray[np.int64]:
        """How many pieces of several tokens have each frequency; as `frequencies_of`."""
        none = np.zeros(_MOST_FREQUENT + 1, dtype=np.int64)
        return sum((share.frequencies for share in self._shares), none)

    def room(self, min_count: int) -> tuple[int, int]:
        """How many pairs are frequent enough, and their places in all."""
        pairs, places = self._kernel.measure(self._table, self._places, min_count)
        return pairs, places

    def list_places(self, pairs: Any, min_count: int) -> Iterator[None]:
        """Enters the pairs that are frequent enough, with their places in order."""
        begins = np.zeros(len(pairs.table), dtype=np.int64)
        self._kernel.enter_frequent(self._table, self._places, min_count, pairs, begins)
        for share in self._shares:
            share.cursors = np.zeros(len(pairs.table), dtype=np.int64)
            self._kernel.allot(share.table, share.places, pairs, begins, share.cursors)
            yield
        yield from self._on_all(partial(self._list_share, pairs))

    def _on_all(self, work: Callable[[Crew, _Share, int], None]) -> Iterator[None]:
        with Crew(len(self._shares)) as crew:
            for share in self._shares:
                crew.offer(partial(work, crew, share), 0)
            while not crew.idle(0.01):
                yield
        yield

    def _count_share(self, crew: Crew, share: _Share, _thread: int) -> None:
        parts, offsets, weights = self._input
        for first, last in share.slices:
            if crew.stopped:
                return
            self._layout.lay_out(
                self._pieces, parts, offsets, weights, first, last,
                self._numbers, share.frequencies,
            )  # fmt: skip
        place = share.begin
        while place < share.end and not crew.stopped:
            end = min(share.end, place + _PLACES_A_SLICE)
            share.found, place = self._kernel.count_pairs(
                self._pieces, share.table, share.shift, share.places, share.found, place, end
            )
            if place < end:
                share.grow(self._kernel)

    def _list_share(self, pairs: Any, crew: Crew, share: _Share, _thread: int) -> None:
        for place in range(share.begin, share.end, _PLACES_A_SLICE):
            if crew.stopped:
                return
            end = min(share.end, place + _PLACES_A_SLICE)
            self._kernel.fill_lists(self._pieces, pairs, share.cursors, place, end)


class _Share:
    """The pieces of one thread and their pairs; `places` are counted by slot of `table`."""

    def __init__(self, slices: list[tuple[int, int]], offsets: NDArray[np.int64]) -> None:
        first, last = slices[0][0], slices[-1][1]
        self.slices = slices
        # From the first token on, since the empty place before it is written with the pieces
        # before, maybe later; to the empty place behind the last.
        self.begin = int(offsets[first]) + first + 1
        self.end = int(offsets[last]) + last
        self.found = 0
        self.frequencies = np.zeros(_MOST_FREQUENT + 1, dtype=np.int64)
        self.table, self.places, self.shift = new_table(FIRST_SLOTS)
        self.cursors: NDArray[np.int64] = np.zeros(0, dtype=np.int64)

    def grow(self, kernel: Any) -> None:
        old, old_places = self.table, self.places
        self.table, self.places, self.shift = new_table(4 * len(old))
        kernel.add_counts(old, old_places, self.table, self.places, self.shift)


def new_table(slots: int) -> tuple[NDArray[np.void], NDArray[np.int64], int]:
    """An empty table of pairs, a number for each of its slots, and the hash's shift."""
    from bpe_studio.kernels.pairs import COUNTED

    table = np.zeros(slots, dtype=COUNTED)
    return table, np.zeros(slots, dtype=np.int64), 64 - (slots.bit_length() - 1)

"""What happens while the merges of a table run over one piece, as events on byte positions.

The same rule as `bpe_studio.bpe.reference`, in n log n, so that a piece of a megabyte has an
answer too.
"""

from __future__ import annotations

import heapq
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.table import MergeTable

Result = TypeVar("Result")

# About 10 ms of work between two turns for other threads.
_MERGES_A_SLICE = 4_000
_SYMBOLS_A_SLICE = 50_000
_GONE = -1


@dataclass(frozen=True, slots=True)
class Event:
    """One merge at one place: the symbols of bytes start:middle and middle:end became one.

    A base symbol is an event too: its rank is -1 and `middle` is its end.
    """

    rank: int
    start: int
    middle: int
    end: int
    id: int

    @property
    def is_base(self) -> bool:
        return self.rank < 0

    def covers(self, start: int, end: int) -> bool:
        return self.start == start and self.end == end

    def within(self, start: int, end: int) -> bool:
        return start <= self.start and self.end <= end


def events(table: MergeTable, piece: bytes) -> list[Event]:
    """Every base symbol and every merge of a piece, in order of time."""
    return collect(run(table, piece))


def run(
    table: MergeTable, piece: bytes, first: int = 0, last: int | None = None
) -> Generator[None, None, list[Event]]:
    """As `events`, in slices, with only the events that overlap the bytes first:last."""
    stop = len(piece) if last is None else last
    symbols = table.symbols(piece)
    yield
    starts = [0, *token_ends(table, symbols).tolist()]
    yield
    found = [
        Event(-1, start, end, end, symbol)
        for start, end, symbol in zip(starts, starts[1:], symbols, strict=False)
        if start < stop and end > first
    ]
    merging = _Merging(table, symbols, starts)
    yield from merging.prepare()
    for count, (rank, start, middle, end, new) in enumerate(merging.merges(), start=1):
        if start < stop and end > first:
            found.append(Event(rank, start, middle, end, new))
        if count % _MERGES_A_SLICE == 0:
            yield
    return found


def token_ends(table: MergeTable, tokens: Sequence[int]) -> NDArray[np.int64]:
    """The byte at which each of some consecutive tokens ends."""
    lengths = np.diff(table.token_offsets)
    ends: NDArray[np.int64] = np.cumsum(lengths[np.searchsorted(table.ids, tokens)])
    return ends


def collect(generator: Generator[object, None, Result]) -> Result:
    """Runs a generator to its end, for what it returns."""
    while True:
        try:
            next(generator)
        except StopIteration as stop:
            return cast(Result, stop.value)


class _Merging:
    """The symbols of a piece as a linked list; a place is the number of its first base symbol."""

    def __init__(self, table: MergeTable, symbols: Sequence[int], starts: list[int]) -> None:
        self.pairs = table.merge_ranks
        self.ids: list[int] = list(symbols)
        self.starts = starts
        self.after = list(range(1, len(symbols) + 1))
        self.before = list(range(-1, len(symbols) - 1))
        self.heap: list[tuple[int, int]] = []

    def prepare(self) -> Generator[None, None, None]:
        """Finds every pair that can be merged at first."""
        pairs, ids = self.pairs, self.ids
        for first in range(0, len(ids), _SYMBOLS_A_SLICE):
            some = ids[first : first + _SYMBOLS_A_SLICE + 1]
            for place, pair in enumerate(zip(some, some[1:], strict=False), start=first):
                if pair in pairs:
                    self.heap.append((pairs[pair][0], place))
            yield
        heapq.heapify(self.heap)

    def merges(self) -> Iterator[tuple[int, int, int, int, int]]:
        """Joins the leftmost of the pairs of lowest rank, until none is left.

        Yields (rank, start, middle, end, new id).
        """
        while self.heap:
            rank, place = heapq.heappop(self.heap)
            # What was found stays in the heap when its pair is gone.
            if self._rank(place) == rank:
                yield self._merge(place, rank)

    def _rank(self, place: int) -> int | None:
        """The rank of the pair that begins at a place, if there is one."""
        second = self.after[place]
        if second >= len(self.ids) or self.ids[place] == _GONE:
            return None
        found = self.pairs.get((self.ids[place], self.ids[second]))
        return None if found is None else found[0]

    def _merge(self, place: int, rank: int) -> tuple[int, int, int, int, int]:
        second = self.after[place]
        following = self.after[second]
        new = self.pairs[self.ids[place], self.ids[second]][1]
        self.ids[place], self.ids[second] = new, _GONE
        self.after[place] = following
        if following < len(self.ids):
            self.before[following] = place
        for changed in (place, self.before[place]):
            found = self._rank(changed) if changed >= 0 else None
            if found is not None:
                heapq.heappush(self.heap, (found, changed))
        return rank, self.starts[place], self.starts[second], self.starts[following], new

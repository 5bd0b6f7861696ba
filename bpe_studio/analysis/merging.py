"""What happens while the merges of a table run over one piece, as events on byte positions.

The same rule as `bpe_studio.bpe.reference`, in n log n, so that a piece of a megabyte has an
answer too.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import TypeVar, cast

from bpe_studio.bpe.table import MergeTable

Result = TypeVar("Result")

# About 10 ms of work between two turns for other threads.
_EVENTS_A_SLICE = 4_000


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


def base_events(table: MergeTable, piece: bytes) -> list[Event]:
    """The base symbols of a piece, left to right."""
    found = []
    position = 0
    for symbol in table.symbols(piece):
        end = position + len(table.token_bytes(symbol))
        found.append(Event(-1, position, end, end, symbol))
        position = end
    return found


def events(table: MergeTable, piece: bytes) -> list[Event]:
    """Every base symbol and every merge of a piece, in order of time."""
    return collect(run(table, piece))


def run(
    table: MergeTable, piece: bytes, keep: Callable[[Event], bool] = lambda event: True
) -> Generator[None, None, list[Event]]:
    """As `events`, in slices, with only the events that are worth keeping."""
    base = base_events(table, piece)
    found = [event for event in base if keep(event)]
    for count, event in enumerate(_Run(table, base).merges(), start=1):
        if keep(event):
            found.append(event)
        if count % _EVENTS_A_SLICE == 0:
            yield
    return found


def collect(generator: Generator[object, None, Result]) -> Result:
    """Runs a generator to its end, for what it returns."""
    while True:
        try:
            next(generator)
        except StopIteration as stop:
            return cast(Result, stop.value)


class _Run:
    """The symbols of a piece as a linked list; a place is the number of its first base symbol."""

    def __init__(self, table: MergeTable, base: list[Event]) -> None:
        self.pairs = table.merge_ranks
        self.ids: list[int | None] = [event.id for event in base]
        self.starts = [event.start for event in base]
        self.after = [*range(1, len(base)), -1]
        self.before = [*range(-1, len(base) - 1)]
        self.total = base[-1].end if base else 0
        self.heap: list[tuple[int, int]] = []
        for place in range(len(base)):
            self._push(place)

    def _rank(self, place: int) -> int | None:
        """The rank of the pair that begins at a place, if there is one."""
        left = self.ids[place]
        right = self.ids[self.after[place]] if self.after[place] >= 0 else None
        if left is None or right is None:
            return None
        found = self.pairs.get((left, right))
        return None if found is None else found[0]

    def _push(self, place: int) -> None:
        rank = self._rank(place)
        if rank is not None:
            heapq.heappush(self.heap, (rank, place))

    def merges(self) -> Iterator[Event]:
        """Takes the lowest rank, everywhere, left to right, until none is left."""
        while self.heap:
            rank = self.heap[0][0]
            places = []
            while self.heap and self.heap[0][0] == rank:
                places.append(heapq.heappop(self.heap)[1])
            for place in places:
                if self._rank(place) == rank:
                    yield self._merge(place, rank)

    def _merge(self, place: int, rank: int) -> Event:
        left, second = self.ids[place], self.after[place]
        right = self.ids[second]
        assert left is not None and right is not None
        new = self.pairs[left, right][1]
        self.ids[place], self.ids[second] = new, None
        following = self.after[place] = self.after[second]
        end = self.total if following < 0 else self.starts[following]
        if following >= 0:
            self.before[following] = place
        self._push(place)
        if self.before[place] >= 0:
            self._push(self.before[place])
        return Event(rank, self.starts[place], self.starts[second], end, new)

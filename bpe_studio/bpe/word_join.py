"""Words that several threads have counted → the words of the corpus, in first-seen order."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations, permutations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.crew import Crew
from bpe_studio.bpe.word_table import WordTable
from bpe_studio.bpe.words import DocumentLists

__all__ = ["Counted", "Joined", "Span", "join_words"]

_AT_ONCE: Final = 1 << 16  # entries: some milliseconds
_SECONDS: Final = 0.01


class Span(NamedTuple):
    """The entries, `first` to before `last`, that one run of text has added to a table."""

    run: int
    first: int
    last: int


@dataclass
class Counted:
    """What one thread has counted; spans are in the order of their runs."""

    words: WordTable
    spans: list[Span] = field(default_factory=list)


class Joined(NamedTuple):
    """The arrays of `WordCounts`."""

    data: NDArray[np.uint8]
    offsets: NDArray[np.int64]
    counts: NDArray[np.int64]
    rare_in: DocumentLists | None


def join_words(
    counted: list[Counted], crew: Crew, *, document_floor: int = 1
) -> Iterator[Joined | None]:
    """Joins what was counted; yields None after every few milliseconds, and the words at last.

    Parameters
    ----------
    counted : list of Counted, which are used up
    crew : looks up pieces in several tables at once
    document_floor : with which the tables were made
    """
    from bpe_studio.kernels import join

    # The larger table is the one that is looked into.
    counted = sorted(counted, key=lambda one: len(one.words))
    for number, other in combinations(range(len(counted)), 2):
        yield from _unite(counted, number, other, crew)
    order = _in_order(counted)
    pieces = size = 0
    for one, first, last in order:
        more, length = join.measure(one.words.table, first, last)
        pieces, size = pieces + more, size + length
        yield None
    data = np.empty(size + join.SLACK, dtype=np.uint8)
    offsets = np.zeros(pieces + 1, dtype=np.int64)
    counts = np.empty(pieces, dtype=np.int64)
    piece = 0
    for one, first, last in order:
        table = one.words.table
        piece = join.write(table, first, last, data, offsets, counts, piece)
        yield None
    rare_in = None
    if document_floor > 1:
        rare_in = yield from _list_documents(counted, pieces, document_floor)
    yield Joined(data[:size], offsets, counts, rare_in)


def _in_order(counted: list[Counted]) -> list[tuple[Counted, int, int]]:
    """The entries of all tables in the order of the text."""
    spans = sorted(
        (span.run, number, span) for number, one in enumerate(counted) for span in one.spans
    )
    return [
        (counted[number], first, min(first + _AT_ONCE, span.last))
        for _run, number, span in spans
        for first in range(span.first, span.last, _AT_ONCE)
    ]


def _unite(counted: list[Counted], number: int, other: int, crew: Crew) -> Iterator[None]:
    """Gives every piece that two tables have to the one that saw it first."""
    from bpe_studio.kernels import join

    mine, theirs = counted[number].words.table, counted[other].words.table
    runs = [span.run for span in counted[other].spans]
    firsts = [span.first for span in counted[other].spans] + [len(counted[other].words)]

    def unite(parts: list[Span], _thread: int) -> None:
        for span in parts:
            # So many entries had the other one when this run began.
            earlier = firsts[bisect_left(runs, span.run)]
            if crew.stopped:
                return
            join.unite(mine, number, span.first, span.last, theirs, other, earlier)

    for parts in _portions(counted[number].spans):
        while not crew.offer(partial(unite, parts), _SECONDS):
            yield None
        yield None
    while not crew.idle(_SECONDS):
        yield None


def _portions(spans: list[Span]) -> Iterator[list[Span]]:
    """The spans in parts of about `_AT_ONCE` entries."""
    parts: list[Span] = []
    size = 0
    for run, begin, end in spans:
        for first in range(begin, end, _AT_ONCE):
            parts.append(Span(run, first, min(first + _AT_ONCE, end)))
            size += parts[-1].last - first
            if size >= _AT_ONCE:
                yield parts
                parts, size = [], 0
    if parts:
        yield parts


def _list_documents(
    counted: list[Counted], pieces: int, floor: int
) -> Generator[None, None, DocumentLists]:
    """The documents of every piece that no table has met in `floor` of them."""
    from bpe_studio.kernels import documents as kernel

    yield from _resolve(counted)
    tables = [one.words for one in counted]
    settled = np.zeros(pieces, dtype=np.bool_)
    sizes = np.zeros(pieces, dtype=np.int64)
    for words in tables:
        for first, last in _ranges(len(words)):
            kernel.mark_settled(words.table, first, last, settled)
            yield
    for words in tables:
        for first, last in _ranges(words.met):
            kernel.measure_lists(words.table, first, last, settled, sizes)
            yield
    offsets = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(sizes)))
    cursors = offsets[:-1].copy()
    documents = np.empty(int(offsets[-1]), dtype=np.uint32)
    for words in tables:
        for first, last in _ranges(words.met):
            kernel.fill_lists(words.table, first, last, settled, cursors, documents)
            yield
    return DocumentLists(floor, offsets, documents)


def _ranges(number: int) -> Iterator[tuple[int, int]]:
    for first in range(0, number, _AT_ONCE):
        yield first, min(first + _AT_ONCE, number)


def _resolve(counted: list[Counted]) -> Iterator[None]:
    """Lets every entry know its piece: one that was given away may have been given on."""
    from bpe_studio.kernels import join

    left = len(counted) - 1
    while left > 0:
        left = 0
        for (_, mine), (number, other) in permutations(enumerate(counted), 2):
            for first in range(0, len(mine.words), _AT_ONCE):
                last = min(first + _AT_ONCE, len(mine.words))
                left += join.resolve(mine.words.table, first, last, other.words.table, number)
                yield None

"""What happens while the merges of a table run over one piece, from the traced encode."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.generators import result_of
from bpe_studio.bpe.reference import trace
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.trace import Trace

LONG_PIECE: Final = 10_000


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


@dataclass(frozen=True, eq=False)
class Merging:
    """The base symbols of a piece, and every join of two, in order of time.

    Attributes
    ----------
    trace : Trace
        Of this piece alone.
    """

    trace: Trace

    @property
    def whole(self) -> int | None:
        """The token that the engine takes the piece as, before it looks at any merge."""
        token = int(self.trace.whole_ids[0])
        return None if token < 0 else token

    @property
    def bounds(self) -> NDArray[np.int64]:
        """int64 (n + 1,): where each base symbol begins and the last ends, in bytes."""
        return self.trace.bounds

    @cached_property
    def places(self) -> NDArray[np.int64]:
        """int64 (t + 1,): the symbols that the tokens begin with that merges give, and the end."""
        stays = np.ones(len(self.trace.symbols) + 1, dtype=np.bool_)
        stays[self.trace.joins[:, 2]] = False
        return np.flatnonzero(stays).astype(np.int64)

    @cached_property
    def ids(self) -> NDArray[np.int32]:
        """int32 (t,): the tokens that merges give, whatever the engine."""
        tokens = self.trace.symbols.copy()
        tokens[self.trace.joins[:, 1]] = self.trace.made  # of several at a place the last stays
        return tokens[self.places[:-1]]

    @cached_property
    def token_bounds(self) -> NDArray[np.int64]:
        """int64 (t + 1,): where each of these tokens begins and the last ends, in bytes."""
        return self.bounds[self.places]

    def events(self, first: int = 0, last: int | None = None) -> list[Event]:
        """Every symbol and every join that overlaps the bytes first:last, in order of time."""
        bounds = self.bounds
        stop = int(bounds[-1]) if last is None else last
        base = np.flatnonzero((bounds[:-1] < stop) & (bounds[1:] > first))
        rows = zip(
            self.trace.symbols[base].tolist(), bounds[base].tolist(), bounds[base + 1].tolist(),
            strict=True,
        )  # fmt: skip
        found = [Event(-1, start, end, end, symbol) for symbol, start, end in rows]
        starts, middles, ends = bounds[self.trace.joins[:, 1:].T]
        joined = np.flatnonzero((starts < stop) & (ends > first))
        ranks = self.trace.table.ranks_at(self.trace.joins[:, 0].astype(np.int64))
        columns = (ranks, starts, middles, ends, self.trace.made)
        found += map(Event, *(column[joined].tolist() for column in columns))
        return found


class LastMerging:
    """What happened in the last long piece, for who asks several things of the same text."""

    def __init__(self) -> None:
        self._kept: tuple[Tokenizer, bytes, Merging] | None = None

    def find(self, tokenizer: Tokenizer, piece: bytes) -> Merging | None:
        """What happened in a piece, if it is the one."""
        if self._kept is None or self._kept[0] is not tokenizer or self._kept[1] != piece:
            return None
        return self._kept[2]

    def keep(self, tokenizer: Tokenizer, piece: bytes, merging: Merging) -> None:
        """Take another long piece; short ones are traced again in less time."""
        if len(piece) >= LONG_PIECE:
            self._kept = (tokenizer, piece, merging)


def iter_merging(
    tokenizer: Tokenizer, piece: bytes, *, last: LastMerging | None = None
) -> Generator[None, None, Merging]:
    """What happens in a piece, in slices."""
    found = None if last is None else last.find(tokenizer, piece)
    if found is not None:
        return found
    ends = np.array([len(piece)], dtype=np.int64)
    trace = yield from tokenizer.tracer.trace(piece, ends)
    merging = Merging(trace)
    if last is not None:
        last.keep(tokenizer, piece, merging)
    return merging


def merging_of(tokenizer: Tokenizer, piece: bytes, *, last: LastMerging | None = None) -> Merging:
    """As `iter_merging`, at once."""
    return result_of(iter_merging(tokenizer, piece, last=last))


def events(tokenizer: Tokenizer, piece: bytes) -> list[Event]:
    """Every base symbol and every merge of a piece, in order of time."""
    return merging_of(tokenizer, piece).events()


def events_of(
    symbols: Sequence[int], bounds: Sequence[int], merges: Mapping[tuple[int, int], tuple[int, int]]
) -> list[Event]:
    """As `events`, of a few symbols that stand by themselves; `bounds` has one more of them."""
    spans = list(pairwise(bounds))
    found = [Event(-1, a, b, b, symbol) for (a, b), symbol in zip(spans, symbols, strict=True)]
    for step in trace(symbols, merges):
        for number, position in enumerate(step.positions):
            at = position - number  # what fired further left has moved it
            (start, middle), (_, end) = spans[at : at + 2]
            spans[at : at + 2] = [(start, end)]
            found.append(Event(step.rank, start, middle, end, step.id))
    return found


def is_whole_piece(tokenizer: Tokenizer, data: bytes) -> bool:
    """Whether the engine takes a piece as one token before it looks at any merge."""
    return tokenizer.engine == "whole-piece-first" and tokenizer.table.find(data) is not None

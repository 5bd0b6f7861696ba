"""Learning merges from counted pieces, in slices, as a generator."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.built_tokens import MAX_ID
from bpe_studio.bpe.merge_rules import NO_RULES, MergeRules
from bpe_studio.bpe.merge_state import MergeState
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.words import WordCounts

Ties = Literal["first-seen", "smallest-ids"]
StopReason = Literal["vocab_size", "min_freq", "no_pairs", "rules"]
# Between two yields: short enough that a cancel is answered at once and a window stays live.
SLICE_SECONDS: Final = 0.010
_FIRST_BUDGET: Final = 1 << 14


@dataclass(frozen=True, slots=True)
class Merge:
    """One learned merge. `count` pairs were present, `applied` of them were joined."""

    rank: int
    left: int
    right: int
    id: int
    count: int
    applied: int
    total: int


@dataclass(frozen=True, slots=True)
class MergeBatch:
    """Merges of consecutive ranks; iterating gives `Merge` by `Merge`.

    Attributes
    ----------
    first_rank : int
    merges : int32 array, shape (k, 3)
        Left, right and new id.
    counts, applied : int64 arrays, shape (k,)
    total : int
        The merges that training aims at in all.
    """

    first_rank: int
    merges: NDArray[np.int32]
    counts: NDArray[np.int64]
    applied: NDArray[np.int64]
    total: int

    def __len__(self) -> int:
        return len(self.counts)

    def __iter__(self) -> Iterator[Merge]:
        rows = zip(self.merges.tolist(), self.counts.tolist(), self.applied.tolist(), strict=True)
        for number, ((left, right, new), count, applied) in enumerate(rows):
            rank = self.first_rank + number
            yield Merge(rank, left, right, new, count, applied, self.total)


class Trainer:
    """Learns merges on top of a table; can be asked for more at any time.

    Parameters
    ----------
    words : WordCounts
    table : MergeTable
        The base symbols, or a table to continue; its merges are replayed and its ids kept.
    first_id : int
        The id of the first new token; the following ones are consecutive.
    total : int
        The number of merges wanted, those of `table` included.
    min_freq : int
        Training ends where no pair is as frequent.
    ties : "first-seen" or "smallest-ids"
        Which of equally frequent pairs is merged: the one that the corpus shows first (distinct
        pieces in first-seen order, left to right, as they stand), or the least (left, right).
    rules : MergeRules
        Which pairs are passed over. The merges of `table` need not keep them.
    """

    def __init__(
        self,
        words: WordCounts,
        table: MergeTable,
        *,
        first_id: int,
        total: int,
        min_freq: int,
        ties: Ties,
        rules: MergeRules = NO_RULES,
    ) -> None:
        self.words = words
        self.table = table
        self.total = total
        self.replayed = len(table.merges)
        self.base_symbols = 0
        self.stop_reason: StopReason | None = None
        self._min_freq = max(1, min_freq)
        self._rules = rules
        self._ties = ("first-seen", "smallest-ids").index(ties)
        # Every merge takes a symbol from some distinct piece, so the corpus bounds their number;
        # a size far beyond it must not cost memory.
        wanted = max(0, min(total - self.replayed, len(words.data) - len(words)))
        if first_id + wanted - 1 > MAX_ID:
            raise ValueError(f"{wanted:,} more tokens would need ids over {MAX_ID:,}.")
        self._ids = np.concatenate(
            (table.ids, np.arange(first_id, first_id + wanted, dtype=np.int32))
        )
        self._learned = 0
        self._wanted = wanted
        self._state: MergeState | None = None
        self._replay: MergeBatch | None = None
        self._replay_told = False

    @property
    def learned(self) -> int:
        """The merges so far, the replayed ones included."""
        return self.replayed + self._learned

    def run(self, max_merges: int | None = None) -> Iterator[MergeBatch]:
        """Learns up to `max_merges` more merges; yields every few milliseconds, maybe nothing new.

        The replayed merges of a continued table come first, with their counts on this corpus.
        """
        if not self._replay_told:
            self._replay_told = True
            if self._replay is not None and self.replayed:
                yield self._replay
        state = self._state
        if state is None:
            raise RuntimeError("prepare() comes before run()")
        last = self._wanted
        if max_merges is not None:
            last = min(last, self._learned + max_merges)
        budget = _FIRST_BUDGET
        while self._learned < last and self.stop_reason is None:
            started = time.perf_counter()
            first = self._learned
            self._learned, exhausted = state.learn(first, last, budget)
            seconds = time.perf_counter() - started
            budget = _adapt(budget, seconds)
            if exhausted:
                self.stop_reason = _why_exhausted(state)
            if self._learned > first or not exhausted:
                yield self._batch(first, self._learned)
        if self._learned == self._wanted and self.stop_reason is None:
            self.stop_reason = "vocab_size" if self.learned == self.total else "no_pairs"

    def record(self) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
        """The merges so far (m, 3) in ids, with their counts and applied counts."""
        new = self._batch(0, self._learned)
        old = self._replay
        if old is None:
            return new.merges, new.counts, new.applied
        return (
            np.concatenate((old.merges, new.merges)),
            np.concatenate((old.counts, new.counts)),
            np.concatenate((old.applied, new.applied)),
        )

    def _batch(self, first: int, last: int) -> MergeBatch:
        state = self._state
        if state is None:
            empty = np.zeros(0, dtype=np.int64)
            return MergeBatch(0, np.zeros((0, 3), dtype=np.int32), empty, empty, self.total)
        record = state.record
        return MergeBatch(
            self.replayed + first,
            self._ids[record.merges[first:last]],
            record.counts[first:last].copy(),
            record.applied[first:last].copy(),
            self.total,
        )

    def prepare(self) -> Iterator[None]:
        """Lays out the pieces as tokens and counts their pairs; yields every few milliseconds.

        Raises
        ------
        ValueError
            The table to continue lacks a byte of the corpus.
        """
        counted = np.zeros(self.replayed, dtype=np.int64)
        applied = np.zeros(self.replayed, dtype=np.int64)
        state = MergeState(
            self.words,
            self.table,
            self._ids,
            ties=self._ties,
            min_freq=self._min_freq,
            rules=self._rules,
        )
        yield from state.prepare(counted, applied)
        self.base_symbols = state.base_symbols
        self._replay = MergeBatch(0, self.table.merges, counted, applied, self.total)
        self._state = state


def _why_exhausted(state: MergeState) -> StopReason:
    if state.refused_left():
        return "rules"
    return "min_freq" if state.pairs_left() else "no_pairs"


def _adapt(budget: int, seconds: float) -> int:
    """The next slice's budget, so that a slice takes about `SLICE_SECONDS`."""
    factor = min(4.0, max(0.25, SLICE_SECONDS / max(seconds, 1e-6)))
    return max(256, min(1 << 30, int(budget * factor)))

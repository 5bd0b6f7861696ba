"""Learning merges from counted pieces, in slices, as a generator."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.table import MAX_ID, MergeTable
from bpe_studio.bpe.words import WordCounts

Ties = Literal["first-seen", "smallest-ids"]
StopReason = Literal["vocab_size", "min_freq", "no_pairs"]
# Between two yields: short enough that a cancel is answered at once and a window stays live.
SLICE_SECONDS: Final = 0.010
_PLACES_A_SLICE: Final = 1 << 19


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
    ) -> None:
        self.words = words
        self.table = table
        self.total = total
        self.replayed = len(table.merges)
        self.base_symbols = 0
        self.stop_reason: StopReason | None = None
        self._min_freq = max(1, min_freq)
        self._ties = ("first-seen", "smallest-ids").index(ties)
        wanted = max(0, total - self.replayed)
        if first_id + wanted - 1 > MAX_ID:
            raise ValueError(f"{wanted:,} more tokens would need ids over {MAX_ID:,}.")
        self._ids = np.concatenate(
            (table.ids, np.arange(first_id, first_id + wanted, dtype=np.int32))
        )
        self._learned = 0
        self._wanted = wanted
        self._state: _State | None = None
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
        budget = _PLACES_A_SLICE // 32
        while self._learned < last and self.stop_reason is None:
            started = time.perf_counter()
            first = self._learned
            self._learned, exhausted = state.learn(first, last, self._ties, self._min_freq, budget)
            seconds = time.perf_counter() - started
            budget = _adapt(budget, seconds)
            if exhausted:
                self.stop_reason = "min_freq" if state.pairs_left() else "no_pairs"
            if self._learned > first or not exhausted:
                yield self._batch(first, self._learned)
        if self._learned == self._wanted and self.stop_reason is None:
            self.stop_reason = "vocab_size"

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
        state = _State(self.words, self.table, self._ids, self._wanted)
        yield from state.place(counted, applied)
        self.base_symbols = state.base_symbols
        yield from state.count(self._ties, self._min_freq)
        self._replay = MergeBatch(0, self.table.merges, counted, applied, self.total)
        self._state = state


def _adapt(budget: int, seconds: float) -> int:
    """The next slice's budget, so that a slice takes about `SLICE_SECONDS`."""
    factor = min(4.0, max(0.25, SLICE_SECONDS / max(seconds, 1e-6)))
    return max(256, min(1 << 30, int(budget * factor)))


class _State:
    """The arrays that the merge kernel works on, and their growth."""

    def __init__(
        self, words: WordCounts, table: MergeTable, ids: NDArray[np.int32], wanted: int
    ) -> None:
        from bpe_studio.kernels import merge as kernel

        size = len(words.data) + len(words) + 1
        if size >= 2**31:
            raise ValueError("The distinct pieces hold over 2 GiB; train on a part of the corpus.")
        self.kernel: Any = kernel
        self.words = words
        self.table = table
        self.base_symbols = 0
        tokens = len(ids)
        lengths = np.zeros(tokens, dtype=np.int64)
        lengths[: len(table)] = np.diff(table.token_offsets)
        self.pieces = kernel.Pieces(
            symbols=np.full(size, -1, dtype=np.int32),
            word=np.empty(size, dtype=np.int32),
            weights=words.counts,
            lengths=lengths,
            ids=ids.astype(np.int64),
        )
        self.record = kernel.Record(
            merges=np.zeros((wanted, 3), dtype=np.int32),
            counts=np.zeros(wanted, dtype=np.int64),
            applied=np.zeros(wanted, dtype=np.int64),
        )
        self.left, self.right = (
            kernel.Neighbours(
                weight=np.zeros(tokens, dtype=np.int64),
                number=np.zeros(tokens, dtype=np.int64),
                row=np.full(tokens, -1, dtype=np.int64),
            )
            for _ in range(2)
        )
        self.pairs = kernel.Pairs(
            keys=np.full(1 << 13, -1, dtype=np.int64),
            slots=np.zeros(1 << 13, dtype=np.int32),
            shift=64 - 13,
            rows=np.zeros((1 << 12, kernel.PAIR_COLUMNS), dtype=np.int64),
            heap=np.zeros((1 << 12, kernel.HEAP_COLUMNS), dtype=np.int64),
            lists=np.zeros(0, dtype=np.int32),
            used=np.zeros(3, dtype=np.int64),
        )

    def place(self, counted: NDArray[np.int64], applied: NDArray[np.int64]) -> Iterator[None]:
        """Encodes the pieces with the table and lays them out; fills in the replay's counts."""
        from bpe_studio.kernels import encode

        words, table = self.words, self.table
        keys, values, shift = encode.pair_table(table.dense_merges)
        tokens = np.empty(len(words.data), dtype=np.int32)
        token_offsets = np.zeros(len(words) + 1, dtype=np.int64)
        created = np.zeros(len(table), dtype=np.int64)
        for first, last in _word_slices(words.offsets):
            missing = encode.encode_pieces(
                words.data, words.offsets, first, last, table.dense_bytes, table.dense_chars,
                keys, values, shift, tokens, token_offsets,
                words.counts, created, counted, applied,
            )  # fmt: skip
            if missing >= 0:
                raise ValueError(f"The table to continue has no token for the byte {missing:02X}.")
            self.kernel.place_tokens(words.offsets, first, last, tokens, token_offsets, self.pieces)
            yield
        lengths = np.diff(token_offsets)
        self.base_symbols = int((lengths * words.counts).sum()) + int(applied.sum())

    def count(self, ties: int, min_freq: int) -> Iterator[None]:
        """Counts all pairs, lists their places, and builds the heap."""
        kernel = self.kernel
        position, need = 0, kernel.MORE
        while need != kernel.DONE:
            position, need = kernel.count_pairs(self.pieces, self.pairs, position, _PLACES_A_SLICE)
            if need == kernel.NEED_PAIRS:
                self._grow_pairs()
            yield
        places = kernel.allot_lists(self.pairs, min_freq)
        # Every applied merge adds at most two places; pages that are never written cost nothing.
        self.pairs = self.pairs._replace(lists=np.empty(3 * places + 1024, dtype=np.int32))
        position = 0
        while position < len(self.pieces.symbols):
            position = kernel.fill_lists(self.pieces, self.pairs, position, _PLACES_A_SLICE)
            yield
        kernel.fill_heap(self.pieces, self.pairs, ties, min_freq)
        yield

    def learn(
        self, first: int, last: int, ties: int, min_freq: int, budget: int
    ) -> tuple[int, bool]:
        """One slice: the number of merges learned in all, and whether no pair is left."""
        kernel = self.kernel
        first_new = len(self.table)
        while True:
            first, need = kernel.learn(
                self.pieces, self.pairs, self.record, self.left, self.right,
                first_new, first, last, ties, min_freq, budget,
            )  # fmt: skip
            if need == kernel.NEED_PAIRS:
                self._grow_pairs()
            elif need == kernel.NEED_LISTS:
                self._grow_lists()
            else:
                return first, need == kernel.EXHAUSTED

    def pairs_left(self) -> bool:
        """Whether any piece still has two symbols."""
        symbols, lengths = self.pieces.symbols, self.pieces.lengths
        offsets = self.words.offsets
        starts = offsets[:-1] + np.arange(1, len(offsets))
        covered: NDArray[np.int64] = lengths[symbols[starts]]
        return bool((covered < np.diff(offsets)).any())

    def _grow_pairs(self) -> None:
        old = self.pairs
        room = 2 * len(old.rows)
        rows = np.zeros((room, old.rows.shape[1]), dtype=np.int64)
        heap = np.zeros((room, old.heap.shape[1]), dtype=np.int64)
        rows[: len(old.rows)] = old.rows
        heap[: len(old.heap)] = old.heap
        keys = np.full(2 * len(old.keys), -1, dtype=np.int64)
        slots = np.zeros(2 * len(old.slots), dtype=np.int32)
        shift = old.shift - 1
        self.kernel.rehash(old.keys, old.slots, keys, slots, shift)
        self.pairs = old._replace(keys=keys, slots=slots, shift=shift, rows=rows, heap=heap)

    def _grow_lists(self) -> None:
        old = self.pairs.lists
        lists = np.empty(2 * len(old), dtype=np.int32)
        lists[: len(old)] = old
        self.pairs = self.pairs._replace(lists=lists)


def _word_slices(offsets: NDArray[np.int64], size: int = 1 << 18) -> Iterator[tuple[int, int]]:
    """Ranges of pieces of about `size` bytes."""
    first = 0
    while first < len(offsets) - 1:
        last = int(np.searchsorted(offsets, offsets[first] + size, side="right"))
        last = min(max(last, first + 1), len(offsets) - 1)
        yield first, last
        first = last

"""The arrays that learning works on: laid out, counted, and grown when they are full."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.merge_limits import is_mergeable, limits_for
from bpe_studio.bpe.merge_rules import NO_RULES, MergeRules
from bpe_studio.bpe.pair_counts import (
    FIRST_SLOTS,
    PairCounts,
    frequencies_of,
    least_count,
    new_table,
)
from bpe_studio.bpe.replay import replay_into
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.words import WordCounts


class MergeState:
    """The arrays that the merge kernel works on, and their growth.

    Parameters
    ----------
    words : WordCounts
    table : MergeTable
        The tokens to begin with.
    ids : int32 array
        The ids of these tokens, and of all that may be learned.
    ties : int
        `FIRST_SEEN` or `SMALLEST_IDS` of the kernel.
    min_freq : int
        A pair that is less frequent is never merged.
    rules : MergeRules
        For `min_documents` the words tell in which documents rare pieces are.
    """

    def __init__(
        self,
        words: WordCounts,
        table: MergeTable,
        ids: NDArray[np.int32],
        *,
        ties: int,
        min_freq: int,
        rules: MergeRules = NO_RULES,
    ) -> None:
        from bpe_studio.kernels import layout, merge, pairs, queue

        self._merge: Any = merge
        self._pairs: Any = pairs
        self._layout: Any = layout
        self._queue: Any = queue
        self.words = words
        self.table = table
        self.base_symbols = 0
        self._ids = ids
        self._ties = ties
        self._min_count = min_freq
        self._rules = rules
        self._limits: Any = None
        self._wanted = len(ids) - len(table)
        self.record = merge.Record(
            merges=np.zeros((self._wanted, 3), dtype=np.int32),
            counts=np.zeros(self._wanted, dtype=np.int64),
            applied=np.zeros(self._wanted, dtype=np.int64),
        )

    def prepare(self, counted: NDArray[np.int64], applied: NDArray[np.int64]) -> Iterator[None]:
        """Encodes the pieces, counts all pairs, lists their places, and puts them in a queue.

        Fills in how often the merges of the table were counted and applied.
        """
        words, table = self.words, self.table
        numbers = table.dense_bytes.astype(np.int64) + 1
        parts: NDArray[Any] = words.data
        offsets = words.offsets
        if len(table.merges) or table.char_ids or not numbers.all():
            # Not one token a byte.
            numbers = np.arange(1, len(table) + 1)
            parts = np.empty(len(words.data), dtype=np.int32)
            offsets = np.zeros(len(words) + 1, dtype=np.int64)
            yield from replay_into(words, table, parts, offsets, counted, applied)
        self.base_symbols = int(np.dot(np.diff(offsets), words.counts)) + int(applied.sum())
        self.pieces = self._new_pieces(offsets)
        if self._rules != NO_RULES:
            self._limits = limits_for(self._rules, words, table, offsets, len(self._ids))
        yield from self._count(
            PairCounts(self.pieces, parts, offsets, numbers, words.counts, list(words.slices())),
            offsets,
        )

    def _new_pieces(self, offsets: NDArray[np.int64]) -> Any:
        """Room for the pieces, which hold tokens ``offsets[w]`` … ``offsets[w + 1]`` - 1."""
        counts = self.words.counts
        size = int(offsets[-1]) + len(counts) + 1
        if size >= 2**31:
            raise ValueError("The distinct pieces hold over 2 GiB; train on a part of the corpus.")
        # Token numbers begin at 1, and what they leave of 32 bits is for the weight.
        tokens = len(self._ids) + 1
        bits = 32 - (tokens - 1).bit_length()
        heavy = np.flatnonzero(counts >= (1 << bits) - 1)
        symbols = np.empty(size, dtype=np.uint32)
        symbols[0] = self._layout.NONE
        return self._layout.Pieces(
            symbols=symbols,
            weight_bits=bits,
            heavy_places=offsets[heavy] + heavy + 1,
            heavy_weights=counts[heavy],
            lengths=np.ones(tokens, dtype=np.int64),
            ids=np.concatenate(([-1], self._ids)).astype(np.int64),
        )

    def _count(self, counts: PairCounts, offsets: NDArray[np.int64]) -> Iterator[None]:
        kernel = self._pairs
        yield from counts.count()
        frequencies = counts.frequencies()
        if self._rules != NO_RULES:
            mergeable = is_mergeable(self._rules, self.words, self.table, offsets)
            frequencies = frequencies_of(self.words.counts[mergeable])
        self._min_count = max(self._min_count, least_count(frequencies, self._wanted))
        frequent, places = counts.room(self._min_count)
        slots = max(FIRST_SLOTS, 1 << int(4 * frequent).bit_length())
        table, _, shift = new_table(slots)
        self.pairs = kernel.Pairs(
            table=table,
            shift=shift,
            rows=np.zeros(slots // 2, dtype=kernel.ROW),
            queue=self._new_queue(slots // 2),
            # Every applied merge adds at most two places; pages that are never written cost
            # nothing.
            lists=np.empty(3 * places + 1024, dtype=np.int32),
            used=np.zeros(2, dtype=np.int64),
        )
        yield from counts.list_places(self.pairs, self._min_count)
        kernel.fill_queue(self.pieces, self.pairs, self._ties)
        self._scratch = self._new_scratch()
        yield

    def _new_queue(self, room: int) -> Any:
        kernel = self._queue
        bound = np.zeros(1, dtype=kernel.ENTRY)
        # Nothing is as good; so all goes to the pile.
        bound["count"] = np.iinfo(np.int64).max
        return kernel.Queue(
            entries=np.zeros(room, dtype=kernel.ENTRY),
            sizes=np.zeros(2, dtype=np.int64),
            bound=bound,
        )

    def _new_scratch(self) -> Any:
        # No list is ever longer than the longest now: a new pair stands where an old one did.
        longest = int(self.pairs.rows["length"].max())
        places, lefts, rights, left_kinds, right_kinds = (
            np.empty(longest, dtype=np.int32) for _ in range(5)
        )
        on_left, on_right = (
            np.zeros(len(self.pieces.lengths), dtype=self._merge.NEIGHBOUR) for _ in range(2)
        )
        on_left["cursor"] = on_right["cursor"] = -1
        return self._merge.Scratch(
            on_left=on_left,
            on_right=on_right,
            places=places,
            lefts=lefts,
            rights=rights,
            left_kinds=left_kinds,
            right_kinds=right_kinds,
            checked=np.empty(self._merge.BLOCK, dtype=np.int32),
        )

    def learn(self, first: int, last: int, budget: int) -> tuple[int, bool]:
        """One slice: the number of merges learned in all, and whether no pair is left."""
        pairs = self._pairs
        first_new = len(self.table) + 1
        while True:
            first, need = self._learn(first_new, first, last, budget)
            if need == pairs.NEED_PAIRS:
                self._grow_pairs()
            elif need == pairs.NEED_LISTS:
                self._grow_lists()
            else:
                return first, need == pairs.EXHAUSTED

    def _learn(self, first_new: int, first: int, last: int, budget: int) -> tuple[int, int]:
        told: tuple[int, int]
        if self._limits is None:
            told = self._merge.learn(
                self.pieces, self.pairs, self.record, self._scratch,
                first_new, first, last, self._ties, self._min_count, budget,
            )  # fmt: skip
        else:
            from bpe_studio.kernels.limited import learn_by_rules

            told = learn_by_rules(
                self.pieces, self.pairs, self.record, self._scratch, self._limits,
                first_new, first, last, self._ties, self._min_count, budget,
            )  # fmt: skip
        return told

    def refused_left(self) -> bool:
        """Whether a pair is frequent enough and not allowed, when learning has ended."""
        if self._limits is None:
            return False
        from bpe_studio.kernels.limited import any_frequent

        return bool(any_frequent(self.pairs, self._min_count))

    def pairs_left(self) -> bool:
        """Whether any piece still has two symbols."""
        return bool(self._layout.any_pair(self.pieces))

    def _grow_pairs(self) -> None:
        old = self.pairs
        room = 2 * len(old.rows)
        rows = np.zeros(room, dtype=old.rows.dtype)
        entries = np.zeros(room, dtype=self._queue.ENTRY)
        rows[: len(old.rows)] = old.rows
        heap, pile = old.queue.sizes.tolist()
        entries[:heap] = old.queue.entries[:heap]
        entries[room - pile :] = old.queue.entries[len(old.queue.entries) - pile :]
        table, _, shift = new_table(2 * len(old.table))
        self._pairs.rehash(old.table, rows, old.used[self._pairs.ROWS], table, shift)
        queue = old.queue._replace(entries=entries)
        self.pairs = old._replace(table=table, shift=shift, rows=rows, queue=queue)

    def _grow_lists(self) -> None:
        old = self.pairs.lists
        lists = np.empty(2 * len(old), dtype=np.int32)
        lists[: len(old)] = old
        self.pairs = self.pairs._replace(lists=lists)

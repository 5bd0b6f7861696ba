"""The arrays that learning works on: laid out, counted, and grown when they are full."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.table import MergeTable, MissingByteError
from bpe_studio.bpe.words import WordCounts

PLACES_A_SLICE: Final = 1 << 19


class MergeState:
    """The arrays that the merge kernel works on, and their growth."""

    def __init__(
        self, words: WordCounts, table: MergeTable, ids: NDArray[np.int32], wanted: int
    ) -> None:
        from bpe_studio.kernels import merge, pairs

        size = len(words.data) + len(words) + 1
        if size >= 2**31:
            raise ValueError("The distinct pieces hold over 2 GiB; train on a part of the corpus.")
        self._merge: Any = merge
        self._pairs: Any = pairs
        self.words = words
        self.table = table
        self.base_symbols = 0
        tokens = len(ids)
        lengths = np.zeros(tokens, dtype=np.int64)
        lengths[: len(table)] = np.diff(table.token_offsets)
        self.pieces = pairs.Pieces(
            symbols=np.full(size, -1, dtype=np.int32),
            word=np.empty(size, dtype=np.int32),
            weights=words.counts,
            lengths=lengths,
            ids=ids.astype(np.int64),
        )
        self.record = merge.Record(
            merges=np.zeros((wanted, 3), dtype=np.int32),
            counts=np.zeros(wanted, dtype=np.int64),
            applied=np.zeros(wanted, dtype=np.int64),
        )
        self.left, self.right = (
            merge.Neighbours(
                weight=np.zeros(tokens, dtype=np.int64),
                number=np.zeros(tokens, dtype=np.int64),
                row=np.full(tokens, -1, dtype=np.int64),
            )
            for _ in range(2)
        )
        self.pairs = pairs.Pairs(
            keys=np.full(1 << 13, -1, dtype=np.int64),
            slots=np.zeros(1 << 13, dtype=np.int32),
            shift=64 - 13,
            rows=np.zeros((1 << 12, pairs.PAIR_COLUMNS), dtype=np.int64),
            heap=np.zeros((1 << 12, pairs.HEAP_COLUMNS), dtype=np.int64),
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
        for first, last in words.slices():
            missing = encode.encode_pieces(
                words.data, words.offsets, first, last, table.dense_bytes, table.dense_chars,
                keys, values, shift, tokens, token_offsets,
                words.counts, created, counted, applied,
            )  # fmt: skip
            if missing >= 0:
                raise MissingByteError(missing)
            self._merge.place_tokens(words.offsets, first, last, tokens, token_offsets, self.pieces)
            yield
        lengths = np.diff(token_offsets)
        self.base_symbols = int((lengths * words.counts).sum()) + int(applied.sum())

    def count(self, ties: int, min_freq: int) -> Iterator[None]:
        """Counts all pairs, lists their places, and builds the heap."""
        kernel = self._pairs
        position, need = 0, kernel.MORE
        while need != kernel.DONE:
            position, need = kernel.count_pairs(self.pieces, self.pairs, position, PLACES_A_SLICE)
            if need == kernel.NEED_PAIRS:
                self._grow_pairs()
            yield
        places = kernel.allot_lists(self.pairs, min_freq)
        # Every applied merge adds at most two places; pages that are never written cost nothing.
        self.pairs = self.pairs._replace(lists=np.empty(3 * places + 1024, dtype=np.int32))
        position = 0
        while position < len(self.pieces.symbols):
            position = kernel.fill_lists(self.pieces, self.pairs, position, PLACES_A_SLICE)
            yield
        kernel.fill_heap(self.pieces, self.pairs, ties, min_freq)
        yield

    def learn(
        self, first: int, last: int, ties: int, min_freq: int, budget: int
    ) -> tuple[int, bool]:
        """One slice: the number of merges learned in all, and whether no pair is left."""
        pairs = self._pairs
        first_new = len(self.table)
        while True:
            first, need = self._merge.learn(
                self.pieces, self.pairs, self.record, self.left, self.right,
                first_new, first, last, ties, min_freq, budget,
            )  # fmt: skip
            if need == pairs.NEED_PAIRS:
                self._grow_pairs()
            elif need == pairs.NEED_LISTS:
                self._grow_lists()
            else:
                return first, need == pairs.EXHAUSTED

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
        self._pairs.rehash(old.keys, old.slots, keys, slots, shift)
        self.pairs = old._replace(keys=keys, slots=slots, shift=shift, rows=rows, heap=heap)

    def _grow_lists(self) -> None:
        old = self.pairs.lists
        lists = np.empty(2 * len(old), dtype=np.int32)
        lists[: len(old)] = old
        self.pairs = self.pairs._replace(lists=lists)

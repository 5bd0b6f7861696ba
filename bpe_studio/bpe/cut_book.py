"""The distinct pieces of one pattern that one thread has met; their tokens under any table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.arrays import longer
from bpe_studio.bpe.encoder import Encoder
from bpe_studio.bpe.patterns import Pattern
from bpe_studio.bpe.scanner import rules_of
from bpe_studio.bpe.word_table import BATCH, WordTable

if TYPE_CHECKING:
    from bpe_studio.kernels.scan import Rules

__all__ = ["CutBook", "Numbered", "TableCuts"]


class Numbered(NamedTuple):
    """The pieces of texts: text i has ``numbers[borders[i] : borders[i + 1]]``."""

    texts: NDArray[np.int64]
    numbers: NDArray[np.int32]
    borders: NDArray[np.int64]


class CutBook:
    """Numbers pieces in the order in which they are met."""

    def __init__(self, pattern: Pattern) -> None:
        from bpe_studio.kernels import cuts

        rules = rules_of(pattern)
        assert rules is not None
        self._kernel: Any = cuts
        self._rules: Rules = rules
        self.words = WordTable()
        self._ends = np.empty(BATCH, dtype=np.int64)

    def number(self, data: NDArray[np.uint8], texts: NDArray[np.int64]) -> Numbered:
        """The pieces of texts that end at `texts` in padded data."""
        size = int(texts[-1]) if len(texts) else 0
        numbers = np.empty(size, dtype=np.int32)
        borders = np.zeros(len(texts) + 1, dtype=np.int64)
        state = np.zeros(3, dtype=np.int64)
        while self._kernel.number_texts(
            data, texts, state, self._rules, self._ends,
            self.words.table, self.words.scratch, numbers, borders,
        ) != self._kernel.DONE:  # fmt: skip
            self.words.grow()
        return Numbered(texts, numbers, borders)


class TableCuts:
    """What one table makes of the pieces of a book, each encoded when it is needed first."""

    def __init__(self, encoder: Encoder, book: CutBook) -> None:
        from bpe_studio.kernels import cuts

        self._kernel: Any = cuts
        self._encoder = encoder
        self._book = book
        self._pieces = self._tokens = 0
        self._items = cuts.Pieces(
            rows=np.zeros(0, dtype=cuts.ROW),
            tokens=np.zeros(0, dtype=np.int32),
            lengths=np.zeros(0, dtype=np.int32),
        )

    @property
    def uses(self) -> NDArray[np.int64]:
        """How often each piece of the book was used, by its number."""
        uses: NDArray[np.int64] = longer(self._items.rows["uses"], len(self._book.words))
        return uses[: len(self._book.words)]

    def mark(self, found: Numbered, ends: NDArray[np.uint8], tokens: NDArray[np.int64]) -> None:
        """Marks where tokens end, and sets how many each text has; see `kernels.cuts`.

        Raises
        ------
        MissingByteError
            The table lacks a byte.
        """
        if len(self._book.words) > self._pieces:
            self._encode_new()
        self._kernel.mark_ends(found.numbers, found.borders, found.texts, self._items, ends, tokens)

    def add_final(self, final: NDArray[np.int64]) -> None:
        """Adds how often each token of the table was used."""
        self._kernel.add_final(self._items, self._pieces, final)

    def _encode_new(self) -> None:
        data, offsets = self._book.words.pieces_from(self._pieces)
        tokens, bounds = self._encoder.encode_arena_cut(data, offsets)
        old, first, begin = self._items, self._pieces, self._tokens
        pieces, end = first + len(offsets) - 1, begin + len(tokens)
        self._items = old._replace(
            rows=longer(old.rows, pieces),
            tokens=longer(old.tokens, end),
            lengths=longer(old.lengths, end),
        )
        self._items.tokens[begin:end] = tokens
        self._kernel.add_rows(self._items, first, begin, bounds, offsets, self._items.lengths)
        self._pieces, self._tokens = pieces, end

"""What one table makes of numbered pieces: merged once, when they are needed first."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.arrays import longer
from bpe_studio.bpe.cut_book import CutBook, Numbered
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["SmallerCuts", "TableCuts"]


class _Pieces:
    """The tokens of the pieces of a book, as far as they are known."""

    def __init__(self) -> None:
        from bpe_studio.kernels import cuts

        self._kernel: Any = cuts
        self.pieces = self._tokens = 0
        self.items = cuts.Pieces(
            rows=np.zeros(0, dtype=cuts.ROW),
            tokens=np.zeros(0, dtype=np.int32),
            lengths=np.zeros(0, dtype=np.int32),
        )

    def add(
        self, tokens: NDArray[np.int32], lengths: NDArray[np.int32], offsets: NDArray[np.int64]
    ) -> None:
        """The tokens of the pieces that come next, their bytes, and where the pieces begin."""
        old, first, begin = self.items, self.pieces, self._tokens
        self.pieces, self._tokens = first + len(offsets) - 1, begin + len(tokens)
        self.items = old._replace(
            rows=longer(old.rows, self.pieces),
            tokens=longer(old.tokens, self._tokens),
            lengths=longer(old.lengths, self._tokens),
        )
        self.items.tokens[begin : self._tokens] = tokens
        self.items.lengths[begin : self._tokens] = lengths
        self._kernel.add_rows(self.items, first, begin, offsets)

    def mark(self, found: Numbered, ends: NDArray[np.uint8], tokens: NDArray[np.int64]) -> None:
        self._kernel.mark_ends(found.numbers, found.borders, found.texts, self.items, ends, tokens)

    def add_final(self, final: NDArray[np.int64]) -> None:
        self._kernel.add_final(self.items, self.pieces, final)


class TableCuts:
    """The pieces of a book under one table.

    Parameters
    ----------
    size : int, optional
        How many first merges `SmallerCuts` are to have.
    """

    def __init__(self, tokenizer: Tokenizer, book: CutBook, size: int | None = None) -> None:
        from bpe_studio.kernels import sized

        self._kernel: Any = sized
        self._tokenizer = tokenizer
        self._book = book
        self._merges = len(tokenizer.table.merges)
        self._size = size
        self._all = _Pieces()
        self.smaller = _Pieces()
        self._symbols = np.zeros(0, dtype=np.int64)
        self._gone = np.zeros(0, dtype=np.int32)
        self._borders = np.zeros(1, dtype=np.int64)

    def mark(self, found: Numbered, ends: NDArray[np.uint8], tokens: NDArray[np.int64]) -> None:
        """Marks where tokens end, and sets how many each text has; see `kernels.cuts`.

        Raises
        ------
        MissingByteError
            The table lacks a byte.
        """
        self.merge_new()
        self._all.mark(found, ends, tokens)

    def add_final(self, final: NDArray[np.int64]) -> None:
        """Adds how often each token of the table was used, by its dense number."""
        self._all.add_final(final)

    def at_sizes(self) -> NDArray[np.int64]:
        """The tokens of all pieces that were marked under the first 0, 1, … merges."""
        pieces = self._all.pieces
        uses = np.ascontiguousarray(self._all.items.rows["uses"][:pieces])
        lost = np.zeros(self._merges + 1, dtype=np.int64)
        self._kernel.add_gone(self._borders, self._gone, uses, lost)
        total = int((self._symbols[:pieces] * uses).sum())
        return (total - np.cumsum(lost)).astype(np.int64)

    def merge_new(self) -> None:
        """Merges the pieces that the book has got since the last time."""
        first, old = self._all.pieces, int(self._borders[self._all.pieces])
        if len(self._book.words) == first:
            return
        data, offsets = self._book.words.pieces_from(first)
        size = self._merges if self._size is None else self._size
        found = self._tokenizer.tracer.sized(data, offsets, size)
        lengths = self._tokenizer.encoder.tables.lengths
        self._all.add(found.tokens, lengths[found.tokens], offsets)
        if self._size is not None:
            self.smaller.add(found.at_size, lengths[found.at_size], offsets)
        last, end = self._all.pieces, old + len(found.gone)
        self._symbols = longer(self._symbols, last)
        self._symbols[first:last] = np.diff(found.pieces)
        self._borders = longer(self._borders, last + 1)
        self._borders[first : last + 1] = old + found.borders[:, 2]
        self._gone = longer(self._gone, end)
        self._gone[old:end] = found.gone


class SmallerCuts:
    """The same pieces under the first merges of a table: those of `TableCuts` with a size."""

    def __init__(self, whole: TableCuts, tokens: NDArray[np.int64]) -> None:
        """`tokens` has the dense number in the smaller table of every token of the whole one."""
        self._whole = whole
        self._tokens = tokens

    def mark(self, found: Numbered, ends: NDArray[np.uint8], tokens: NDArray[np.int64]) -> None:
        self._whole.merge_new()
        self._whole.smaller.mark(found, ends, tokens)

    def add_final(self, final: NDArray[np.int64]) -> None:
        uses = np.zeros(len(self._tokens), dtype=np.int64)
        self._whole.smaller.add_final(uses)
        used = np.flatnonzero(uses)
        final[self._tokens[used]] += uses[used]

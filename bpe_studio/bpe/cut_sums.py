"""What one thread counts of the runs that it is given, under several tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.char_classes import class_table
from bpe_studio.bpe.cut_book import CutBook
from bpe_studio.bpe.cut_reading import CutReader, ReadRun
from bpe_studio.bpe.plain_runs import PlainRuns
from bpe_studio.bpe.runs import Run
from bpe_studio.bpe.scanner import PADDING
from bpe_studio.bpe.scripts import script_table
from bpe_studio.bpe.stretch_costs import StretchCosts
from bpe_studio.bpe.table_cuts import SmallerCuts, TableCuts
from bpe_studio.bpe.tokenizer import Tokenizer

if TYPE_CHECKING:
    from bpe_studio.kernels.chunks import Sums

__all__ = ["NO_SPACES", "CutSums", "Sized"]

NO_SPACES: Final = (
    "Han", "Hiragana", "Katakana", "Bopomofo", "Yi", "Thai", "Lao", "Khmer", "Myanmar", "Tibetan",
    "Tai Le", "New Tai Lue", "Tai Tham", "Tai Viet", "Javanese", "Balinese",
)  # fmt: skip
"""Scripts that put no spaces between words."""


@dataclass(frozen=True, eq=False)
class Sized:
    """One of some tables at a smaller size.

    Attributes
    ----------
    table : int
        Its number.
    merges : int
        How many first merges are left of it.
    tokenizer : Tokenizer
        What is left.
    tokens : int64 array
        The dense number there of every token of the whole table; anything for those that are gone.
    """

    table: int
    merges: int
    tokenizer: Tokenizer
    tokens: NDArray[np.int64]

    @classmethod
    def of(cls, tokenizers: Sequence[Tokenizer], table: int, merges: int) -> Sized:
        whole = tokenizers[table]
        smaller = whole.prefix(merges)
        places = np.searchsorted(smaller.table.ids, whole.table.ids)
        return cls(table, merges, smaller, places)


class CutSums:
    """The sums of one thread.

    Attributes
    ----------
    readers : list of CutReader, one a tokenizer
    cuts : list of TableCuts or None, one a tokenizer
        None for those that read no pieces.
    sums : kernels.chunks.Sums
    costs : StretchCosts
    file_tokens : int64, shape (tables, files)
    file_characters : int64, shape (files,)
    """

    def __init__(
        self,
        tokenizers: Sequence[Tokenizer],
        sized: Sized | None,
        files: int,
        go_on: Callable[[], bool],
    ) -> None:
        from bpe_studio.kernels import chunks

        self._kernel: Any = chunks
        self._books: dict[str, CutBook] = {}
        self.cuts: list[TableCuts | None] = []
        self.readers: list[CutReader] = []
        for number, tokenizer in enumerate(tokenizers):
            book = self._book_of(tokenizer)
            size = sized.merges if sized is not None and sized.table == number else None
            cuts = None if book is None else TableCuts(tokenizer, book, size)
            self.cuts.append(cuts)
            self.readers.append(CutReader(tokenizer, book, cuts, go_on))
        if sized is not None:
            whole = self.cuts[sized.table]
            smaller = None if whole is None else SmallerCuts(whole, sized.tokens)
            book = self._book_of(sized.tokenizer)
            self.readers.append(CutReader(sized.tokenizer, book, smaller, go_on))
        names, self._script_of = script_table()
        self._has_words = ~np.isin(names, NO_SPACES)
        self._has_words[0] = False  # what has no script is no word
        self._classes = class_table("unicode")
        tables = len(self.readers)
        self.sums: Sums = chunks.Sums(
            script_characters=np.zeros(len(names), dtype=np.int64),
            script_tokens=np.zeros((tables, len(names)), dtype=np.int64),
            words=np.zeros(1, dtype=np.int64),
            whole_words=np.zeros(tables, dtype=np.int64),
            word_tokens=np.zeros(tables, dtype=np.int64),
            number_cuts=np.zeros((tables, chunks.NUMBER_CUTS), dtype=np.int64),
            spans=np.zeros(4, dtype=np.int64),
        )
        self.costs = StretchCosts()
        self.file_tokens = np.zeros((tables, files), dtype=np.int64)
        self.file_characters = np.zeros(files, dtype=np.int64)

    def add(self, run: Run, files: NDArray[np.int64]) -> None:
        """Counts a run, whose documents are of these files."""
        read = ReadRun(run, run.data[:-PADDING].tobytes())
        size = len(read.raw)
        ends = np.zeros(len(self.readers) * size + 8, dtype=np.uint8)
        for table, reader in enumerate(self.readers):
            tokens = reader.read(read, ends[table * size : (table + 1) * size])
            np.add.at(self.file_tokens[table], files, tokens)
        characters = np.zeros(len(files), dtype=np.int64)
        number = self._kernel.walk_texts(
            run.data, run.documents, self._classes, self._script_of, self._has_words,
            ends, size, characters, self.sums, self.costs.room(size),
        )  # fmt: skip
        np.add.at(self.file_characters, files, characters)
        self._kernel.count_spans(run.documents, ends, size, self.sums.spans)
        self.costs.add(number)

    def join(self, other: CutSums) -> None:
        """Adds what another thread has counted, without the pieces."""
        for mine, theirs in zip(self.sums, other.sums, strict=True):
            mine += theirs
        self.file_tokens += other.file_tokens
        self.file_characters += other.file_characters
        self.costs.join(other.costs)

    def _book_of(self, tokenizer: Tokenizer) -> CutBook | None:
        if not PlainRuns(tokenizer).ever_pieces:
            return None
        expression = tokenizer.pattern.expression
        if expression not in self._books:
            self._books[expression] = CutBook(tokenizer.pattern)
        return self._books[expression]

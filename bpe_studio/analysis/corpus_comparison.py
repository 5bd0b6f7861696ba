"""What several tables make of one corpus: figures side by side, and the pieces that tell them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.compare_text import Difference
from bpe_studio.analysis.compression import Curve
from bpe_studio.analysis.file_kinds import kind_of

__all__ = [
    "CorpusComparison",
    "CostlyPiece",
    "EqualSize",
    "KindFigures",
    "NumberCut",
    "TableFigures",
]


@dataclass(frozen=True, slots=True)
class NumberCut:
    """How often runs of digits are cut so: ``(3, 1)`` is four digits as three and one."""

    digits: tuple[int, ...]
    count: int


@dataclass(frozen=True, slots=True)
class CostlyPiece:
    """A stretch of text that one table cuts into more tokens than the other does.

    Attributes
    ----------
    data : bytes
        A run of letters, of digits or of other signs, with the white space before it; and what
        follows, up to where such a run ends and both tables cut.
    count : int
        How often it is in the corpus where the two do not agree.
    tokens_a, tokens_b : int
        Its tokens under A and under B, in all of those places.
    """

    data: bytes
    count: int
    tokens_a: int
    tokens_b: int

    @property
    def lost(self) -> int:
        """How many tokens more A needs; negative where B needs more."""
        return self.tokens_a - self.tokens_b


@dataclass(frozen=True, eq=False)
class TableFigures:
    """What one table makes of a corpus.

    Attributes
    ----------
    vocab_size : int
    ids : int32 array, shape (n,)
        Every token id, ascending, without specials.
    final : int64 array, shape (n,)
        F1: how often the encoded corpus holds the token.
    tokens : int
        Specials that the tokenizer cuts are among them.
    file_tokens : int64 array, shape (files,)
    script_tokens : int64 array, shape (scripts,)
    whole_words, word_tokens : int
        Words that no token border cuts, and the tokens that words touch: one more each than the
        borders inside.
    number_cuts : tuple of NumberCut
        Runs of at most 12 digits, the most frequent cut first.
    renyi_efficiency : float
        H(2.5) of the tokens' shares over log(vocab_size), from 0 to 1; NaN without tokens.
    curve : Curve or None
        The corpus at every vocabulary size; None for tables without merges, and those that edit
        the text first.
    """

    vocab_size: int
    ids: NDArray[np.int32]
    final: NDArray[np.int64]
    tokens: int
    file_tokens: NDArray[np.int64]
    script_tokens: NDArray[np.int64]
    whole_words: int
    word_tokens: int
    number_cuts: tuple[NumberCut, ...] = ()
    renyi_efficiency: float = float("nan")
    curve: Curve | None = None

    @property
    def used(self) -> int:
        """How many different tokens are used at all."""
        return int(np.count_nonzero(self.final))


@dataclass(frozen=True, eq=False)
class EqualSize:
    """The first two tables, both with as many ids as the smaller of them has.

    The smaller one's figures are those of the whole table.
    """

    vocab_size: int
    a: TableFigures
    b: TableFigures


@dataclass(frozen=True, slots=True)
class KindFigures:
    """Files of one kind; `tokens` has a number a table."""

    kind: str
    files: int
    characters: int
    bytes: int
    tokens: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class CorpusComparison:
    """A corpus under several tables, of which the first two, A and B, are compared in detail.

    Attributes
    ----------
    tables : tuple of TableFigures
    equal : EqualSize or None
        None where both have one size already, or one cannot be cut to that of the other.
    characters, bytes, document_count : int
    files : tuple of str
        The labels of the files that were read, in reading order.
    file_characters, file_bytes, file_documents : int64 arrays, shape (files,)
    scripts : tuple of str
        The script with most characters first; "Common" has what belongs to any.
    script_characters : int64 array, shape (scripts,)
        Every run of letters, digits or other signs, with the white space before it, counts whole
        for the first of its characters that is of a script; a token counts for the run it ends in.
    words : int
        Runs of letters and marks, without those of scripts that put no spaces between words.
    numbers, long_numbers : int
        Runs of at most 12 digits, and of more.
    spans : mapping of Difference to int
        The text between places where both A and B cut, by how they cut inside.
    dearer_a, dearer_b : tuple of CostlyPiece
        What takes most tokens more under A than under B, and the other way round; 100 at most.
    notes : tuple of str
        What is not exact, and why, in a sentence each.
    """

    tables: tuple[TableFigures, ...]
    equal: EqualSize | None
    characters: int
    bytes: int
    document_count: int
    files: tuple[str, ...]
    file_characters: NDArray[np.int64]
    file_bytes: NDArray[np.int64]
    file_documents: NDArray[np.int64]
    scripts: tuple[str, ...]
    script_characters: NDArray[np.int64]
    words: int
    numbers: int
    long_numbers: int
    spans: Mapping[Difference, int] = field(default_factory=dict)
    dearer_a: tuple[CostlyPiece, ...] = ()
    dearer_b: tuple[CostlyPiece, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def extra_percent(self) -> float:
        """How many per cent more tokens B needs than A; negative where it needs fewer."""
        a, b = self.tables[0].tokens, self.tables[1].tokens
        return 100.0 * (b / a - 1) if a else 0.0

    def kinds(self, figures: Sequence[TableFigures] | None = None) -> tuple[KindFigures, ...]:
        """The files by kind, the kind with most characters first.

        Parameters
        ----------
        figures : those of `tables` by default; or those of `equal`
        """
        tables = self.tables if figures is None else figures
        names = np.array([kind_of(label) for label in self.files], dtype=object)
        found = [
            KindFigures(
                kind,
                int(np.count_nonzero(names == kind)),
                int(self.file_characters[names == kind].sum()),
                int(self.file_bytes[names == kind].sum()),
                tuple(int(table.file_tokens[names == kind].sum()) for table in tables),
            )
            for kind in dict.fromkeys(names.tolist())
        ]
        return tuple(sorted(found, key=lambda figures: -figures.characters))

    def parity(self, table: int, reference: int = 0) -> NDArray[np.float64]:
        """float64 (files,): tokens of each file over those of one, where all say the same.

        Parallel files are the same text in several languages; the ratio is what a language costs.
        """
        tokens = self.tables[table].file_tokens
        ratio = np.full(len(tokens), np.nan)
        np.divide(tokens, tokens[reference], out=ratio, where=tokens[reference] > 0)
        return ratio

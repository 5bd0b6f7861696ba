"""What a corpus does with the tokens of a table: uses, documents, examples, scripts, specials."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["CorpusUse", "DocumentPlace", "ScriptUse", "SpelledSpecial"]

_LARGEST_ID: Final = (1 << 31) - 1


@dataclass(frozen=True, slots=True)
class DocumentPlace:
    """Where a document is: a file by its label, and the row in it, from 1, or 0 for all of it."""

    file: str
    row: int = 0

    def __str__(self) -> str:
        return f"{self.file}, row {self.row:,}" if self.row else self.file


@dataclass(frozen=True, slots=True)
class SpelledSpecial:
    """A control token that the text of a corpus spells.

    Attributes
    ----------
    name : str
    id : int or None
        Its id, where it is a special of the table.
    count, documents : int
        How often it is spelled, and in how many documents.
    files : tuple of (str, int)
        The files with most of it, and how often it is in each.
    """

    name: str
    id: int | None
    count: int
    documents: int
    files: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class ScriptUse:
    """The tokens of a corpus that are of one Unicode script, and the characters in them.

    A token is of the script of its first character that is of no other script's (so neither space
    nor digit), and half a character of the script of the whole one; "Common" has the rest.
    """

    script: str
    tokens: int
    characters: int

    @property
    def characters_per_token(self) -> float:
        return self.characters / self.tokens if self.tokens else 0.0


@dataclass(frozen=True, eq=False)
class CorpusUse:
    """Exact uses of every token in a corpus, document by document.

    Attributes
    ----------
    ids : int32 array, shape (n,)
        Every token id, ascending, without specials.
    final : int64 array, shape (n,)
        F1: how often the encoded corpus holds the token.
    created : int64 array, shape (n,)
        C: how often the token came to be on the way, base symbols and results included; under a
        whole-piece-first engine as if merges had made the piece, where they can.
    documents : int64 array, shape (n,)
        DF: how many documents have the token.
    largest, largest_document : int64 arrays, shape (n,)
        The most uses in one document, and its number from 0 in reading order (the first of
        several); 0 and -1 for a token that is not used.
    offsets : int64 array, shape (n,)
        Where the token is used first in that document, in bytes of its text as UTF-8.
    tokens, characters, bytes : int
        Of the encoded corpus; specials that the tokenizer cuts are among the tokens.
    document_count : int
    files : tuple of str
        The labels of the files that hold the documents, in reading order.
    first_documents : int64 array, shape (files,)
        The number of the first document of each.
    has_rows : bool array, shape (files,)
        Whether a file holds a document a row.
    row_jumps : int64 array, shape (k, 2)
        Documents, and the row of each, where the documents of a file do not have consecutive rows:
        because some rows of it are empty or left out.
    specials : tuple of SpelledSpecial
        Control tokens that the text spells, the most frequent first.
    scripts : tuple of ScriptUse
        The script with most tokens first.
    failure_count, failures : int, and tuple of int
        How many documents decoding does not give back, and the numbers of the first 100.
    """

    ids: NDArray[np.int32]
    final: NDArray[np.int64]
    created: NDArray[np.int64]
    documents: NDArray[np.int64]
    largest: NDArray[np.int64]
    largest_document: NDArray[np.int64]
    offsets: NDArray[np.int64]
    tokens: int
    characters: int
    bytes: int
    document_count: int
    files: tuple[str, ...]
    first_documents: NDArray[np.int64]
    has_rows: NDArray[np.bool_]
    specials: tuple[SpelledSpecial, ...] = ()
    row_jumps: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 2), np.int64))
    scripts: tuple[ScriptUse, ...] = ()
    failure_count: int = 0
    failures: tuple[int, ...] = ()

    @property
    def used(self) -> int:
        """How many different tokens are used at all."""
        return int(np.count_nonzero(self.final))

    @property
    def survival(self) -> NDArray[np.float64]:
        """R = F1 / C, from 0 to 1; NaN for a token that never came to be."""
        return _ratio(self.final, self.created)

    @property
    def share(self) -> NDArray[np.float64]:
        """The share of the uses of each token that its largest document has; NaN without uses."""
        return _ratio(self.largest, self.final)

    def index(self, token: int) -> int | None:
        """The place of a token in the arrays; None for an id that the table lacks."""
        if not 0 <= token <= _LARGEST_ID:
            return None
        # Asked for a number of another type, numpy copies the whole array.
        place = int(self.ids.searchsorted(np.int32(token)))
        return place if place < len(self.ids) and self.ids[place] == token else None

    def of(self, token: int) -> tuple[int, int]:
        """(F1, C) of a token; (0, 0) for an id that the table lacks."""
        place = self.index(token)
        return (0, 0) if place is None else (int(self.final[place]), int(self.created[place]))

    def place(self, document: int) -> DocumentPlace:
        """The file of a document, and its row there."""
        file = int(np.searchsorted(self.first_documents, document, side="right")) - 1
        first, row = int(self.first_documents[file]), 1
        jump = int(np.searchsorted(self.row_jumps[:, 0], document, side="right")) - 1
        if jump >= 0 and self.row_jumps[jump, 0] >= first:
            first, row = self.row_jumps[jump].tolist()
        return DocumentPlace(self.files[file], row + document - first if self.has_rows[file] else 0)


def _ratio(part: NDArray[np.int64], whole: NDArray[np.int64]) -> NDArray[np.float64]:
    ratio = np.full(len(whole), np.nan)
    np.divide(part, whole, out=ratio, where=whole > 0)
    return ratio

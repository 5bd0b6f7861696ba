"""How often every token of a table is used in a corpus, and in which documents."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["TokenCounts"]


@dataclass(frozen=True, eq=False)
class TokenCounts:
    """Exact counts of an encoded corpus. Arrays are int64, by dense token.

    Attributes
    ----------
    final : how often the encoded corpus holds the token
    documents : how many documents have it
    largest, largest_document : the most uses in one document, and its number from 0 (the first of
        several); 0 and -1 for a token that is not used
    places : where it is used first in that document, in bytes of the text
    tokens, characters, bytes : totals; specials that are cut are among the tokens
    document_count : int
    files, first_documents : int64 arrays
        The numbers of the files that have documents, and the first document of each.
    script_tokens, script_characters : int64 arrays, one a script of `scripts.script_table`
        Each token counts for the first of its characters that is of a script.
    failure_count, failures : how many documents decoding does not give back, and the first of them
    """

    final: NDArray[np.int64]
    documents: NDArray[np.int64]
    largest: NDArray[np.int64]
    largest_document: NDArray[np.int64]
    places: NDArray[np.int64]
    tokens: int
    characters: int
    bytes: int
    document_count: int
    files: NDArray[np.int64]
    first_documents: NDArray[np.int64]
    script_tokens: NDArray[np.int64]
    script_characters: NDArray[np.int64]
    failure_count: int = 0
    failures: tuple[int, ...] = ()

"""What several tables make of a corpus, as they were counted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["CutCounts", "TableCounts"]

Stretch = tuple[bytes, int, int, int]
"""Its bytes, how often it is, and its tokens under A and under B."""


@dataclass(frozen=True, eq=False)
class TableCounts:
    """What one table makes of it.

    Attributes
    ----------
    file_tokens : int64, one a file
    final : int64, by dense token
        How often the encoded corpus holds it.
    script_tokens : int64, one a script of `scripts.script_table`
    whole_words, word_tokens : int
    number_cuts : int64
        As `kernels.chunks.Sums`.
    at_sizes : int64 (merges + 1,), or None
        Tokens under the first 0, 1, … merges; None where they are not known.
    """

    file_tokens: NDArray[np.int64]
    final: NDArray[np.int64]
    script_tokens: NDArray[np.int64]
    whole_words: int
    word_tokens: int
    number_cuts: NDArray[np.int64]
    at_sizes: NDArray[np.int64] | None


@dataclass(frozen=True, eq=False)
class CutCounts:
    """Exact counts; `files` arrays are int64, one a file of the corpus.

    Attributes
    ----------
    tables : tuple of TableCounts
    file_characters, file_bytes, file_documents : int64 arrays
    script_characters : int64, one a script
    words : int
    spans : int64, shape (4,)
        As `kernels.chunks.Sums`.
    dearer_a, dearer_b : tuple of Stretch
        What takes most tokens more under the first table than under the second, and the other
        way round.
    """

    tables: tuple[TableCounts, ...]
    file_characters: NDArray[np.int64]
    file_bytes: NDArray[np.int64]
    file_documents: NDArray[np.int64]
    script_characters: NDArray[np.int64]
    words: int
    spans: NDArray[np.int64]
    dearer_a: tuple[Stretch, ...]
    dearer_b: tuple[Stretch, ...]

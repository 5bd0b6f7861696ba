"""Files that say the same in several languages: what each language costs under each table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.corpus_comparison import CorpusComparison

__all__ = ["Parallel", "parallel_of"]


@dataclass(frozen=True, eq=False)
class Parallel:
    """Parallel files, the reference first.

    Attributes
    ----------
    files : tuple of str
        Their labels.
    characters : int64 array, shape (files,)
    tokens : int64 array, shape (tables, files)
    lines : tuple of int
        How many lines each has, where that is known; empty otherwise.
    """

    files: tuple[str, ...]
    characters: NDArray[np.int64]
    tokens: NDArray[np.int64]
    lines: tuple[int, ...] = ()

    @property
    def ratios(self) -> NDArray[np.float64]:
        """float64 (tables, files): tokens over those of the reference; NaN where it has none."""
        ratios = np.full(self.tokens.shape, np.nan)
        base = self.tokens[:, :1]
        np.divide(self.tokens, base, out=ratios, where=base > 0)
        return ratios

    @property
    def same_lines(self) -> bool:
        """False where the files differ in lines, so that they may not say the same."""
        return len(set(self.lines)) <= 1


def parallel_of(corpus: CorpusComparison, labels: Sequence[str]) -> Parallel | None:
    """The files of a corpus with these labels, the reference first.

    None where the corpus lacks the reference, or every other one.
    """
    places = {label: place for place, label in enumerate(corpus.files)}
    there = [label for label in labels if label in places]
    if len(there) < 2 or there[0] != labels[0]:
        return None
    chosen = [places[label] for label in there]
    return Parallel(
        tuple(there),
        corpus.file_characters[chosen],
        np.array([table.file_tokens[chosen] for table in corpus.tables]),
    )

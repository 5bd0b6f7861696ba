"""Files that say the same in several languages: what each language costs under each table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.corpus_comparison import CorpusComparison

__all__ = ["Parallel", "parallel_of", "parallel_places"]


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


def parallel_of(
    corpus: CorpusComparison, places: Sequence[int], lines: Sequence[int] = ()
) -> Parallel:
    """Some files of a corpus, the reference first.

    Parameters
    ----------
    places : at least two indices into ``corpus.files``
    lines : of each of them
    """
    chosen = list(places)
    return Parallel(
        tuple(corpus.files[place] for place in chosen),
        corpus.file_characters[chosen],
        np.array([table.file_tokens[chosen] for table in corpus.tables]),
        tuple(lines),
    )


def parallel_places(corpus: CorpusComparison, labels: Sequence[str]) -> tuple[int, ...]:
    """Where the files with these labels are; empty where one is missing or there twice."""
    places = [place for place, label in enumerate(corpus.files) if label in labels]
    by_label = {corpus.files[place]: place for place in places}
    if len(places) != len(labels) or len(by_label) != len(labels):
        return ()
    return tuple(by_label[label] for label in labels)

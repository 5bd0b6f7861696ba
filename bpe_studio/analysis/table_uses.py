"""How often a corpus uses every token of two tables that are compared."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.corpus_comparison import CorpusComparison, TableFigures
from bpe_studio.analysis.table_comparison import NONE, TableColumns, TableComparison

__all__ = ["uses_by_row"]


def uses_by_row(
    comparison: TableComparison, corpus: CorpusComparison
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """F1 of every row under A and under B, the first two tables of the corpus.

    Tokens with the same bytes count together.

    Returns
    -------
    two int64 arrays, shape (rows,)
        -1 where the table lacks the token.
    """
    a, b = corpus.tables[:2]
    return _uses(comparison.a, a), _uses(comparison.b, b)


def _uses(side: TableColumns, figures: TableFigures) -> NDArray[np.int64]:
    uses = np.where(side.id == NONE, NONE, 0)
    if len(figures.ids):
        places = np.searchsorted(figures.ids, side.token_ids).clip(max=len(figures.ids) - 1)
        known = np.flatnonzero(figures.ids[places] == side.token_ids)
        np.add.at(uses, side.token_rows[known], figures.final[places[known]])
    return uses

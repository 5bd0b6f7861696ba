"""Which merge makes a token first."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.table import MergeTable

__all__ = ["first_makers", "lowest_ranks"]

_NONE: Final = -1


def first_makers(table: MergeTable) -> NDArray[np.int64]:
    """int64, by place among ``table.ids``: the first row of its merges that makes it, or -1."""
    rows = np.full(len(table), _NONE, dtype=np.int64)
    made = table.dense_merges[::-1, 2]
    rows[made] = np.arange(len(made) - 1, -1, -1)  # of several writes the last one stays
    return rows


def lowest_ranks(table: MergeTable) -> NDArray[np.int64]:
    """int64, by place among ``table.ids``: the lowest rank that makes a token, -1 for none."""
    rows = first_makers(table)
    ranks = np.full(len(table), _NONE, dtype=np.int64)
    made = np.flatnonzero(rows != _NONE)
    ranks[made] = table.ranks_at(rows[made])
    return ranks

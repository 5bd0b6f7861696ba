"""Ranks of numbers: Spearman's correlation, and the share of values that are at most as large."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["correlation", "ranks", "shares", "spearman"]

Array = NDArray[np.float64]


def ranks(values: Array) -> Array:
    """The place of each value from 1, the lowest first; equal values share the mean of theirs.

    >>> ranks(np.array([3.0, 1.0, 3.0])).tolist()
    [2.5, 1.0, 2.5]
    """
    _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    middle: Array = (ends - (counts - 1) / 2)[which]
    return middle


def spearman(first: Array, second: Array) -> float:
    """Correlation of the ranks, from -1 to 1; NaN where one has a single value only."""
    return correlation(ranks(first), ranks(second))


def correlation(first: Array, second: Array) -> float:
    """As `spearman`, of what are ranks already."""
    a, b = (values - (len(values) + 1) / 2 for values in (first, second))
    length = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / length if length else float("nan")


def shares(values: Array) -> Array:
    """The share of the values that are at most as large, from 0 to 1.

    >>> shares(np.array([3.0, 1.0, 3.0, 5.0])).tolist()
    [0.75, 0.25, 0.75, 1.0]
    """
    in_order = np.sort(values)
    return np.searchsorted(in_order, values, side="right") / max(len(values), 1)

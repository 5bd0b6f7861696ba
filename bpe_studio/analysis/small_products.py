"""Products of many rows and a few vectors, in pieces that one processor computes.

Libraries for linear algebra share a product among all processors once it is large, and for so few
vectors the sharing costs more than the work: ten times as much while other programs run.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["times", "transposed_times"]

Array = NDArray[Any]

_LEAST_SHARED: Final = 1 << 18  # multiplications


def times(rows: Array, vectors: Array) -> Array:
    """``rows @ vectors``: (r, d) and (d, p) -> (r, p)"""
    made = np.empty((len(rows), vectors.shape[1]), rows.dtype)
    pieces, step = _pieces(rows, vectors.shape[1])
    whole = pieces * step
    into = made[:whole].reshape(pieces, step, vectors.shape[1])
    np.matmul(rows[:whole].reshape(pieces, step, rows.shape[1]), vectors, out=into)
    np.matmul(rows[whole:], vectors, out=made[whole:])
    return made


def transposed_times(rows: Array, products: Array) -> Array:
    """``products.T @ rows``: (r, d) and (r, p) -> (p, d)"""
    pieces, step = _pieces(rows, products.shape[1])
    whole = pieces * step
    turned = products[:whole].reshape(pieces, step, products.shape[1]).transpose(0, 2, 1)
    made: Array = products[whole:].T @ rows[whole:]
    made += np.matmul(turned, rows[:whole].reshape(pieces, step, rows.shape[1])).sum(axis=0)
    return made


def _pieces(rows: Array, width: int) -> tuple[int, int]:
    """How many whole pieces the rows make, and how many rows a piece has."""
    step = max(1, _LEAST_SHARED // (rows.shape[1] * width))
    return len(rows) // step, step

"""Fewer points of a curve that draw the same line."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

MOST_POINTS = 4_000


def thinned(sizes: NDArray[np.int64], most: int = MOST_POINTS) -> NDArray[np.int64]:
    """Places of `most` points that are close on an axis, be it linear or logarithmic."""
    count = len(sizes)
    if count <= most:
        return np.arange(count)
    even = np.linspace(0, count - 1, most // 2)
    first = int(sizes[0])
    close = np.geomspace(first, first + count - 1, most // 2) - first
    return np.unique(np.clip(np.rint(np.concatenate([even, close])), 0, count - 1).astype(int))

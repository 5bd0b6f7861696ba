"""Vocabulary sizes laid out along a line, evenly or by their logarithms."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

NEAR = 3.0  # pixels beyond an end that still mean it


@dataclass(frozen=True, slots=True, eq=False)
class SizeScale:
    """From the first size at `left` to the last, `width` further."""

    sizes: NDArray[np.int64]
    left: float
    width: float
    log: bool

    def places(self, sizes: NDArray[np.int64]) -> NDArray[np.float64]:
        """Where sizes are."""
        values, ends = sizes.astype(np.float64), self.sizes[[0, -1]].astype(np.float64)
        if self.log:
            values, ends = np.log10(np.maximum(values, 1)), np.log10(np.maximum(ends, 1))
        share = (values - ends[0]) / max(ends[1] - ends[0], 1e-9)
        return np.asarray(self.left + share * self.width)

    def place(self, size: int) -> float:
        """Where a size is."""
        return float(self.places(np.array([size]))[0])

    def nearest(self, place: float) -> int:
        """The number of the size that is nearest to a place; -1 beyond the ends."""
        if not len(self.sizes) or not self.left - NEAR <= place <= self.left + self.width + NEAR:
            return -1
        places = self.places(self.sizes)
        after = int(np.searchsorted(places, place))
        near = [number for number in (after - 1, after) if 0 <= number < len(places)]
        return min(near, key=lambda number: abs(float(places[number]) - place))

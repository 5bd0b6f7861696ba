"""Two curves over vocabulary size as one thing to walk along."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.compression import Curve
from bpe_studio.gui.models.thinning import thinned


@dataclass(frozen=True, slots=True, eq=False)
class PairedCurve:
    """One curve with as few points as draw the same line.

    Attributes
    ----------
    sizes : float64 array, shape (n,)
        Vocabulary sizes, ascending and distinct.
    values : float64 array, shape (n,)
        Characters per token.
    """

    sizes: NDArray[np.float64]
    values: NDArray[np.float64]

    def at(self, size: float) -> float:
        """Characters per token of the largest size up to this one; NaN outside the curve."""
        if not len(self.sizes) or not self.sizes[0] <= size <= self.sizes[-1]:
            return float("nan")
        return float(self.values[np.searchsorted(self.sizes, size, side="right") - 1])


@dataclass(frozen=True, slots=True, eq=False)
class CurvePair:
    """The curves of A and B; one that is not known is None.

    Attributes
    ----------
    sizes : float64 array
        Every size that one of them has a point at.
    """

    curves: tuple[PairedCurve | None, PairedCurve | None]
    sizes: NDArray[np.float64]

    def nearest(self, size: float) -> int:
        """The place in `sizes` nearest to a size, as a ratio; -1 without any."""
        if not len(self.sizes):
            return -1
        return int(np.argmin(np.abs(np.log(self.sizes) - np.log(max(size, 1.0)))))

    def values_at(self, size: float) -> tuple[float, float]:
        """Characters per token of both at a size; NaN where it is not known."""
        a, b = (float("nan") if curve is None else curve.at(size) for curve in self.curves)
        return a, b


def curve_pair(a: Curve | None, b: Curve | None) -> CurvePair:
    """Two curves, thinned."""
    curves = (_paired(a), _paired(b))
    known = [curve.sizes for curve in curves if curve is not None]
    return CurvePair(curves, np.unique(np.concatenate(known)) if known else np.empty(0))


def _paired(curve: Curve | None) -> PairedCurve | None:
    if curve is None or not len(curve):
        return None
    sizes = curve.vocab_sizes
    last = np.append(np.diff(sizes) > 0, True)  # of several merges of one size the last one counts
    sizes, values = sizes[last], curve.characters_per_token[last]
    at = thinned(sizes)
    return PairedCurve(sizes[at].astype(np.float64), values[at])

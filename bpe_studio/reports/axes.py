"""The axes of a plot: where values lie, which numbers stand at it, and one point for many."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["AT_ZERO", "Axis", "thinned", "tick_words"]

Values = NDArray[np.float64]

AT_ZERO: Final = -1.0
"""Stands for the place of 0 beside a scale of logarithms."""
_LEAST_SPAN: Final = 1e-300  # less has no room for a part of it


@dataclass(frozen=True, slots=True)
class Axis:
    """A range of values with its title; `log` for one of logarithms, which begins above 0."""

    title: str
    low: float
    high: float
    log: bool = False

    def shares(self, values: Values) -> Values:
        """Where values lie, from 0 to 1; `AT_ZERO` for what has no logarithm."""
        if not self.log:
            span = self.high - self.low
            return (values - self.low) / span if span > 0 else np.full(len(values), 0.5)
        low, high = math.log10(self.low), math.log10(self.high)
        there = values > 0
        found = np.full(len(values), AT_ZERO)
        found[there] = np.clip((np.log10(values[there]) - low) / (high - low), 0, 1)
        return found

    def ticks(self) -> list[float]:
        """Powers of ten, or about five round numbers."""
        if self.log:
            first = math.ceil(math.log10(self.low))
            last = math.floor(math.log10(self.high) + 1e-9)
            return [10.0**power for power in range(first, last + 1)]
        span = self.high - self.low
        if not span > _LEAST_SPAN:
            return [self.low]
        step = 10.0 ** math.floor(math.log10(span / 4))
        step *= next(factor for factor in (1, 2, 5, 10) if span / (step * factor) <= 6)
        first = math.ceil(self.low / step)
        return [number * step for number in range(first, math.floor(self.high / step) + 1)]


def tick_words(value: float) -> str:
    """``1,000``, ``0.25``"""
    return f"{value:,.0f}" if value == round(value) else f"{value:.3g}"


def thinned(
    x: Values, y: Values, most: int, *, wide: int, high: int, cell: float
) -> NDArray[np.int64]:
    """Which points to draw: of those that would lie on one another any one, always the same.

    Parameters
    ----------
    x, y : float64 arrays, shape (n,)
        Shares of the axes.
    most : int
        How many at most.
    wide, high : int
        The plot in pixels.
    cell : float
        How many pixels a point takes for itself, at least.

    Returns
    -------
    int64 array, ascending
    """
    while True:
        columns = np.floor(x * wide / cell).astype(np.int64)
        rows = np.floor(y * high / cell).astype(np.int64)
        # Mixed, because the first of each would stand in lines that nobody has in the data.
        mixed = np.random.default_rng(len(x)).permutation(len(x))
        _, first = np.unique((columns * 100_000 + rows)[mixed], return_index=True)
        if len(first) <= most:
            return np.sort(mixed[first])
        cell *= 1.25

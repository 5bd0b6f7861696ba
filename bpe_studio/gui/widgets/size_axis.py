"""The axis of vocabulary sizes: numbers written out, and never one over another."""

from __future__ import annotations

import math

import pyqtgraph as pg
from PySide6.QtGui import QFontMetricsF

from bpe_studio.gui import theme
from bpe_studio.gui.widgets.words import number

STEPS = ((1, 2, 3, 4, 5, 6, 7, 8, 9), (1, 2, 3, 5, 7), (1, 2, 5), (1, 3), (1,))
"""Digits with which numbers on a logarithmic axis begin; the most that fit are taken."""
ROOM = 10.0  # between two numbers


class SizeAxis(pg.AxisItem):
    """An axis whose numbers have group separators, in both scales."""

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [number(round(10**value if self.logMode else value)) for value in values]

    def tickValues(
        self, minVal: float, maxVal: float, size: float
    ) -> list[tuple[float, list[float]]]:
        if not self.logMode:
            return super().tickValues(minVal, maxVal, size)
        return [(1.0, log_ticks(minVal, maxVal, size))]


def log_ticks(low: float, high: float, width: float) -> list[float]:
    """Logarithms of round numbers between two logarithms whose words fit in a width.

    >>> [round(10**tick) for tick in log_ticks(2.0, 4.0, 120.0)]
    [100, 1000, 10000]
    """
    found: list[float] = []
    for digits in STEPS:
        found = [
            power + math.log10(digit)
            for power in range(math.floor(low), math.ceil(high) + 1)
            for digit in digits
            if low <= power + math.log10(digit) <= high
        ]
        if _fits(found, width / (high - low) if high > low else 0.0):
            break
    return found


def _fits(ticks: list[float], scale: float) -> bool:
    metrics = QFontMetricsF(theme.small_font())
    end = -math.inf
    for tick in ticks:
        half = metrics.horizontalAdvance(number(round(10**tick))) / 2
        if tick * scale - half < end + ROOM:
            return False
        end = tick * scale + half
    return True

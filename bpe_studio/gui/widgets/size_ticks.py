"""Round vocabulary sizes to write beside an axis, so that no number is over another."""

from __future__ import annotations

import math

from PySide6.QtGui import QFontMetricsF

from bpe_studio.gui import theme
from bpe_studio.gui.widgets.words import number

STEPS = ((1, 2, 3, 4, 5, 6, 7, 8, 9), (1, 2, 3, 5, 7), (1, 2, 5), (1, 3), (1,))
"""Digits with which numbers on a logarithmic axis begin; the most that fit are taken."""
ROOM = 10.0  # between two numbers
NEAREST = 24.0  # as many pixels more, at least, from one number of a linear axis to the next


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


def linear_ticks(low: float, high: float, width: float) -> list[float]:
    """Round numbers between two whose words fit in a width.

    >>> linear_ticks(262.0, 8000.0, 300.0)
    [2000.0, 4000.0, 6000.0, 8000.0]
    """
    widest = QFontMetricsF(theme.small_font()).horizontalAdvance(number(high)) + NEAREST
    if high <= low or width < widest:
        return []
    least = (high - low) * widest / width
    power = 10.0 ** math.floor(math.log10(least))
    step = next(power * digit for digit in (1, 2, 5, 10) if power * digit >= least)
    first = math.ceil(low / step)
    return [step * count for count in range(first, math.floor(high / step) + 1)]


def _fits(ticks: list[float], scale: float) -> bool:
    metrics = QFontMetricsF(theme.small_font())
    end = -math.inf
    for tick in ticks:
        half = metrics.horizontalAdvance(number(round(10**tick))) / 2
        if tick * scale - half < end + ROOM:
            return False
        end = tick * scale + half
    return True

"""Axes of logarithms that write plain numbers, and no more of them than there is room for."""

from __future__ import annotations

import math

import pyqtgraph as pg

from bpe_studio.gui.widgets.words import number

NOTHING = -0.3  # log10 of about 0.5: where 0 stands
SHORT = 10_000
FEW = 2  # fewer ticks than these tell nothing
ROOM = 46  # pixels from one number to the next
CLOSE = 36  # the same for whole numbers, which are short


def power_words(value: float) -> str:
    """What stands at log10 of a number.

    >>> power_words(2.0), power_words(5.0), power_words(NOTHING), power_words(6.0)
    ('100', '100k', '0', '1M')
    """
    if value < 0:
        return "0"
    count = round(10**value)
    for unit, letter in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if count >= unit and count >= SHORT:
            return f"{count // unit}{letter}"
    return number(count)


class PowerAxis(pg.AxisItem):
    """Ticks at 1, 10, 100 …; with `nothing`, one for 0 below them.

    With `one_more`, a number n stands at log10(n + 1), so that 0 has a place too.
    """

    def __init__(self, side: str, *, nothing: bool = False, one_more: bool = False) -> None:
        super().__init__(side)
        self._nothing, self._one_more = nothing, one_more
        self.enableAutoSIPrefix(False)

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        decade = size / max(high - low, 1e-9)  # pixels
        every = max(1, math.ceil(CLOSE / decade))
        if self._one_more:
            first = 0 if decade * math.log10(2) >= CLOSE / 3 else every
            exponents = range(first, max(0, int(high)) + 1, every)
            powers = [math.log10(10**power + 1) for power in exponents]
            return [(1.0, [value for value in (0.0, *powers) if low <= value <= high])]
        exponents = range(max(0, int(low)), int(high) + 1)
        values = [float(power) for power in exponents if power >= low and power % every == 0]
        if self._nothing and low <= NOTHING <= high:
            values.insert(0, NOTHING)
        return [(1.0, values)]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        if self._one_more:
            values = [math.log10(max(1, round(10**value) - 1)) if value else -1 for value in values]
        return [power_words(value) for value in values]


class ValueAxis(pg.AxisItem):
    """An axis of values that may be logarithms: 0.01, 0.1, 1, and 2 and 5 between where they fit.

    Where a power is far away, the numbers are those of a plain axis.
    """

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        if not self.logMode or high - low > 300:
            return super().tickValues(low, high, size)
        decade = size / max(high - low, 1e-9)  # pixels
        digits = (1, 2, 5) if decade * math.log10(2) >= ROOM else (1,)
        powers = range(math.floor(low), math.ceil(high) + 1)
        every = max(1, math.ceil(ROOM / decade))
        found = [p + math.log10(d) for p in powers if p % every == 0 for d in digits]
        shown = [value for value in found if low <= value <= high]
        if len(shown) <= FEW and high - low < 1:
            self.logMode = False
            plain = super().tickValues(10**low, 10**high, size)
            self.logMode = True
            shown = [math.log10(value) for value in plain[0][1] if value > 0]
        return [(1.0, shown)]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        if not self.logMode:
            return super().tickStrings(values, scale, spacing)
        return [f"{10**value:.4g}" for value in values]

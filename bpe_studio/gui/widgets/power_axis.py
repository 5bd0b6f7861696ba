"""An axis of logarithms that writes whole numbers at powers of ten."""

from __future__ import annotations

import pyqtgraph as pg

from bpe_studio.gui.widgets.words import number

NOTHING = -0.3  # log10 of about 0.5: where 0 stands
SHORT = 10_000


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
    """Ticks at 1, 10, 100 …; with `nothing`, one for 0 below them."""

    def __init__(self, side: str, *, nothing: bool = False) -> None:
        super().__init__(side)
        self._nothing = nothing
        self.enableAutoSIPrefix(False)

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        values = [float(power) for power in range(max(0, int(low)), int(high) + 1) if power >= low]
        if self._nothing and low <= NOTHING <= high:
            values.insert(0, NOTHING)
        return [(1.0, values)]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [power_words(value) for value in values]

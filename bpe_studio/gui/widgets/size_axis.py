"""The axis of vocabulary sizes: numbers written out, and never one over another."""

from __future__ import annotations

import pyqtgraph as pg

from bpe_studio.gui.widgets.size_ticks import log_ticks
from bpe_studio.gui.widgets.words import number


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

"""How much of the first k tokens is the same in both tables, for every k."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent

from bpe_studio.gui import theme
from bpe_studio.gui.widgets.plot_axes import dress_axes, set_up_axes
from bpe_studio.gui.widgets.power_axis import PowerAxis

if TYPE_CHECKING:
    from bpe_studio.analysis.compare import OverlapCurve

DRAWN = 2_000  # points of the line; the cursor reads all of them
LEAST_WITH_LABEL = 130  # pixels
STEPS = 60  # of the arrow keys, from one side to the other
STEP_KEYS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
DOT = 7


class OverlapPlot(pg.PlotWidget):
    """A line over k on an axis of logarithms, and a cursor that reads it.

    Signals
    -------
    pointed(int)
        The cursor stands at this k, 0 for nowhere.
    """

    pointed = Signal(int)

    def __init__(self) -> None:
        super().__init__(axisItems={"bottom": PowerAxis("bottom")})
        self._curve: OverlapCurve | None = None
        self._at = 0
        plot = self.getPlotItem()
        set_up_axes(plot)
        plot.setMouseEnabled(x=False, y=False)
        plot.setLabel("bottom", "first k tokens of both (log)")
        plot.setLabel("left", "shared (%)")
        self._line = pg.PlotDataItem()
        self._hair = pg.InfiniteLine(angle=90, movable=False)
        self._dot = pg.ScatterPlotItem(size=DOT, pen=None)
        for item in (self._hair, self._line, self._dot):
            plot.addItem(item, ignoreBounds=True)
        self.setYRange(0, 100, padding=0.04)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Tokens that the first merges of both share")
        self.setAccessibleDescription("Left and Right move the cursor.")
        self.setMinimumSize(160, 72)
        self._labelled = True
        self.scene().sigMouseMoved.connect(self._on_moved)
        self.dress()

    def show_curve(self, curve: OverlapCurve | None) -> None:
        """Draw the curve of two tables."""
        self._curve = curve if curve is not None and len(curve) else None
        if self._curve is None:
            self._line.setData([], [])
        else:
            places = drawn_places(len(self._curve))
            self._line.setData(np.log10(self._curve.k[places]), 100 * self._curve.overlap[places])
        last = len(self._curve) if self._curve is not None else 10
        self.setXRange(0, max(math.log10(last), 0.3), padding=0.03)
        self.point(0)

    @property
    def at(self) -> int:
        """The k at which the cursor stands, 0 for nowhere."""
        return self._at

    def point(self, k: int) -> None:
        """Put the cursor at a k; 0 takes it away."""
        self._at = k
        shown = k > 0 and self._curve is not None
        self._hair.setVisible(shown)
        self._dot.setVisible(shown)
        if shown:
            self._hair.setPos(math.log10(k))
            self._dot.setData([math.log10(k)], [100 * float(self._curve.overlap[k - 1])])
        self.pointed.emit(k)

    def dress(self) -> None:
        """Take the colours of the theme."""
        colours = theme.colours(self)
        self.setBackground(colours.base)
        dress_axes(self.getPlotItem(), colours, widest="1,000")
        self._line.setPen(pg.mkPen(colours.accent))
        self._hair.setPen(pg.mkPen(colours.strong))
        self._dot.setBrush(pg.mkBrush(colours.accent))

    def _k_at(self, log: float) -> int:
        count = len(self._curve) if self._curve is not None else 0
        return min(max(1, round(10 ** min(log, 12.0))), count)

    def _on_moved(self, scene: QPointF) -> None:
        box = self.getPlotItem().getViewBox()
        if self._curve is not None and box.sceneBoundingRect().contains(scene):
            self.point(self._k_at(box.mapSceneToView(scene).x()))

    # Qt's questions

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = STEP_KEYS.get(event.key(), 0)
        if not step or self._curve is None:
            super().keyPressEvent(event)
            return
        end = math.log10(len(self._curve))
        here = math.log10(self._at) if self._at else end + (end / STEPS if step < 0 else 0)
        wanted = self._k_at(here + step * end / STEPS)
        if wanted == self._at:  # between 1 and 2 there is nothing
            wanted = min(max(1, self._at + step), len(self._curve))
        self.point(wanted)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.point(0)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.point(0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a low window the line under the numbers of the axis is left out."""
        super().resizeEvent(event)
        if hasattr(self, "_labelled"):
            self._labelled = self.height() >= LEAST_WITH_LABEL
            self.getPlotItem().getAxis("bottom").showLabel(self._labelled)

    def sizeHint(self) -> QSize:
        return QSize(320, 180)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_dot"):
            self.dress()


def drawn_places(count: int) -> np.ndarray:
    """Places among `count` that stand evenly on an axis of logarithms, the first and last too.

    >>> drawn_places(3).tolist(), len(drawn_places(100_000)) <= DRAWN
    ([0, 1, 2], True)
    """
    if count <= DRAWN:
        return np.arange(count)
    return np.unique(np.geomspace(1, count, DRAWN).astype(np.int64)) - 1

"""The compression curves of two tables over vocabulary size, with a cross-hair."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent

from bpe_studio.gui import theme
from bpe_studio.gui.models.curve_pair import CurvePair, PairedCurve
from bpe_studio.gui.widgets.plot_axes import dress_axes, set_up_axes
from bpe_studio.gui.widgets.side_key import SIDES
from bpe_studio.gui.widgets.size_axis import SizeAxis
from bpe_studio.gui.widgets.size_keys import next_point


class PairPlot(pg.PlotWidget):
    """Characters per token of A and of B; a thin line marks their equal size.

    Signals
    -------
    pointed(float)
        The vocabulary size under the cross-hair; NaN when it is hidden.
    """

    pointed = Signal(float)

    def __init__(self) -> None:
        super().__init__(axisItems={"bottom": SizeAxis("bottom")})
        self._pair: CurvePair | None = None
        self._points: tuple[tuple[int, float, float], ...] = ()
        self._point = -1
        plot = self.getPlotItem()
        set_up_axes(plot)
        plot.setLogMode(x=True, y=False)
        plot.setLabel("bottom", "vocabulary size (tokens, log)")
        plot.setLabel("left", "characters per token")
        self.lines = [pg.PlotDataItem() for _ in SIDES]
        self._hair = pg.InfiniteLine(angle=90, movable=False)
        self._mark = pg.InfiniteLine(angle=90, movable=False)
        self._dots = pg.ScatterPlotItem(size=7, pen=None)
        self._whole = pg.ScatterPlotItem(size=6, pen=None)
        for line in (*self.lines, self._whole):
            plot.addItem(line)
        for item in (self._mark, self._hair, self._dots):
            item.setVisible(False)
            plot.addItem(item, ignoreBounds=True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Characters per token over vocabulary size")
        self.scene().sigMouseMoved.connect(self._on_mouse_moved)
        self.scene().sigMouseClicked.connect(self._on_mouse_clicked)
        self.dress()

    def set_pair(
        self,
        pair: CurvePair | None,
        equal: int | None = None,
        points: Sequence[tuple[int, float, float]] = (),
    ) -> None:
        """Draw two curves, and dots for what is known besides.

        Parameters
        ----------
        equal : the size of the smaller table
        points : 0 for A or 1 for B, a size and the characters per token there
        """
        self._pair, self._points = pair, tuple(points)
        curves: tuple[PairedCurve | None, ...] = pair.curves if pair is not None else (None, None)
        for line, curve in zip(self.lines, curves, strict=True):
            if curve is None:
                line.setData([], [])
            else:
                line.setData(curve.sizes, curve.values)
        self._mark.setVisible(equal is not None)
        if equal is not None:
            self._mark.setPos(math.log10(max(equal, 1)))
        self._draw_points()
        self.point_to(-1)
        self.getPlotItem().enableAutoRange()

    def _draw_points(self) -> None:
        colours = theme.colours(self)
        known = [(side, size, value) for side, size, value in self._points if value == value]
        self._whole.setData(
            [math.log10(max(size, 1.0)) for _, size, _ in known],
            [value for _, _, value in known],
            brush=[pg.mkBrush(SIDES[side].ink(colours)) for side, _, _ in known],
        )

    def point_to(self, point: int) -> None:
        """Put the cross-hair on a point of the two curves; -1 hides it."""
        pair = self._pair
        sizes = pair.sizes if pair is not None else []
        self._point = point if 0 <= point < len(sizes) else -1
        shown = self._point >= 0
        self._hair.setVisible(shown)
        self._dots.setVisible(shown)
        if not shown or pair is None:
            self.pointed.emit(float("nan"))
            return
        size, colours = float(sizes[self._point]), theme.colours(self)
        x = math.log10(size)
        self._hair.setPos(x)
        found = [
            (value, pg.mkBrush(line.ink(colours)))
            for value, line in zip(pair.values_at(size), SIDES, strict=True)
            if value == value
        ]
        self._dots.setData(
            [x] * len(found), [value for value, _ in found], brush=[ink for _, ink in found]
        )
        self.pointed.emit(size)

    def dress(self) -> None:
        """Take the colours of the theme."""
        colours = theme.colours(self)
        self.setBackground(colours.base)
        for line, look in zip(self.lines, SIDES, strict=True):
            line.setPen(look.pen(colours))
        self._draw_points()
        self._mark.setPen(pg.mkPen(colours.strong, width=1))
        self._hair.setPen(pg.mkPen(colours.muted, width=1, style=Qt.PenStyle.DotLine))
        dress_axes(self.getPlotItem(), colours)

    def _on_mouse_moved(self, scene: QPointF) -> None:
        box = self.getPlotItem().getViewBox()
        if self._pair is None or not box.sceneBoundingRect().contains(scene):
            point = -1
        else:
            point = self._pair.nearest(10 ** box.mapSceneToView(scene).x())
        if point != self._point:
            self.point_to(point)

    def _on_mouse_clicked(self, event: object) -> None:
        if event.double():
            self.getPlotItem().enableAutoRange()

    # Qt's questions

    def sizeHint(self) -> QSize:
        return QSize(320, 200)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.point_to(-1)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_dots"):
            self.dress()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        count = len(self._pair.sizes) if self._pair is not None else 0
        point = next_point(event, self._point, count)
        if point is not None:
            self.point_to(point)
        else:
            super().keyPressEvent(event)

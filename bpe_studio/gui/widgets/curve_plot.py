"""The plot of compression curves: two lines and a cross-hair."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QPainter
from PySide6.QtWidgets import QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.models.curve_data import LiveCurve, OtherCurve
from bpe_studio.gui.widgets.curve_key import KeyEntry, dashed, draw_key
from bpe_studio.gui.widgets.size_axis import SizeAxis

STEP = 0.01
MOST_POINTS = 4_000


class CurvePlot(pg.PlotWidget):
    """Characters and bytes per token against vocabulary size.

    Signals
    -------
    pointed(int)
        The cross-hair is at this point of the curve, -1 when it is hidden.
    pointChosen(int)
        A point was clicked, or Enter was pressed on it.
    """

    pointed = Signal(int)
    pointChosen = Signal(int)

    def __init__(
        self, parent: QWidget | None = None, *, line_width: float = 1.0, ratio: float = 1.0
    ) -> None:
        super().__init__(parent, axisItems={"bottom": SizeAxis("bottom")})
        self._line_width, self._ratio = line_width, ratio
        self._curve: LiveCurve | None = None
        self._others: list[pg.PlotDataItem] = []
        self._key: list[KeyEntry] = []
        self._other_curves: tuple[OtherCurve, ...] = ()
        self._log = False
        self._point = -1
        self._make_items()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Compression curve")
        self.scene().sigMouseMoved.connect(self._on_mouse_moved)
        self.scene().sigMouseClicked.connect(self._on_mouse_clicked)
        self.dress()

    def _make_items(self) -> None:
        plot = self.getPlotItem()
        plot.setMenuEnabled(False)
        plot.hideButtons()
        plot.setMouseEnabled(x=True, y=False)
        plot.getViewBox().setDefaultPadding(0.02)
        plot.setLabel("bottom", "vocabulary size (tokens)")
        plot.setLabel("left", "per token")
        self.key_place = QRectF()
        for side in ("bottom", "left"):
            plot.getAxis(side).enableAutoSIPrefix(False)
            plot.getAxis(side).setStyle(maxTickLevel=0)
        self.characters = self._line("characters")
        self.bytes = self._line("bytes")
        self._hair = pg.InfiniteLine(angle=90, movable=False)
        self._dots = pg.ScatterPlotItem(size=7, pen=None)
        for item in (self._hair, self._dots):
            item.setVisible(False)
            plot.addItem(item, ignoreBounds=True)

    def _line(self, name: str) -> pg.PlotDataItem:
        """Order matters in pyqtgraph 0.14: add, then clip and downsample, then give data."""
        line = pg.PlotDataItem(name=name)
        self.getPlotItem().addItem(line)
        return line

    # What is drawn

    def set_curves(self, curve: LiveCurve | None, others: Sequence[OtherCurve] = ()) -> None:
        """Draw a curve, and others more lightly."""
        self._curve = curve
        self._draw_own()
        if tuple(others) != self._other_curves:
            self._other_curves = tuple(others)
            self._draw_others()

    def set_log(self, log: bool) -> None:
        """Draw vocabulary sizes on a logarithmic axis, or a linear one."""
        self._log = log
        self.getPlotItem().setLogMode(x=log, y=False)
        self._draw_own()
        self._draw_others()
        self._place_hair()
        self.reset_range()

    def reset_range(self) -> None:
        """Show all of the curve, and follow it as it grows."""
        self.getPlotItem().enableAutoRange()

    def _draw_own(self) -> None:
        if self._curve is None:
            self.characters.setData([], [])
            self.bytes.setData([], [])
            return
        at = self._thinned(self._curve)
        sizes = self._curve.sizes[at]
        self.characters.setData(sizes, self._curve.characters_per_token[at])
        self.bytes.setData(sizes, self._curve.bytes_per_token[at])

    def _thinned(self, curve: LiveCurve) -> np.ndarray:
        """Return points that draw the same line: close in what the axis shows."""
        count = len(curve)
        if count <= MOST_POINTS:
            return np.arange(count)
        even = np.linspace(0, count - 1, MOST_POINTS // 2)
        first = int(curve.sizes[0])
        close = np.geomspace(first, first + count - 1, MOST_POINTS // 2) - first
        return np.unique(np.clip(np.rint(np.concatenate([even, close])), 0, count - 1).astype(int))

    def _draw_others(self) -> None:
        plot = self.getPlotItem()
        for item in self._others:
            plot.removeItem(item)
        self._others, self._key = [], []
        colours = theme.colours(self)
        for pattern, other in enumerate(self._other_curves):
            at = self._thinned(other.curve)
            line = pg.PlotDataItem(
                pen=dashed(colours.muted, pattern, self._line_width, self._ratio)
            )
            plot.addItem(line)
            line.setData(other.curve.sizes[at], other.curve.characters_per_token[at])
            line.setZValue(1)  # above what is drawn through; its gaps show it
            self._others.append(line)
            self._key.append(KeyEntry(other.name, pattern))
        self.viewport().update()

    def set_title(self, name: str) -> None:
        """Write a name above the plot."""
        colour = theme.colours(self).text
        self.getPlotItem().setTitle(html.escape(name), color=colour, size="11pt")

    def settle(self) -> None:
        """Lay everything out now, not at the next event."""
        plot = self.getPlotItem()
        plot.getViewBox().updateAutoRange()
        plot.layout.activate()
        plot.getViewBox().updateAutoRange()

    def drawForeground(self, painter: QPainter, rect: QRectF) -> None:
        super().drawForeground(painter, rect)
        box = self.getPlotItem().getViewBox().sceneBoundingRect()
        colours = theme.colours(self)
        self.key_place = draw_key(
            painter, box, self._key, colours, width=self._line_width, ratio=self._ratio
        )

    def dress(self) -> None:
        """Take the colours of the theme."""
        colours = theme.colours(self)
        self.setBackground(colours.base)
        self.characters.setPen(pg.mkPen(colours.accent, width=self._line_width * self._ratio))
        self.bytes.setPen(dashed(colours.second, 0, self._line_width, self._ratio))
        self.bytes.setZValue(2)
        self._hair.setPen(pg.mkPen(colours.muted, width=1, style=Qt.PenStyle.DotLine))
        metrics = QFontMetricsF(theme.small_font())
        for side in ("bottom", "left"):
            axis = self.getPlotItem().getAxis(side)
            axis.setPen(pg.mkPen(colours.strong))
            axis.setTextPen(pg.mkPen(colours.muted))
            axis.setTickFont(theme.small_font())
            axis.setStyle(  # of one size, or every new number would lay all out again
                autoExpandTextSpace=False,
                tickTextWidth=round(metrics.horizontalAdvance("00.00")),
                tickTextHeight=round(metrics.height()),
            )
            axis.label.setFont(theme.small_font())
            axis.label.setDefaultTextColor(QColor(colours.muted))
        self.getPlotItem().showGrid(x=True, y=True, alpha=0.12)
        self._draw_others()

    # The cross-hair

    @property
    def point(self) -> int:
        """The point under the cross-hair, -1 for none."""
        return self._point

    def point_to(self, point: int) -> None:
        """Put the cross-hair on a point of the curve."""
        inside = self._curve is not None and 0 <= point < len(self._curve)
        self._point = point if inside else -1
        self._place_hair()
        self.pointed.emit(self._point)

    def _place_hair(self) -> None:
        shown = self._point >= 0 and self._curve is not None and self._point < len(self._curve)
        self._hair.setVisible(shown)
        self._dots.setVisible(shown)
        if not shown or self._curve is None:
            return
        colours = theme.colours(self)
        x = self._x(float(self._curve.sizes[self._point]))
        self._hair.setPos(x)
        values = (self._curve.characters_per_token, self._curve.bytes_per_token)
        heights = [float(value[self._point]) for value in values]
        brushes = [pg.mkBrush(colours.accent), pg.mkBrush(colours.second)]
        self._dots.setData([x, x], heights, brush=brushes)

    def _x(self, size: float) -> float:
        return math.log10(max(size, 1.0)) if self._log else size

    def _point_at(self, scene: QPointF) -> int:
        box = self.getPlotItem().getViewBox()
        if (
            self._curve is None
            or not len(self._curve)
            or not box.sceneBoundingRect().contains(scene)
        ):
            return -1
        x = box.mapSceneToView(scene).x()
        return self._curve.point_at_size(10**x if self._log else x)

    def _on_mouse_moved(self, scene: QPointF) -> None:
        point = self._point_at(scene)
        if point != self._point:
            self.point_to(point)

    def _on_mouse_clicked(self, event: object) -> None:
        if event.double():
            self.reset_range()
        elif event.button() == Qt.MouseButton.LeftButton:
            point = self._point_at(event.scenePos())
            if point >= 0:
                self.pointChosen.emit(point)

    # Qt's questions

    def sizeHint(self) -> QSize:
        return QSize(480, 200)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.point_to(-1)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_hair"):
            self.dress()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if self._curve is None or not len(self._curve):
            super().keyPressEvent(event)
        elif event.key() in steps:
            exact = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            stride = 1 if exact else max(1, int(len(self._curve) * STEP))
            last = len(self._curve) - 1
            at = last if self._point < 0 else self._point
            self.point_to(min(max(at + steps[event.key()] * stride, 0), last))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._point >= 0:
            self.pointChosen.emit(self._point)
        elif event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self.point_to(0 if event.key() == Qt.Key.Key_Home else len(self._curve) - 1)
        else:
            super().keyPressEvent(event)

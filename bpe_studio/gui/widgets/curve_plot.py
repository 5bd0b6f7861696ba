"""The plot of compression curves, with a cross-hair."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.models.curve_data import Curves, LiveCurve, OtherCurve
from bpe_studio.gui.models.thinning import thinned
from bpe_studio.gui.widgets.curve_key import CurveKey, KeyEntry, dashed
from bpe_studio.gui.widgets.curve_lines import LINES
from bpe_studio.gui.widgets.plot_axes import dress_axes, set_up_axes
from bpe_studio.gui.widgets.size_axis import SizeAxis
from bpe_studio.gui.widgets.size_keys import chosen_by, next_point

OLD = 0.4  # opacity of a curve of what is no longer there
LEAST_WITH_LABEL = 140


class CurvePlot(pg.PlotWidget):
    """Characters and bytes per token against vocabulary size: of a corpus, and what else is known.

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
        self._curves: Curves | None = None
        self._others: list[pg.PlotDataItem] = []
        self.key = CurveKey(line_width=line_width, ratio=ratio)  # for whoever places the plot
        self._other_curves: tuple[OtherCurve, ...] = ()
        self._log = False
        self._point = -1
        self._marked: int | None = None
        self._make_items()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Compression curve")
        self.scene().sigMouseMoved.connect(self._on_mouse_moved)
        self.scene().sigMouseClicked.connect(self._on_mouse_clicked)
        self.dress()

    def _make_items(self) -> None:
        plot = self.getPlotItem()
        set_up_axes(plot)
        plot.setLabel("bottom", "vocabulary size (tokens)")
        plot.setLabel("left", "per token")
        self.characters = self._line("characters")
        self.bytes = self._line("bytes")
        self.held, self.text = self._line("held out"), self._line("text")
        self._hair = pg.InfiniteLine(angle=90, movable=False)
        self._mark = pg.InfiniteLine(angle=90, movable=False)
        self._dots = pg.ScatterPlotItem(size=7, pen=None)
        for item in (self._mark, self._hair, self._dots):
            item.setVisible(False)
            plot.addItem(item, ignoreBounds=True)

    def _line(self, name: str) -> pg.PlotDataItem:
        """Order matters in pyqtgraph 0.14: add, then clip and downsample, then give data."""
        line = pg.PlotDataItem(name=name)
        self.getPlotItem().addItem(line)
        return line

    # What is drawn

    @property
    def _curve(self) -> LiveCurve | None:
        """The one that the cross-hair walks along."""
        return self._curves.own if self._curves is not None else None

    def set_curves(self, curves: Curves | None, others: Sequence[OtherCurve] = ()) -> None:
        """Draw the curves of a table, and those of others more lightly."""
        self._curves = curves
        self._dress_own()
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
        self._place_mark()
        self.reset_range()

    def reset_range(self) -> None:
        """Show all of the curve, and follow it as it grows."""
        self.getPlotItem().enableAutoRange()

    def set_mark(self, point: int | None) -> None:
        """Mark the size that a slider stands at by a thin line; None for none."""
        self._marked = point
        self._place_mark()

    def _place_mark(self) -> None:
        curve = self._curve
        shown = curve is not None and self._marked is not None and self._marked < len(curve)
        self._mark.setVisible(shown)
        if shown:
            self._mark.setPos(self._x(float(curve.sizes[self._marked])))

    def _draw_own(self) -> None:
        curves, own = self._curves, self._curve
        bytes_per_token = own.bytes_per_token if own is not None else None
        self._set(self.bytes, own, bytes_per_token)
        for line, curve in (
            (self.characters, own),
            (self.held, curves.held if curves is not None else None),
            (self.text, curves.text if curves is not None else None),
        ):
            self._set(line, curve, curve.characters_per_token if curve is not None else None)
        self._place_mark()

    def _set(
        self, line: pg.PlotDataItem, curve: LiveCurve | None, values: np.ndarray | None
    ) -> None:
        if curve is None or values is None:
            line.setData([], [])
            return
        at = thinned(curve.sizes)
        line.setData(curve.sizes[at], values[at])

    def _draw_others(self) -> None:
        plot = self.getPlotItem()
        for item in self._others:
            plot.removeItem(item)
        self._others, key = [], []
        colours = theme.colours(self)
        for pattern, other in enumerate(self._other_curves):
            at = thinned(other.curve.sizes)
            line = pg.PlotDataItem(
                pen=dashed(colours.muted, pattern, self._line_width, self._ratio)
            )
            plot.addItem(line)
            line.setData(other.curve.sizes[at], other.curve.characters_per_token[at])
            line.setZValue(1)  # above what is drawn through; its gaps show it
            self._others.append(line)
            key.append(KeyEntry(other.name, pattern))
        self.key.set_entries(key)

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

    def dress(self) -> None:
        """Take the colours of the theme."""
        colours = theme.colours(self)
        self.setBackground(colours.base)
        self._dress_own()
        for line in (self.bytes, self.held, self.text):
            line.setZValue(2)  # their gaps show what is below
        self._mark.setPen(pg.mkPen(colours.strong, width=1))
        self._hair.setPen(pg.mkPen(colours.muted, width=1, style=Qt.PenStyle.DotLine))
        dress_axes(self.getPlotItem(), colours)
        self._draw_others()

    def _dress_own(self) -> None:
        colours = theme.colours(self)
        own_is_text = self._curves is not None and self._curves.own_is_text
        for line, name in (
            (self.characters, "text" if own_is_text else "trained"),
            (self.bytes, "bytes"),
            (self.held, "held"),
            (self.text, "text"),
        ):
            line.setPen(LINES[name].pen(colours, self._line_width, self._ratio))
        old = self._curves is not None and self._curves.text_is_old
        self.text.setOpacity(OLD if old else 1.0)
        for line in (self.characters, self.bytes):
            line.setOpacity(OLD if old and own_is_text else 1.0)

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
        dots = self._dots_at(self._point)
        brushes = [pg.mkBrush(LINES[name].ink(colours)) for name, _ in dots]
        self._dots.setData([x] * len(dots), [height for _, height in dots], brush=brushes)

    def _dots_at(self, point: int) -> list[tuple[str, float]]:
        """The line and the height of every curve at a point."""
        curves = self._curves
        assert curves is not None
        own = "text" if curves.own_is_text else "trained"
        dots = [
            (name, float(curve.characters_per_token[point]))
            for name, curve in ((own, curves.own), ("held", curves.held), ("text", curves.text))
            if curve is not None and point < len(curve)
        ]
        return [*dots, ("bytes", float(curves.own.bytes_per_token[point]))]

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

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        plot = getattr(self, "plotItem", None)  # none while it is made, and when it is closed
        if plot is not None and hasattr(self, "_hair"):  # a low one needs the room for the lines
            plot.showLabel("bottom", self.height() >= LEAST_WITH_LABEL)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.point_to(-1)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_hair"):
            self.dress()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        count = len(self._curve) if self._curve is not None else 0
        point = next_point(event, self._point, count)
        if point is not None:
            self.point_to(point)
        elif chosen_by(event) and 0 <= self._point < count:
            self.pointChosen.emit(self._point)
        else:
            super().keyPressEvent(event)

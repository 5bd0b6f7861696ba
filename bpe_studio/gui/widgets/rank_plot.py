"""Rank against rank, both on axes of logarithms: a point for each token of both tables."""

from __future__ import annotations

import math

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QGraphicsRectItem

from bpe_studio.gui import theme
from bpe_studio.gui.models.rank_cloud import RankCloud, Region
from bpe_studio.gui.widgets.plot_axes import dress_axes, set_up_axes
from bpe_studio.gui.widgets.point_cloud import PointCloud
from bpe_studio.gui.widgets.power_axis import PowerAxis
from bpe_studio.gui.widgets.region_box import RegionBox

LEAST_WITH_LABEL = 130  # pixels
STEPS = 60  # of the arrow keys, from one side to the other
RING = 13
MARGIN = 0.03
ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, 1),
    Qt.Key.Key_Down: (0, -1),
}
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
CLEAR = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)


class RankPlot(pg.PlotWidget):
    """A cloud of points, the diagonal, and a region that is dragged or grown with the keyboard.

    Arrow keys move a cross; with Shift they stretch a region from where it was. Enter chooses the
    token at the cross, Delete selects nothing.

    Signals
    -------
    pointed(int)
        The pointer or the cross is near the token of this row, -1 for none.
    rowChosen(int)
        A point was chosen; the row of its token.
    regionChosen(object)
        The rows in a region, or None where nothing is to be selected.
    """

    pointed = Signal(int)
    rowChosen = Signal(int)
    regionChosen = Signal(object)

    def __init__(self) -> None:
        axes = {side: PowerAxis(side, one_more=True) for side in ("bottom", "left")}
        self._box = RegionBox()
        super().__init__(viewBox=self._box, axisItems=axes)
        self._cloud: RankCloud | None = None
        self._pointed = -1
        self._cross: tuple[float, float] | None = None
        self._anchor: tuple[float, float] | None = None
        plot = self.getPlotItem()
        set_up_axes(plot)
        plot.setMouseEnabled(x=True, y=True)
        plot.setLabel("bottom", "rank in A (log)")
        plot.setLabel("left", "rank in B (log)")
        self._make_items()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Rank in A against rank in B, a point for each token")
        self.setAccessibleDescription(
            "Arrow keys move a cross, with Shift they stretch a region; Enter chooses the token, "
            "Delete selects nothing."
        )
        self.setMinimumSize(160, 72)
        self._labelled = True
        self._box.dragged.connect(self._on_dragged)
        self.scene().sigMouseMoved.connect(self._on_moved)
        self.scene().sigMouseClicked.connect(self._on_clicked)
        self.dress()

    def _make_items(self) -> None:
        self._points, self._picked = PointCloud(), PointCloud()
        self._diagonal = pg.InfiniteLine(pos=(0, 0), angle=45, movable=False)
        self._ring = pg.ScatterPlotItem(size=RING)
        self._hairs = [pg.InfiniteLine(angle=angle, movable=False) for angle in (90, 0)]
        self._frame = QGraphicsRectItem()
        for item in (
            self._points,
            self._picked,
            self._diagonal, self._frame, *self._hairs, self._ring,
        ):  # fmt: skip
            self.addItem(item, ignoreBounds=True)
        for item in (*self._hairs, self._frame):
            item.setVisible(False)

    def show_cloud(self, cloud: RankCloud | None) -> None:
        """Draw other tokens, all of them in sight."""
        self._cloud = cloud
        self._move_cross(None)
        self._frame.setVisible(False)
        self._set(self._points, cloud, slice(None))
        self.show_picked(None)
        self.show_row(-1)
        self.reset_range()

    def show_picked(self, rows: NDArray[np.int64] | None) -> None:
        """Give colour to the tokens of these rows; None takes it from all."""
        cloud = self._cloud
        places = cloud.places_of(rows) if cloud is not None and rows is not None else slice(0)
        self._set(self._picked, cloud, places)
        if rows is None:
            self._frame.setVisible(False)

    def show_row(self, row: int) -> None:
        """Ring the token of a row; -1 rings none."""
        place = self._cloud.place_of(row) if self._cloud is not None else -1
        at = [place] if place >= 0 else []
        x, y = (self._cloud.x, self._cloud.y) if self._cloud is not None else (EMPTY, EMPTY)
        self._ring.setData(x[at], y[at])

    def reset_range(self) -> None:
        """Show all of it."""
        bounds = (self._cloud or RankCloud(np.empty(0, np.int64), EMPTY, EMPTY)).bounds
        self.setXRange(bounds.left, bounds.right, padding=MARGIN)
        self.setYRange(bounds.bottom, bounds.top, padding=MARGIN)

    def select(self, region: Region, *, done: bool = True) -> None:
        """Mark a region; its tokens are told once that is `done`."""
        self._frame.setRect(
            QRectF(
                region.left, region.bottom, region.right - region.left, region.top - region.bottom
            )
        )
        self._frame.setVisible(True)
        if done and self._cloud is not None:
            self.regionChosen.emit(self._cloud.inside(region))

    @staticmethod
    def _set(points: PointCloud, cloud: RankCloud | None, places: object) -> None:
        x, y = (cloud.x[places], cloud.y[places]) if cloud is not None else (EMPTY, EMPTY)
        points.set_points(x, y)

    # Colours

    def dress(self) -> None:
        """Take the colours of the theme."""
        colours = theme.colours(self)
        self.setBackground(colours.base)
        dress_axes(self.getPlotItem(), colours, widest="1,000")
        self._points.set_colour(colours.muted)
        self._picked.set_colour(colours.accent)
        self._diagonal.setPen(pg.mkPen(colours.second, style=Qt.PenStyle.DashLine))
        self._ring.setPen(pg.mkPen(colours.text, width=2))
        self._ring.setBrush(pg.mkBrush(None))
        for hair in self._hairs:
            hair.setPen(pg.mkPen(colours.strong))
        tint = QColor(colours.accent)
        tint.setAlpha(28)
        self._frame.setPen(pg.mkPen(colours.accent))
        self._frame.setBrush(pg.mkBrush(tint))

    # The mouse

    def row_at(self, scene: QPointF) -> int:
        """The row of the token near a place on the scene, -1 for none."""
        if not self._box.sceneBoundingRect().contains(scene):
            return -1
        place = self._box.mapSceneToView(scene)
        return self._row_near(place.x(), place.y())

    def _row_near(self, x: float, y: float) -> int:
        width, height = self._box.viewPixelSize()
        known = all(math.isfinite(side) and side > 0 for side in (width, height))
        if self._cloud is None or not known:
            return -1
        place = self._cloud.nearest(x, y, width=width, height=height)
        return int(self._cloud.rows[place]) if place >= 0 else -1

    def _tell(self, row: int) -> None:
        if row != self._pointed:
            self._pointed = row
            self.pointed.emit(row)

    def _on_moved(self, scene: QPointF) -> None:
        self._tell(self.row_at(scene))

    def _on_clicked(self, event: object) -> None:
        if event.double():
            self.reset_range()
        elif event.button() == Qt.MouseButton.LeftButton:
            row = self.row_at(event.scenePos())
            if row >= 0:
                self.rowChosen.emit(row)

    def _on_dragged(self, region: Region, done: bool) -> None:
        self.select(region, done=done)

    # The keyboard

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ARROWS and self._cloud is not None:
            stretch = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._step(*ARROWS[event.key()], stretch=stretch)
        elif event.key() in ENTER and self._cross is not None:
            row = self._row_near(*self._cross)
            if row >= 0:
                self.rowChosen.emit(row)
        elif event.key() in CLEAR:
            self._anchor = None
            self.regionChosen.emit(None)
        else:
            super().keyPressEvent(event)

    def _step(self, right: int, up: int, *, stretch: bool) -> None:
        (left, far), (bottom, top) = self._box.viewRange()
        x, y = self._cross or ((left + far) / 2, (bottom + top) / 2)
        if stretch and self._anchor is None:
            self._anchor = (x, y)
        x = min(max(x + right * (far - left) / STEPS, left), far)
        y = min(max(y + up * (top - bottom) / STEPS, bottom), top)
        self._move_cross((x, y))
        if not stretch:
            self._anchor = None
        else:
            self.select(Region.between(self._anchor, (x, y)))
        self._tell(self._row_near(x, y))

    def _move_cross(self, place: tuple[float, float] | None) -> None:
        self._cross = place
        if place is None:
            self._anchor = None
        for hair, at in zip(self._hairs, place or (0, 0), strict=True):
            hair.setPos(at)
            hair.setVisible(place is not None)

    # Qt's questions

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._move_cross(None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a low window the line under the numbers of the axis is left out."""
        super().resizeEvent(event)
        if hasattr(self, "_labelled"):
            self._labelled = self.height() >= LEAST_WITH_LABEL
            self.getPlotItem().getAxis("bottom").showLabel(self._labelled)

    def sizeHint(self) -> QSize:
        return QSize(320, 260)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._tell(-1)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_frame"):
            self.dress()


EMPTY = np.empty(0)

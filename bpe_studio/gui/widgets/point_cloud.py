"""Very many points of a plot, drawn as one picture of their number in each pixel.

A point at a time, 200,000 points take a good part of a second each time that a plot is painted;
counted into pixels they take a few milliseconds.
"""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

POINT = 2  # device-independent pixels across
FAINTEST, STRONGEST = 0.34, 1.0  # opacity of a pixel with one point, and with many
MANY = 12.0


class PointCloud(pg.GraphicsObject):
    """Points of one colour; where they crowd they are stronger."""

    def __init__(self) -> None:
        super().__init__()
        self._x = self._y = np.empty(0)
        self._colour = QColor("#808080")
        self._bounds = QRectF()

    def set_points(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> None:
        """Show other points; what is not finite is left out."""
        keep = np.isfinite(x) & np.isfinite(y)
        self._x, self._y = x[keep], y[keep]
        self.prepareGeometryChange()
        self._bounds = _bounds(self._x, self._y)
        self.informViewBoundsChanged()
        self.update()

    def set_colour(self, colour: str) -> None:
        """Draw in another colour."""
        self._colour = QColor(colour)
        self.update()

    # pyqtgraph's and Qt's questions

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        view = self.getViewBox()
        if not len(self._x) or view is None:
            return
        transform = painter.worldTransform()
        area = transform.mapRect(QRectF(view.viewRect()))
        ratio = painter.device().devicePixelRatioF()
        wide, high = (max(1, round(side * ratio)) for side in (area.width(), area.height()))
        x = (self._x * transform.m11() + transform.dx() - area.left()) * ratio
        y = (self._y * transform.m22() + transform.dy() - area.top()) * ratio
        image = _picture(_counted(x, y, wide, high, max(1, round(POINT * ratio))), self._colour)
        image.setDevicePixelRatio(ratio)
        painter.save()
        painter.resetTransform()
        painter.drawImage(area.topLeft(), image)
        painter.restore()


def _bounds(x: NDArray[np.float64], y: NDArray[np.float64]) -> QRectF:
    if not len(x):
        return QRectF()
    left, bottom = float(x.min()), float(y.min())
    # Without an extent an item is never asked to be painted.
    return QRectF(left, bottom, max(float(np.ptp(x)), 1e-9), max(float(np.ptp(y)), 1e-9))


def _counted(
    x: NDArray[np.float64], y: NDArray[np.float64], wide: int, high: int, across: int
) -> NDArray[np.float64]:
    """How many points each pixel has, (high, wide); a point is a square `across` pixels."""
    counts = np.zeros((high, wide))
    column = np.floor(x - (across - 1) / 2).astype(np.int64)
    row = np.floor(y - (across - 1) / 2).astype(np.int64)
    near = (column > -across) & (column < wide) & (row > -across) & (row < high)
    column, row = column[near], row[near]
    for down in range(across):
        for right in range(across):
            c, r = column + right, row + down
            inside = (c >= 0) & (c < wide) & (r >= 0) & (r < high)
            places = r[inside] * wide + c[inside]
            counts += np.bincount(places, minlength=wide * high).reshape(high, wide)
    return counts


def _picture(counts: NDArray[np.float64], colour: QColor) -> QImage:
    share = np.minimum(np.log1p(counts) / np.log1p(MANY), 1.0)
    opacity = np.where(counts > 0, FAINTEST + (STRONGEST - FAINTEST) * share, 0.0)
    pixels = np.empty((*counts.shape, 4), np.uint8)
    for place, part in enumerate((colour.blue(), colour.green(), colour.red())):
        pixels[..., place] = np.rint(part * opacity)
    pixels[..., 3] = np.rint(255 * opacity)
    high, wide = counts.shape
    made = QImage(pixels.data, wide, high, 4 * wide, QImage.Format.Format_ARGB32_Premultiplied)
    return made.copy()  # of its own: the array is gone with this function

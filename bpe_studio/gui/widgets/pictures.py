"""Widgets as pictures: several, one under another, as PNG or SVG."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QBuffer, QIODevice, QPoint, QRect, QSize
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QGraphicsView, QWidget

from bpe_studio.gui import theme

SCALE = 2
MARGIN = theme.MARGIN


def png(widgets: Sequence[QWidget]) -> bytes:
    """Return widgets as one PNG, at twice their size on screen."""
    size = _size(widgets)
    image = QImage(size * SCALE, QImage.Format.Format_ARGB32)
    image.setDevicePixelRatio(SCALE)
    painter = QPainter(image)
    _draw(painter, widgets, size)
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return bytes(buffer.data())


def svg(widgets: Sequence[QWidget], *, title: str) -> bytes:
    """Return widgets as one SVG drawing.

    QSvgGenerator draws it, because pyqtgraph's own exporter fails with PySide6 6.11 and later.
    """
    size = _size(widgets)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    # pyqtgraph's axes are QPictures, which are scaled by the ratio of the two resolutions.
    generator.setResolution(widgets[0].logicalDpiX())
    generator.setSize(size)
    generator.setViewBox(QRect(QPoint(0, 0), size))
    generator.setTitle(title)
    painter = QPainter(generator)
    _draw(painter, widgets, size)
    painter.end()
    return bytes(buffer.data())


def _size(widgets: Sequence[QWidget]) -> QSize:
    width = max(widget.width() for widget in widgets)
    height = sum(widget.height() for widget in widgets)
    return QSize(width + 2 * MARGIN, height + 2 * MARGIN)


def _draw(painter: QPainter, widgets: Sequence[QWidget], size: QSize) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillRect(QRect(QPoint(0, 0), size), QColor(theme.colours(widgets[0]).base))
    y = MARGIN
    for widget in widgets:
        place = QRect(QPoint(MARGIN, y), widget.size())
        if isinstance(widget, QGraphicsView):
            widget.render(painter, place, widget.rect())
        else:
            painter.save()
            painter.translate(place.topLeft())
            widget.draw(painter)
            painter.restore()
        y += widget.height()

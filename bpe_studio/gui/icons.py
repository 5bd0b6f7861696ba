"""Small line icons in the colours of a theme, and the program's own mark."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QImage, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from bpe_studio.gui.theme import Colours, resource

INK = "#808a95"  # the colour in which the files are drawn
SIZE = 16
SCALES = (1, 2, 3)


def icon(name: str, theme: Colours, *, colour: str = "") -> QIcon:
    """The icon `resources/icons/NAME.svg` in a theme's text colour, or in `colour`."""
    made = QIcon()
    inks = {QIcon.Mode.Normal: colour or theme.text, QIcon.Mode.Disabled: theme.faint}
    for mode, ink in inks.items():
        for scale in SCALES:
            made.addPixmap(QPixmap.fromImage(_drawn(f"icons/{name}.svg", ink, SIZE, scale)), mode)
    return made


def program_icon() -> QIcon:
    """The mark of the program in the sizes that desktops ask for."""
    made = QIcon()
    for size in (16, 24, 32, 48, 64, 128, 256):
        made.addPixmap(QPixmap.fromImage(_drawn("icon.svg", INK, size, 1)))
    return made


@cache  # a few icons on many buttons; an image, unlike a pixmap, may outlive the application
def _drawn(file: str, ink: str, size: int, scale: int) -> QImage:
    data = _source(file).replace(INK, ink).encode()
    image = QImage(QSize(size * scale, size * scale), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    QSvgRenderer(QByteArray(data)).render(painter, QRectF(0, 0, size * scale, size * scale))
    painter.end()
    image.setDevicePixelRatio(scale)
    return image


@cache
def _source(file: str) -> str:
    return resource(file).read_text(encoding="utf-8")

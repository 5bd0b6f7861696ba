"""Small line icons in the colours of a theme, and the program's own mark."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from bpe_studio.gui.theme import Colours, resource

INK = "#808a95"  # the colour in which the files are drawn
SIZE = 16
SCALES = (1, 2, 3)


def icon(name: str, theme: Colours, *, colour: str = "") -> QIcon:
    """The icon `resources/icons/NAME.svg` in a theme's text colour, or in `colour`."""
    text = resource(f"icons/{name}.svg").read_text(encoding="utf-8")
    made = QIcon()
    inks = {QIcon.Mode.Normal: colour or theme.text, QIcon.Mode.Disabled: theme.faint}
    for mode, ink in inks.items():
        data = text.replace(INK, ink).encode()
        for scale in SCALES:
            made.addPixmap(_drawn(data, SIZE, scale), mode)
    return made


def program_icon() -> QIcon:
    """The mark of the program in the sizes that desktops ask for."""
    made = QIcon()
    data = resource("icon.svg").read_bytes()
    for size in (16, 24, 32, 48, 64, 128, 256):
        made.addPixmap(_drawn(data, size, 1))
    return made


def _drawn(data: bytes, size: int, scale: int) -> QPixmap:
    pixmap = QPixmap(QSize(size * scale, size * scale))
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    QSvgRenderer(QByteArray(data)).render(painter, QRectF(0, 0, size * scale, size * scale))
    painter.end()
    pixmap.setDevicePixelRatio(scale)
    return pixmap

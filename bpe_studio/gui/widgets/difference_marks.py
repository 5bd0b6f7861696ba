"""How the classes of difference are marked: by colour, and by the manner of the line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap

from bpe_studio.gui.theme import Colours

A_SPLITS, B_SPLITS, DIFFERENT_CUTS = 1, 2, 3
"""As `analysis.compare_text.DIFFERENCES` numbers them."""
HEIGHT: Final = 3.0
_DASH: Final = 4.0
_GAP: Final = 3.0
_SWATCH: Final = QSize(18, 12)


def colour_of(theme: Colours, kind: int) -> str:
    """The colour of a class."""
    return {A_SPLITS: theme.second, B_SPLITS: theme.third}.get(kind, theme.fourth)


def draw(painter: QPainter, theme: Colours, kind: int, cells: Iterable[QRectF]) -> None:
    """Underline cells: a line where A splits, dashes where B does, two lines where both do."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour_of(theme, kind)))
    painter.drawRects([bar for cell in cells for bar in _bars(kind, cell)])


def _bars(kind: int, cell: QRectF) -> list[QRectF]:
    left, width, bottom = cell.left() + 1, cell.width() - 1, cell.bottom()
    if kind == A_SPLITS:
        return [QRectF(left, bottom - 2, width, 2)]
    if kind == DIFFERENT_CUTS:
        return [QRectF(left, bottom - 4, width, 1), QRectF(left, bottom - 1, width, 1)]
    bars, end = [], left + width
    while left < end:
        bars.append(QRectF(left, bottom - 2, min(_DASH, end - left), 2))
        left += _DASH + _GAP
    return bars


def swatch(theme: Colours, kind: int, *, ratio: float = 1.0, faint: bool = False) -> QIcon:
    """A sample of the manner of a class."""
    picture = QPixmap(_SWATCH * ratio)
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setOpacity(0.35 if faint else 1.0)
    draw(painter, theme, kind, [QRectF(0, 0, _SWATCH.width(), _SWATCH.height() - 2)])
    painter.end()
    return QIcon(picture)

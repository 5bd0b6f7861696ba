"""How a token is painted, wherever one stands: the same cell in text, chips and lists."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen

from bpe_studio.gui.theme import Colours

RADIUS = 3.0
HATCH_ALPHA = 110


def fill_cells(painter: QPainter, theme: Colours, hue: int, cells: list[QRectF]) -> None:
    """Fill the background of cells of one hue."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.tokens[hue % len(theme.tokens)]))
    painter.drawRects(cells)


def hatch_cells(painter: QPainter, theme: Colours, cells: list[QRectF]) -> None:
    """Hatch cells that hold only a part of a character."""
    line = QColor(theme.token_border)
    line.setAlpha(HATCH_ALPHA)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(line, Qt.BrushStyle.BDiagPattern))
    painter.drawRects(cells)


def draw_boundaries(painter: QPainter, theme: Colours, lines: list[QLineF]) -> None:
    """Draw the 1-pixel lines where tokens begin, so that colour is never the only sign."""
    painter.setPen(QPen(QColor(theme.token_border), 0))
    painter.drawLines(lines)


def draw_pills(painter: QPainter, theme: Colours, cells: Iterable[QRectF]) -> None:
    """Draw special tokens: an outlined pill, no fill."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(QColor(theme.base))
    painter.setPen(QPen(QColor(theme.accent), 1.25))
    for cell in cells:
        radius = min(cell.height(), cell.width()) / 2
        painter.drawRoundedRect(cell.adjusted(1, 0.75, -1, -0.75), radius, radius)
    painter.restore()


def draw_outlines(
    painter: QPainter, colour: str, cells: Iterable[QRectF], *, width: float = 1.5
) -> None:
    """Outline cells, for what is selected or under the pointer."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(colour), width))
    half = width / 2
    for cell in cells:
        painter.drawRoundedRect(cell.adjusted(half, half, -half, -half), RADIUS, RADIUS)
    painter.restore()


def draw_chip(
    painter: QPainter,
    theme: Colours,
    cell: QRectF,
    *,
    hue: int = 0,
    special: bool = False,
    partial: bool = False,
    plain: bool = False,
) -> None:
    """Draw one token that stands alone: a filled cell with its boundary all round."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    inner = cell.adjusted(0.5, 0.5, -0.5, -0.5)
    border = theme.accent if special else theme.token_border
    fill = theme.base if special or plain else theme.tokens[hue % len(theme.tokens)]
    radius = inner.height() / 2 if special else RADIUS
    painter.setPen(QPen(QColor(theme.strong if plain else border), 1.0))
    painter.setBrush(QColor(fill))
    painter.drawRoundedRect(inner, radius, radius)
    if partial:
        line = QColor(theme.token_border)
        line.setAlpha(HATCH_ALPHA)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QBrush(line, Qt.BrushStyle.BDiagPattern))
        painter.drawRoundedRect(inner, radius, radius)
    painter.restore()

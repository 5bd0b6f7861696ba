"""The names of other tables in a corner of the plot, each with its line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from bpe_studio.gui import theme

SWATCH = 26.0
GAP = float(theme.GAP)
MOST_WIDTH = 0.6  # of the plot
DASHES = ((7, 4), (2, 3), (10, 3, 2, 3), (4, 8), (2, 8), (12, 8))
"""Patterns of lines, so that equal curves show through each other's gaps."""


@dataclass(frozen=True, slots=True)
class KeyEntry:
    """A name and the pattern of its line, by its place in `DASHES`."""

    name: str
    pattern: int


def dashed(colour: str, pattern: int, width: float, ratio: float = 1.0) -> QPen:
    """The cosmetic pen of a pattern; `ratio` device pixels are one of the width."""
    pen = QPen(QColor(colour), width * ratio)
    pen.setCosmetic(True)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)  # square ends would close the gaps of a wide line
    pen.setDashPattern([part / width for part in DASHES[pattern % len(DASHES)]])
    return pen


def draw_key(
    painter: QPainter,
    box: QRectF,
    entries: Sequence[KeyEntry],
    colours: theme.Colours,
    *,
    width: float = 1.0,
    ratio: float = 1.0,
) -> QRectF:
    """Draw as many entries as fit into the lower right corner of a box; where they stand."""
    font = theme.small_font()
    metrics = QFontMetricsF(font)
    line = metrics.height() + 1
    names = _fitting([entry.name for entry in entries], int((box.height() - GAP) // line))
    if not names:
        return QRectF()
    most = box.width() * MOST_WIDTH - SWATCH - GAP
    shown = [metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, most) for name in names]
    wide = max(metrics.horizontalAdvance(name) for name in shown) + SWATCH + GAP
    place = QRectF(0, 0, wide + GAP, len(shown) * line)
    place.moveBottomRight(box.bottomRight() - QPointF(GAP / 2, GAP / 2))
    ground = QColor(colours.base)
    ground.setAlpha(215)
    painter.save()
    painter.fillRect(place, ground)
    painter.setFont(font)
    for row, name in enumerate(shown):
        middle = place.top() + (row + 0.5) * line
        left = place.left() + GAP / 2
        if row < len(entries) and names[row] == entries[row].name:
            painter.setPen(dashed(colours.muted, entries[row].pattern, width, ratio))
            painter.drawLine(QPointF(left, middle), QPointF(left + SWATCH, middle))
        painter.setPen(QColor(colours.muted))
        text = QRectF(left + SWATCH + GAP, middle - line / 2, wide, line)
        painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, name)
    painter.restore()
    return place


def _fitting(names: list[str], most: int) -> list[str]:
    if len(names) <= most:
        return names
    return [*names[: most - 1], f"and {len(names) - most + 1} more"] if most > 0 else []

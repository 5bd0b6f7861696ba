"""The names of other tables over the plot, each with its line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.widgets.words import plain_tip

SWATCH = 26.0
GAP = 2.0 * theme.GAP
LEAST_ENTRY = 110
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


class CurveKey(QWidget):
    """`-- stdlib-8k, its training   ·· low, its training   and 2 more`, in one row over the plot.

    In the plot it would cover the curves, for one that stands under others is not high.
    """

    def __init__(
        self, parent: QWidget | None = None, *, line_width: float = 1.0, ratio: float = 1.0
    ) -> None:
        super().__init__(parent)
        self._line_width, self._ratio = line_width, ratio
        self._entries: tuple[KeyEntry, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Curves of other tables")
        self.hide()

    @property
    def entries(self) -> tuple[KeyEntry, ...]:
        """All names, with their lines."""
        return self._entries

    def set_entries(self, entries: Sequence[KeyEntry]) -> None:
        """Name other lines; without any, it takes no room."""
        self._entries = tuple(entries)
        self.setAccessibleDescription(", ".join(entry.name for entry in entries))
        self.setToolTip(plain_tip("\n".join(entry.name for entry in entries)))
        self.setVisible(bool(entries))
        self.update()

    def draw(self, painter: QPainter) -> None:
        """Draw it, on screen or in a picture."""
        font, colours = theme.small_font(), theme.colours(self)
        metrics = QFontMetricsF(font)
        most = int((self.width() + GAP) // (LEAST_ENTRY + GAP))
        names = _fitting([entry.name for entry in self._entries], most)
        room = (self.width() - GAP * (len(names) - 1)) / max(len(names), 1)
        painter.setFont(font)
        x, middle = 0.0, self.height() / 2
        for place, name in enumerate(names):
            if name == self._entries[place].name:
                pattern = self._entries[place].pattern
                painter.setPen(dashed(colours.muted, pattern, self._line_width, self._ratio))
                painter.drawLine(QPointF(x, middle), QPointF(x + SWATCH, middle))
                x += SWATCH + theme.GRID
                left = room - SWATCH - theme.GRID
                name = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, left)
            painter.setPen(QColor(colours.muted))
            width = metrics.horizontalAdvance(name) + 1
            text = QRectF(x, 0, width, self.height())
            painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, name)
            x += width + GAP

    # Qt's questions

    def sizeHint(self) -> QSize:
        return QSize(LEAST_ENTRY, round(QFontMetricsF(theme.small_font()).height()) + 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        self.draw(QPainter(self))


def _fitting(names: list[str], most: int) -> list[str]:
    if len(names) <= most:
        return names
    return [*names[: most - 1], f"and {len(names) - most + 1} more"] if most > 0 else []

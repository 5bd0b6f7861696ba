"""The legend of the curve, which also reads the values at the cross-hair."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.models.curve_data import LiveCurve
from bpe_studio.gui.widgets.curve_key import dashed
from bpe_studio.gui.widgets.words import number

Entry = tuple[str, str, Qt.PenStyle]

SWATCH = 19.0
ROOM = 90  # of swatches and gaps


class CurveLegend(QWidget):
    """`—— 3.71 characters per token  - - 3.84 bytes per token   8,000 tokens · rank 7,737`."""

    def __init__(self) -> None:
        super().__init__()
        self._characters = self._bytes = 0.0
        self._where = self._rank = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Legend and values of the curve")

    def tell(self, curve: LiveCurve, point: int) -> None:
        """Read the values at a point of the curve."""
        self._characters = float(curve.characters_per_token[point])
        self._bytes = float(curve.bytes_per_token[point])
        rank = curve.rank_at(point)
        self._where = f"at {number(curve.sizes[point])}"
        self._rank = "" if rank is None else f"  ·  rank {number(rank)}"
        self.setAccessibleDescription(" ".join(text for text, _, _ in self._entries()))
        self.update()

    def _entries(self) -> list[Entry]:
        colours = theme.colours(self)
        return [
            (f"{self._characters:.2f} characters per token", colours.accent, Qt.PenStyle.SolidLine),
            (f"{self._bytes:.2f} bytes per token", colours.second, Qt.PenStyle.CustomDashLine),
            (self._where + self._rank, "", Qt.PenStyle.NoPen),
        ]

    def _fitting(self, metrics: QFontMetricsF) -> list[Entry]:
        """The entries without what matters least, until there is room for them."""
        entries = self._entries()
        shorter = [
            (0, entries[0][0].removesuffix(" per token")),
            (2, self._where),
            (2, ""),
            (1, entries[1][0].removesuffix(" per token")),
        ]
        for place, text in shorter:
            if (
                metrics.horizontalAdvance("".join(entry[0] for entry in entries)) + ROOM
                <= self.width()
            ):
                break
            entries[place] = (text, *entries[place][1:])
        return entries

    def draw(self, painter: QPainter) -> None:
        """Draw it, on screen or in a picture."""
        painter.setFont(theme.ui_font())
        colours, metrics = theme.colours(self), QFontMetricsF(theme.ui_font())
        x, middle = 0.0, self.height() / 2
        for text, ink, style in self._fitting(metrics):
            if ink:
                dash = style == Qt.PenStyle.CustomDashLine
                painter.setPen(dashed(ink, 0, 2) if dash else QPen(QColor(ink), 2))
                painter.drawLine(QPointF(x, middle), QPointF(x + SWATCH, middle))
                x += SWATCH + theme.GRID
            width = metrics.horizontalAdvance(text) + 1
            if x + width > self.width():
                text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, self.width() - x)
            painter.setPen(QColor(colours.text if ink else colours.muted))
            painter.drawText(
                QRectF(x, 0, width, self.height()), Qt.AlignmentFlag.AlignVCenter, text
            )
            x += width + 2 * theme.GAP

    # Qt's questions

    def sizeHint(self) -> QSize:
        return QSize(320, round(QFontMetricsF(theme.ui_font()).height()) + 2 * theme.GRID)

    def paintEvent(self, event: QPaintEvent) -> None:
        self.draw(QPainter(self))

"""What belongs to A and what to B in a picture: two lines with names, and what they read."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.widgets.curve_lines import Line
from bpe_studio.gui.widgets.words import plain_tip

SIDES = (Line("accent"), Line("second", 0))
"""How A and B are drawn: in colours of their own, and B's lines dashed."""
SWATCH = 19.0
GAP = 2.0 * theme.GAP


class SideKey(QWidget):
    """`— A gpt2 3.10   - - B llama3 3.72`, each name as long as there is room."""

    def __init__(self) -> None:
        super().__init__()
        self._names: tuple[str, ...] = ()
        self._values: tuple[str, ...] = ()
        self._more = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("A and B")

    def tell(self, names: tuple[str, ...], values: tuple[str, ...] = (), more: str = "") -> None:
        """Show other names, what each reads, and where that is."""
        self._names, self._values, self._more = names[:2], values, more
        self.setAccessibleDescription("  ".join(self.words))
        self.setToolTip(plain_tip("\n".join(self.words)))
        self.update()

    @property
    def words(self) -> list[str]:
        """What it says where there is room for all."""
        values = self._values or ("",) * len(self._names)
        pairs = zip("AB", self._names, values, strict=False)
        said = [" ".join(part for part in pair if part) for pair in pairs]
        return [*said, self._more] if self._more else said

    def sizeHint(self) -> QSize:
        return QSize(120, round(QFontMetricsF(theme.small_font()).height()) + theme.GRID)

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._names:
            return
        painter, colours = QPainter(self), theme.colours(self)
        font = theme.small_font()
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        values = self._values or ("",) * len(self._names)
        more = metrics.horizontalAdvance(self._more) + GAP if self._more else 0.0
        room = (self.width() - more - GAP) / 2
        x, middle = 0.0, self.height() / 2
        for line, side, name, value in zip(SIDES, "AB", self._names, values, strict=False):
            painter.setPen(_wide(line, colours))
            painter.drawLine(QPointF(x, middle), QPointF(x + SWATCH, middle))
            x += SWATCH + theme.GRID
            fixed = metrics.horizontalAdvance(f"{side}  {value}")
            width = max(0.0, room - SWATCH - theme.GRID - fixed - 2)
            shown = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, width)
            said = "  ".join(part for part in (f"{side} {shown}", value) if part)
            x = self._write(painter, x, said, metrics, colours.text) + GAP
        if self._more:
            self._write(painter, x, self._more, metrics, colours.muted)

    def _write(
        self, painter: QPainter, x: float, text: str, metrics: QFontMetricsF, ink: str
    ) -> float:
        width = metrics.horizontalAdvance(text) + 1
        painter.setPen(QColor(ink))
        place = QRectF(x, 0, width, self.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, text)
        return x + width


def _wide(line: Line, colours: theme.Colours) -> QPen:
    return line.pen(colours, 2)

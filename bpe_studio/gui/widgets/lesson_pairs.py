"""The counts of the pairs of a lesson: bars, ties, and the one that is merged next."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from bpe_studio.bpe.lesson import Lesson, PairCount
from bpe_studio.gui import theme
from bpe_studio.gui.widgets.byte_text import draw_readable
from bpe_studio.gui.widgets.symbol_texts import SymbolTexts
from bpe_studio.gui.widgets.words import number

LARGER = 1.0
BAR_SHARE = 0.34
MOST_BAR = 150.0
BAR_HEIGHT = 6.0
PADDING = 5.0
RADIUS = 4.0
MOST_TOLD = 20  # to a screen reader


class LessonPairs(QWidget):
    """Every pair in the order in which it would be chosen; the tied ones are tinted."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Counts of the pairs")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self._lesson: Lesson | None = None
        self._zoom = 0
        self._texts = SymbolTexts()

    @property
    def pairs(self) -> tuple[PairCount, ...]:
        """The pairs that are shown, best first."""
        return self._lesson.state.pairs if self._lesson is not None else ()

    def show_lesson(self, lesson: Lesson | None) -> None:
        """Show the counts where a lesson stands."""
        self._lesson = lesson
        self._texts.follow(lesson)
        self.setAccessibleDescription("\n".join(map(self._words, self.pairs[:MOST_TOLD])))
        self.updateGeometry()
        self.update()

    def set_zoom(self, zoom: int) -> None:
        """Larger type, or smaller, by steps of a point."""
        if zoom != self._zoom:
            self._zoom = zoom
            self.updateGeometry()
            self.update()

    def _font(self) -> QFont:
        font = theme.mono_font()
        font.setPointSizeF(max(theme.SMALLEST_POINTS, font.pointSizeF() + LARGER + self._zoom))
        return font

    def _row_height(self) -> float:
        return QFontMetricsF(self._font()).height() + 2 * theme.GRID

    def _words(self, pair: PairCount) -> str:
        return f"{pair.count} {self._texts.text(pair.left)} {self._texts.text(pair.right)}"

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._lesson is None or not self.pairs:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        height = self._row_height()
        first = max(0, int(event.rect().top() // height))
        last = min(len(self.pairs), int(event.rect().bottom() // height) + 1)
        for row in range(first, last):
            rect = QRectF(0, row * height, self.width(), height - 2)
            self._draw_row(painter, rect, row)

    def _draw_row(self, painter: QPainter, rect: QRectF, row: int) -> None:
        assert self._lesson is not None
        colours, state = theme.colours(self), self._lesson.state
        pair, most = self.pairs[row], self.pairs[0].count
        tied = state.next is not None and pair.count == most
        if tied:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.selection))
            painter.drawRoundedRect(rect, RADIUS, RADIUS)
        if row == 0 and state.next is not None:
            painter.setPen(QPen(QColor(colours.accent), 2.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), RADIUS, RADIUS)
        font = self._font()
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        painter.setPen(QColor(colours.text))
        digits = metrics.horizontalAdvance(number(most)) + 2 * PADDING
        flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        count = QRectF(rect.left() + PADDING, rect.top(), digits - PADDING, rect.height())
        painter.drawText(count, flags, number(pair.count))
        bar = min(rect.width() * BAR_SHARE, MOST_BAR)
        self._draw_bar(painter, colours, rect, digits + theme.GAP, bar * pair.count / most, tied)
        x = digits + theme.GAP + bar + theme.GAP
        self._draw_pair(painter, QRectF(x, rect.top(), rect.right() - x, rect.height()), pair)

    def _draw_bar(
        self,
        painter: QPainter,
        colours: theme.Colours,
        rect: QRectF,
        left: float,
        length: float,
        tied: bool,
    ) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.accent if tied else colours.strong))
        top = rect.center().y() - BAR_HEIGHT / 2
        painter.drawRoundedRect(QRectF(left, top, max(length, 3.0), BAR_HEIGHT), 2, 2)

    def _draw_pair(self, painter: QPainter, rect: QRectF, pair: PairCount) -> None:
        colours, font = theme.colours(self), self._font()
        self._texts.set_font(font)
        x = rect.left()
        for symbol in (pair.left, pair.right):
            text = self._texts.text(symbol)
            room = rect.right() - PADDING - x
            width = min(self._texts.width(symbol) + 2 * PADDING, room)
            if width < 3 * PADDING:
                return
            cell = QRectF(x, rect.top() + 2, width, rect.height() - 4)
            painter.setPen(QPen(QColor(colours.strong), 1.0))
            painter.setBrush(QColor(colours.base))
            painter.drawRoundedRect(cell.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
            inner = cell.adjusted(PADDING, 0, -PADDING + 1, 0)
            draw_readable(painter, inner, text, font, ink=colours.text, quiet=colours.muted)
            x += width + 2

    # Qt's questions

    def sizeHint(self) -> QSize:
        return QSize(200, round(self._row_height() * len(self.pairs)))

    def minimumSizeHint(self) -> QSize:
        return QSize(110, round(self._row_height() * len(self.pairs)))

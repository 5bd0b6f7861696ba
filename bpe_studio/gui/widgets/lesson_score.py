"""The score of a lesson: vocabulary rising, tokens falling, characters per token."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from bpe_studio.bpe.lesson import Lesson
from bpe_studio.gui import theme
from bpe_studio.gui.widgets.basics import label
from bpe_studio.gui.widgets.words import number

COUNTERS = ("merges", "vocabulary", "tokens", "characters per token")
LINE = "tokens by merge"
LARGER = 5.0
MOST_LINE = 320


class LessonScore(QWidget):
    """Four counters side by side, and a line of the tokens so far."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.values = {name: label() for name in COUNTERS}
        font = theme.ui_font()
        font.setPointSizeF(font.pointSizeF() + LARGER)
        self.line = Sparkline()
        self.line.setMaximumWidth(MOST_LINE)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(2 * theme.MARGIN)
        grid.setVerticalSpacing(0)
        for column, (name, value) in enumerate(self.values.items()):
            value.setFont(font)
            value.setAccessibleName(name)
            shown = "chars / token" if name == COUNTERS[-1] else name
            caption = label(shown, role="muted")
            caption.setFont(theme.small_font())
            grid.addWidget(value, 0, column)
            grid.addWidget(caption, 1, column)
        self.caption = label(LINE, role="muted")
        self.caption.setFont(theme.small_font())
        self.caption.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        grid.addWidget(self.line, 0, len(COUNTERS))
        grid.addWidget(self.caption, 1, len(COUNTERS))
        grid.setColumnStretch(len(COUNTERS), 3)
        grid.setColumnStretch(len(COUNTERS) + 1, 2)

    def show_lesson(self, lesson: Lesson | None) -> None:
        """Show where a lesson stands."""
        if lesson is None:
            for value in self.values.values():
                value.setText("–")
            self.line.set_values(())
            return
        state = lesson.state
        score = self.locale().toString(state.characters_per_token, "f", 2)
        shown = (
            number(len(state.merges)),
            number(state.vocab_size),
            number(state.tokens),
            score,
        )
        for value, text in zip(self.values.values(), shown, strict=True):
            value.setText(text)
        self.line.set_values([state.tokens for state in lesson.states])


class Sparkline(QWidget):
    """A small line of numbers that fall, from the first to where one stands."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._values: tuple[int, ...] = ()
        self.setAccessibleName("Tokens after each merge")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    @property
    def values(self) -> tuple[int, ...]:
        """What is drawn."""
        return self._values

    def set_values(self, values: Sequence[int]) -> None:
        """Draw other numbers."""
        self._values = tuple(values)
        self.setAccessibleDescription(", ".join(map(str, self._values[-20:])))
        self.update()

    def paintEvent(self, _: QPaintEvent) -> None:
        if not self._values:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = theme.colours(self)
        most = max(self._values)
        # Room to the right, so that the line is seen to go somewhere.
        steps = max(len(self._values) - 1, 12)
        width, height = self.width() - 8.0, self.height() - 8.0
        points = [
            QPointF(4 + width * place / steps, 4 + height * (1 - value / most))
            for place, value in enumerate(self._values)
        ]
        floor = 4 + height
        painter.setPen(QPen(QColor(colours.border), 1.0))
        painter.drawLine(QPointF(4, floor), QPointF(4 + width, floor))
        painter.setPen(QPen(QColor(colours.accent), 1.5))
        painter.drawPolyline(QPolygonF(points))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.accent))
        painter.drawEllipse(points[-1], 3, 3)

    def sizeHint(self) -> QSize:
        return QSize(120, 36)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 24)

"""Characters in the colours of the tokens that hold them, with the ids of the tokens below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QLineF, QPoint, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from bpe_studio.analysis.letters import Grid
from bpe_studio.gui import theme
from bpe_studio.gui.models.letter_flow import Run, flow_letters
from bpe_studio.gui.models.letter_groups import (
    group_letters,
    letter_tip,
    letter_words,
    shown_letter,
)
from bpe_studio.gui.widgets import token_paint
from bpe_studio.gui.widgets.byte_text import draw_readable, readable_width
from bpe_studio.gui.widgets.pointed_cells import CHOOSING, PointedCells

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

PADDING = 6.0
NARROWEST = 20.0
LINE_GAP = 6.0
NOWHERE = "in no token"


class LetterGrid(PointedCells, QWidget):
    """A grid of characters and tokens; each character can be clicked, pointed at and walked to.

    Signals
    -------
    chosen(int)
        The id of the token, the first one, that holds the character that was clicked.
    """

    chosen = Signal(int)

    def __init__(self, *, tokenizer: Tokenizer, grid: Grid, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tokenizer = tokenizer
        self._grid = grid
        self._groups = group_letters(grid)
        self._texts = [shown_letter(letter) for letter in grid.letters]
        self._captions = [
            " ".join(f"{grid.tokens[i].id:,}" for i in group.tokens) or NOWHERE
            for group in self._groups
        ]
        self._focused = 0
        self._runs: list[Run] = []
        self._flows: dict[float, list[Run]] = {}  # layouts ask often
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName("Letters and tokens")
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._tell_focused()

    @property
    def captions(self) -> list[str]:
        """What stands under each group of letters."""
        return self._captions

    def cell_at(self, point: QPoint) -> int:
        """The number of the letter at a point, -1 for none."""
        for run in self._runs:
            top = run.line * self._pitch()
            if top <= point.y() < top + self._cell_height():
                for letter, left, right in zip(run.letters, run.xs, run.xs[1:], strict=False):
                    if left <= point.x() < right:
                        return letter
        return -1

    def tip_of(self, letter: int) -> str:
        """Return which tokens hold a letter."""
        return letter_tip(self._tokenizer, self._grid, self._grid.letters[letter])

    def letter_box(self, letter: int) -> QRectF:
        """Where a letter is painted."""
        run = next(run for run in self._runs if letter in run.letters)
        place = run.letters.index(letter)
        top = run.line * self._pitch()
        return QRectF(run.xs[place], top, run.xs[place + 1] - run.xs[place], self._cell_height())

    # Places

    def _flow(self, width: float) -> list[Run]:
        if width not in self._flows:
            self._flows[width] = self._flow_anew(width)
        return self._flows[width]

    def _flow_anew(self, width: float) -> list[Run]:
        mono, small = QFontMetricsF(theme.mono_font()), QFontMetricsF(theme.small_font())
        cells = [max(NARROWEST, readable_width(text, mono) + PADDING) for text in self._texts]
        captions = [small.horizontalAdvance(text) + 2.0 for text in self._captions]
        return flow_letters(self._groups, cells, captions, max(width, NARROWEST))

    def _cell_height(self) -> float:
        return float(round(QFontMetricsF(theme.mono_font()).height()) + 4)

    def _pitch(self) -> float:
        return self._cell_height() + round(QFontMetricsF(theme.small_font()).height()) + LINE_GAP

    def _height(self, runs: list[Run]) -> int:
        lines = runs[-1].line + 1 if runs else 0
        return int(lines * self._pitch() - LINE_GAP) if lines else 0

    # Painting

    def _draw_run(self, painter: QPainter, colours: theme.Colours, run: Run) -> None:
        group = self._groups[run.group]
        top, height = run.line * self._pitch(), self._cell_height()
        box = QRectF(run.xs[0], top, run.xs[-1] - run.xs[0], height)
        tokens = [self._grid.tokens[i].id for i in group.tokens]
        special = bool(tokens) and self._tokenizer.is_special(tokens[0])
        token_paint.draw_chip(
            painter, colours, box, hue=group.tokens[0] if tokens else 0, special=special,
            plain=not tokens,
        )  # fmt: skip
        boxes = [
            QRectF(left, top, right - left, height)
            for left, right in zip(run.xs, run.xs[1:], strict=False)
        ]
        split = [
            cell.adjusted(1, 1, -1, -1)
            for letter, cell in zip(run.letters, boxes, strict=True)
            if self._grid.letters[letter].split
        ]
        token_paint.hatch_cells(painter, colours, split)
        self._draw_separators(painter, colours, boxes)
        ink = colours.text if special or not tokens else colours.token_text
        mono = theme.mono_font()
        metrics = QFontMetricsF(mono)
        for letter, cell in zip(run.letters, boxes, strict=True):
            text = self._texts[letter]
            inset = max(1.0, (cell.width() - readable_width(text, metrics)) / 2)
            inner = cell.adjusted(inset, 0, -1, 0)
            draw_readable(painter, inner, text, mono, ink=ink, quiet=ink)
            if letter == self._hovered:
                token_paint.draw_outlines(painter, colours.text, [cell], width=1.0)
            if self.hasFocus() and letter == self._focused:
                token_paint.draw_outlines(painter, colours.accent, [cell], width=2.0)
        if self._selected in tokens:
            token_paint.draw_outlines(painter, colours.accent, [box], width=2.0)

    def _draw_separators(
        self, painter: QPainter, colours: theme.Colours, boxes: list[QRectF]
    ) -> None:
        line = QColor(colours.token_border)
        line.setAlpha(110)
        painter.setPen(QPen(line, 0))
        inside = [cell.left() for cell in boxes[1:]]
        top, bottom = boxes[0].top() + 3, boxes[0].bottom() - 3
        painter.drawLines([QLineF(x, top, x, bottom) for x in inside])

    def _draw_caption(self, painter: QPainter, run: Run) -> None:
        metrics = painter.fontMetrics()
        top = run.line * self._pitch() + self._cell_height()
        place = QRectF(run.xs[0], top, run.xs[-1] - run.xs[0], metrics.height())
        text = metrics.elidedText(
            self._captions[run.group], Qt.TextElideMode.ElideRight, int(place.width()) + 1
        )
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)

    # The keyboard

    def _walk(self, step: int) -> None:
        last = len(self._grid.letters) - 1
        self._focused = min(max(self._focused + step, 0), max(last, 0))
        self._tell_focused()
        self.update()

    def _tell_focused(self) -> None:
        letters = self._grid.letters
        words = letter_words(self._grid, letters[self._focused]) if letters else ""
        self.tell_focused(words)

    def _choose(self, letter: int) -> None:
        if 0 <= letter < len(self._grid.letters):
            first = self._grid.letters[letter].first
            if first >= 0:
                self.chosen.emit(self._grid.tokens[first].id)

    # Qt's questions

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._height(self._flow(width))

    def sizeHint(self) -> QSize:
        return QSize(240, self.heightForWidth(self.width() or 240))

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self._height(self._runs))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        before = self._height(self._runs)
        self._runs = self._flow(self.width())
        if self._height(self._runs) != before:
            QTimer.singleShot(0, self, self.updateGeometry)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colours, pitch = theme.colours(self), self._pitch()
        top, bottom = event.rect().top() - pitch, event.rect().bottom()
        shown = [run for run in self._runs if top <= run.line * pitch <= bottom]
        for run in shown:
            self._draw_run(painter, colours, run)
        painter.setFont(theme.small_font())
        painter.setPen(QColor(colours.muted))
        for run in shown:
            self._draw_caption(painter, run)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self._flows.clear()
            self._runs = self._flow(self.width())
            self.updateGeometry()
        super().changeEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        letter = self.cell_at(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and letter >= 0:
            self._focused = letter
            self._walk(0)
            self._choose(letter)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if event.key() in steps:
            self._walk(steps[event.key()])
        elif event.key() in CHOOSING:
            self._choose(self._focused)
        else:
            super().keyPressEvent(event)

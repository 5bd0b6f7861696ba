"""A view of rows that scrolls by rows and lines, with a caret and a selection."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QResizeEvent, QTextOption, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QWidget

from bpe_studio.gui.models.long_document import EMPTY, LongDocument
from bpe_studio.gui.widgets.text_rows import Row, Rows

MARGIN = 8
NOTCH = 120  # of a mouse wheel
SCROLL_BAR = Qt.ScrollBarPolicy


class RowScroll(QAbstractScrollArea):
    """Where the first line on screen is, where the caret is, and how keys and wheel move both.

    The value of the scroll bar is the row at the top; of a row of several lines, `_line` of them
    are above the edge. So nothing needs the height of all rows. Above and below each line is room
    for a `strip` so high.

    Signals
    -------
    scrolled()
        Another line than before is at the top.
    """

    scrolled = Signal()
    strip = 0.0

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = Rows(EMPTY, self.font(), QTextOption())
        self._top = self._line = 0
        self._last = (0, 0)  # the row and line at the top when the end is in sight
        self._settling = False
        self._wheel = 0.0
        self._x = -1.0  # where going up and down keeps to
        self.anchor = self.position = 0
        self.setHorizontalScrollBarPolicy(SCROLL_BAR.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    @property
    def document(self) -> LongDocument:
        """What is shown."""
        return self._rows.document

    def set_document(self, document: LongDocument, option: QTextOption) -> None:
        """Show rows from the top."""
        self._rows = Rows(document, self.font(), option, self.strip)
        self._top = self._line = self.anchor = self.position = 0
        self._fit()

    def visible_rows(self) -> Iterator[tuple[Row, QRectF]]:
        """Yield the rows on screen and where each stands in the viewport."""
        bottom = self.viewport().height()
        number, row = self._top, self._rows[self._top]
        y = MARGIN - row.line_top(self._line) if self._line else float(MARGIN)
        while y < bottom:
            yield row, QRectF(MARGIN, y, self._text_width, row.height)
            y += row.height
            number += 1
            if number >= len(self._rows):
                return
            row = self._rows[number]

    def position_at(self, point: QPointF) -> int:
        """Return the position of the document that is nearest to a point of the viewport."""
        found = 0
        for row, place in self.visible_rows():
            found = row.position_at(point - place.topLeft())
            if point.y() < place.bottom():
                return found
        return found

    # The caret and what is selected

    def move_caret(self, position: int, *, extend: bool = False) -> None:
        """Put the caret somewhere; `extend` selects what lies between."""
        before = (self.anchor, self.position)
        self.position = min(max(position, 0), self.document.length)
        if not extend:
            self.anchor = self.position
        self._x = -1.0
        if before != (self.anchor, self.position):
            self.viewport().update()
            self.caret_moved()

    def select(self, start: int, end: int) -> None:
        """Select a span of the document."""
        self.anchor = start
        self.move_caret(end, extend=True)

    def caret_moved(self) -> None:
        """The caret or the selection is another one now; for those who build on this."""

    def move_by_key(self, key: int, *, shift: bool, control: bool) -> bool:
        """Do what a key asks of the caret; False where it asks nothing."""
        keys, page = Qt.Key, max(self._page_lines - 1, 1)
        x = self._x
        if key in (keys.Key_Up, keys.Key_Down) and control:
            self.scroll_lines(-1 if key == keys.Key_Up else 1)
            return True
        if key in (keys.Key_Up, keys.Key_Down, keys.Key_PageUp, keys.Key_PageDown):
            lines = page if key in (keys.Key_PageUp, keys.Key_PageDown) else 1
            down = key in (keys.Key_Down, keys.Key_PageDown)
            target, x = self._lines_away(lines if down else -lines)
            if lines == page:
                self.scroll_lines(lines if down else -lines)
        elif key in (keys.Key_Home, keys.Key_End) and control:
            target = 0 if key == keys.Key_Home else self.document.length
        elif key in (keys.Key_Home, keys.Key_End):
            target = self.document.span(self._row)[key == keys.Key_End]
        elif key in (keys.Key_Left, keys.Key_Right) and shift and not control:
            row = self._rows[self._row]
            inside = self.position - row.position()
            step = (
                row.layout().previousCursorPosition
                if key == keys.Key_Left
                else (row.layout().nextCursorPosition)
            )
            target = row.position() + step(inside)
            if target == self.position:
                target += -1 if key == keys.Key_Left else 1
        else:
            return False
        self.move_caret(target, extend=shift)
        self._x = x
        self.ensure_visible(self.position)
        return True

    @property
    def _row(self) -> int:
        return self.document.row_at(self.position)

    def _lines_away(self, lines: int) -> tuple[int, float]:
        """Return the position that many lines below the caret, and the x that was kept to."""
        number = self._row
        row = self._rows[number]
        caret = row.caret(self.position)
        x = caret.x() if self._x < 0 else self._x
        line = self._line_of(row, self.position) + lines
        while line < 0 and number > 0:
            number -= 1
            row = self._rows[number]
            line += row.lines
        while line >= row.lines and number + 1 < len(self._rows):
            line -= row.lines
            number += 1
            row = self._rows[number]
        line = min(max(line, 0), row.lines - 1)
        return row.position_at(QPointF(x, row.line_top(line) + 1)), x

    @staticmethod
    def _line_of(row: Row, position: int) -> int:
        inside = min(position - row.position(), len(row.text().encode("utf-16-le")) // 2)
        return max(row.layout().lineForTextPosition(inside).lineNumber(), 0)

    # Scrolling

    def scroll_lines(self, lines: int) -> None:
        """Move by lines on screen."""
        top, line = self._top, self._line + lines
        while line < 0 and top > 0:
            top -= 1
            line += self._rows[top].lines
        while top + 1 < len(self._rows) and line >= self._rows[top].lines:
            line -= self._rows[top].lines
            top += 1
        self._go((top, max(line, 0)))

    def ensure_visible(self, position: int) -> None:
        """Scroll no further than it takes to see a position."""
        number = self.document.row_at(position)
        line = self._line_of(self._rows[number], position)
        if (number, line) < (self._top, self._line):
            self._go((number, line))
            return
        for row, place in self.visible_rows():
            if row.blockNumber() == number:
                over = place.top() + row.line_top(line) + self._line_height
                if over <= self.viewport().height():
                    return
        self._go(self._above((number, line), self.viewport().height() - MARGIN - self._line_height))

    def centre_on(self, position: int) -> None:
        """Scroll so that a position is in the middle, unless it is in sight."""
        number = self.document.row_at(position)
        line = self._line_of(self._rows[number], position)
        for row, place in self.visible_rows():
            if row.blockNumber() == number:
                y = place.top() + row.line_top(line)
                if 0 <= y <= self.viewport().height() - MARGIN - self._line_height:
                    return
        self._go(self._above((number, line), self.viewport().height() / 2))

    def _above(self, place: tuple[int, int], height: float) -> tuple[int, int]:
        """Return the row and line that is about so much higher than another."""
        number, line = place
        row = self._rows[number]
        while number > 0 or line > 0:
            before = row if line else self._rows[number - 1]
            height -= before.height / before.lines
            if height < 0:
                break
            if not line:
                number, row, line = number - 1, before, before.lines
            line -= 1
        return number, line

    @property
    def top(self) -> tuple[int, int]:
        """The row and the line of it with which the screen begins."""
        return self._top, self._line

    def scroll_to(self, top: tuple[int, int]) -> None:
        """Begin the screen with a row and a line of it."""
        if top != self.top:
            self._go(top)

    def _go(self, place: tuple[int, int]) -> None:
        before = self.top
        self._top, self._line = min(place, self._last)
        self._settling = True
        self.verticalScrollBar().setValue(self._top)
        self._settling = False
        self.viewport().update()
        if self.top != before:
            self.scrolled.emit()

    def _fit(self) -> None:
        """Wrap at the width there is, and find where the end is in sight."""
        self._rows.set_width(self._text_width)
        number = len(self._rows) - 1
        room = self.viewport().height() - 2 * MARGIN - self._line_height
        self._last = self._above((number, self._rows[number].lines - 1), max(room, 0))
        self._settling = True
        bar = self.verticalScrollBar()
        bar.setRange(0, self._last[0])
        bar.setPageStep(max(self._page_lines - 1, 1))
        bar.setSingleStep(1)
        self._settling = False
        self._go((self._top, min(self._line, self._rows[self._top].lines - 1)))

    @property
    def _text_width(self) -> float:
        return max(self.viewport().width() - 2 * MARGIN, 40)

    @property
    def _line_height(self) -> float:
        return max(self.fontMetrics().height(), 1) + 2 * self.strip

    @property
    def _page_lines(self) -> int:
        return int((self.viewport().height() - 2 * MARGIN) / self._line_height)

    # Qt's questions

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        if self._settling:
            return
        bar = self.verticalScrollBar()
        self._top, self._line = bar.value(), 0
        if bar.value() == bar.maximum():
            self._top, self._line = self._last
        self.viewport().update()
        self.scrolled.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if not event.pixelDelta().isNull():
            self._wheel -= event.pixelDelta().y() / self._line_height
        else:
            lines = QApplication.wheelScrollLines()
            self._wheel -= event.angleDelta().y() / NOTCH * lines
        lines = int(self._wheel)
        self._wheel -= lines
        self.scroll_lines(lines)
        event.accept()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

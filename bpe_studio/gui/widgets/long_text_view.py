"""A long text to read, with its tokens: it lays out and paints only the rows on screen."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QCursor,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QMenu, QWidget

from bpe_studio.bpe.generators import result_of
from bpe_studio.gui.job import Job
from bpe_studio.gui.models.long_document import EMPTY, LongDocument, read_document
from bpe_studio.gui.models.token_layout import TokenLayout
from bpe_studio.gui.theme import colours, mono_font
from bpe_studio.gui.widgets.row_scroll import RowScroll
from bpe_studio.gui.widgets.text_rows import Row
from bpe_studio.gui.widgets.token_cells import Cell, CellCache
from bpe_studio.gui.widgets.token_marks import TokenMarks
from bpe_studio.gui.widgets.token_painter import TokenPainter

AT_ONCE = 1 << 17  # characters of which the rows are found at once, without a thread
DRAG_MS = 40


class LongTextView(TokenMarks, RowScroll):
    """What `TokenText` is for shorter texts, with the same signals; nothing can be typed.

    Signals
    -------
    edited()
        Never: nothing can be changed here.
    tokenClicked(int), tokenHovered(int), spanChosen(int, int)
        As of `TokenText`.
    otherAsked(int)
        The text before this one (-1) is wanted, or the one that was taken back (1).
    """

    edited = Signal()
    tokenClicked = Signal(int)
    tokenHovered = Signal(int)
    spanChosen = Signal(int, int)
    otherAsked = Signal(int)

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self._job: Job | None = None
        self._layout: TokenLayout | None = None
        self._fresh = False
        self._cells = CellCache()
        self._painter = TokenPainter()
        self._hovered = -1
        self._dragging = False
        self._drag_timer = QTimer(self)
        self._drag_timer.setInterval(DRAG_MS)
        self._drag_timer.timeout.connect(
            lambda: self._drag_to(self.viewport().mapFromGlobal(QCursor.pos()))
        )
        self.setFont(mono_font())
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor)
        self.viewport().setBackgroundRole(QPalette.ColorRole.Base)
        self.setAccessibleDescription("A long text, to be read and not typed into")

    # What TokenText answers too

    def text(self) -> str:
        """Return the text."""
        return self._text

    def length(self) -> int:
        """Return the length of the document in UTF-16 units."""
        return self.document.length

    def set_text(self, text: str) -> None:
        """Show another text; its rows are found on a thread, if it is long."""
        if self._job is not None:
            self._job.cancel()
            self._job = None
        self._text = text
        self._painter.found = None
        self.set_layout(None)
        self._take(EMPTY)
        if len(text) <= AT_ONCE:
            self._take(result_of(read_document(text)))
            return
        self._job = Job(read_document(text), self)
        self._job.finished.connect(self._on_read)
        self._job.ended.connect(self._job.deleteLater)

    def isReadOnly(self) -> bool:
        """It always is."""
        return True

    @property
    def layout_is_fresh(self) -> bool:
        """Whether there are tokens, and all of them."""
        return self._fresh

    @property
    def has_long_line(self) -> bool:
        """Whether a line is shown broken."""
        return bool(self.document.breaks.size)

    def token_layout(self) -> TokenLayout | None:
        """Return the tokens on screen."""
        return self._layout

    def set_layout(self, layout: TokenLayout | None, *, whole: bool = True) -> None:
        """Show the tokens of the text, or some of them; those of another text are ignored."""
        if layout is not None and layout.text != self._text:
            return
        if layout is None or self._layout is None or len(layout) != len(self._layout):
            self._painter.current = None
        self._layout, self._fresh = layout, layout is not None and whole
        self._hovered = -1
        self._repaint_cells()

    def positions_of(self, characters: NDArray[np.int64]) -> NDArray[np.int64]:
        """Turn characters of the text into positions of the document."""
        return self.document.positions_of(characters)

    def characters_between(self, start: int, end: int) -> tuple[int, int]:
        """Turn a span of document positions into characters of the text."""
        return self.document.character_at(start), self.document.character_at(end)

    def go_to(self, position: int) -> None:
        """Bring a position on screen with the caret at it, and nothing selected."""
        self.move_caret(position)
        self.centre_on(position)

    @property
    def caret_character(self) -> int:
        """The character of the text at the caret, or with which the selection begins."""
        return self.document.character_at(min(self.anchor, self.position))

    def reveal(self, token: int) -> None:
        """Bring a token on screen with the caret before it, and nothing selected."""
        if self._layout is not None:
            position = int(self._layout.positions[token, 0])
            self.move_caret(position)
            self.ensure_visible(position)

    def visible_positions(self) -> tuple[int, int]:
        """The positions of the document that are on screen, and some on either side."""
        rows = [row for row, _ in self.visible_rows()]
        first, last = rows[0].position(), rows[-1].position() + rows[-1].length()
        more = max(1, last - first)
        return max(0, first - more), min(last + more, self.length())

    def token_at(self, point: QPoint) -> int:
        """Return the index of the token under a point of the viewport, -1 for none."""
        for row, place in self.visible_rows():
            inside = QPointF(point) - place.topLeft()
            if 0 <= inside.y() < row.height:
                cells = self._row_cells(row, inside.y(), inside.y())
                return next((c.token for c in reversed(cells) if c.rect.contains(inside)), -1)
        return -1

    def walk(self, step: int, *, extend: bool = False) -> None:
        """Go to the next (1) or previous (-1) token; extend selects whole tokens."""
        layout, current = self._layout, self._painter.current
        if layout is None or not len(layout):
            return
        here = layout.at_position(self.position) if current is None else current
        target = min(max((0 if here is None else here) + step, 0), len(layout) - 1)
        self._painter.current = target
        if extend:
            self.move_caret(int(layout.positions[target, 0 if step < 0 else 1]), extend=True)
            self.ensure_visible(self.position)
            return
        self.reveal(target)
        self.set_current(target)
        self.tokenClicked.emit(target)

    def selected_text(self) -> str:
        """Return the selected characters of the text."""
        start, end = self.characters_between(*sorted((self.anchor, self.position)))
        return self._text[start:end]

    def copy(self) -> None:
        """Put what is selected on the clipboard, with its real characters."""
        if self.anchor != self.position:
            QGuiApplication.clipboard().setText(self.selected_text())

    def selectAll(self) -> None:
        """Select all of the text."""
        self.select(0, self.length())

    def undo(self) -> None:
        """Ask for the text before this one; nothing in it was edited."""
        self.otherAsked.emit(-1)

    def redo(self) -> None:
        """Ask for the text that was taken back."""
        self.otherAsked.emit(1)

    # Rows and cells

    def _on_read(self, document: LongDocument) -> None:
        self._job = None
        self._take(document)

    def _take(self, document: LongDocument) -> None:
        self._cells.clear()
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        option.setTabStopDistance(4 * self.fontMetrics().horizontalAdvance(" "))
        self.set_document(document, option)
        if document is not EMPTY:
            self.setAccessibleDescription(
                f"A long text of {len(document):,} lines, to be read and not typed into"
            )

    def _repaint_cells(self) -> None:
        self._cells.clear()
        self.viewport().update()

    def _row_cells(self, row: Row, top: float, bottom: float) -> list[Cell]:
        return [] if self._layout is None else self._cells.of(self._layout, row, top, bottom)

    def caret_moved(self) -> None:
        """Tell what is selected now."""
        first, last = sorted((self.anchor, self.position))
        if first < last:
            self.spanChosen.emit(*self.characters_between(first, last))

    # Qt's questions

    def paintEvent(self, event: QPaintEvent) -> None:
        shown, area = colours(self), QRectF(event.rect())
        blocks = []
        for row, place in self.visible_rows():
            top, bottom = area.top() - place.top(), area.bottom() - place.top()
            if bottom >= 0 and top <= row.height:
                blocks.append((row, place, self._row_cells(row, top, bottom)))
        painter = QPainter(self.viewport())
        painter.setFont(self.font())
        self._painter.draw_under(painter, shown, self._layout, blocks)
        painter.setPen(self.palette().color(QPalette.ColorRole.Text))
        for row, place, _ in blocks:
            row.layout().draw(painter, place.topLeft(), self._selection_in(row), area)
        self._painter.draw_over(painter, shown, self._layout, blocks, self._hovered)
        if self.hasFocus():
            self._draw_caret(painter, blocks)
        painter.end()

    def _selection_in(self, row: Row) -> list[QTextLayout.FormatRange]:
        first, last = sorted((self.anchor, self.position))
        start, end = max(first - row.position(), 0), last - row.position()
        if start >= end or start >= row.length():
            return []
        chosen = QTextLayout.FormatRange()
        chosen.start, chosen.length = start, min(end, row.length()) - start
        shape = QTextCharFormat()
        shape.setBackground(self.palette().color(QPalette.ColorRole.Highlight))
        shape.setForeground(self.palette().color(QPalette.ColorRole.HighlightedText))
        chosen.format = shape
        return [chosen]

    def _draw_caret(self, painter: QPainter, blocks: list[tuple[Row, QRectF, list[Cell]]]) -> None:
        for row, place, _ in blocks:
            if row.position() <= self.position < row.position() + row.length():
                caret = row.caret(self.position).translated(place.topLeft())
                painter.setPen(QColor(colours(self).text))
                painter.drawLine(caret.topLeft(), caret.bottomLeft())

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._cells.clear()
        super().resizeEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "_cells"):
            self._take(self.document)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            extend = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.move_caret(self.position_at(event.position()), extend=extend)
            self._dragging = True

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """A double click selects a token."""
        token = self.token_at(event.position().toPoint())
        if token >= 0 and self._layout is not None:
            self.select(*self._layout.positions[token].tolist())
            self._dragging = False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._dragging and event.buttons() & Qt.MouseButton.LeftButton:
            self._drag_to(event.position().toPoint())
            return
        self._hover(self.token_at(event.position().toPoint()))

    def _drag_to(self, point: QPoint) -> None:
        """Select to the pointer; beyond an edge the text moves on and on."""
        area = self.viewport().rect()
        beyond = -1 if point.y() < 0 else int(point.y() > area.bottom())
        if not beyond:
            self._drag_timer.stop()
        elif not self._drag_timer.isActive():
            self._drag_timer.start()
        self.scroll_lines(beyond)
        self.move_caret(self.position_at(QPointF(point)), extend=True)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._drag_timer.stop()
        pressed, self._dragging = self._dragging, False
        token = self.token_at(event.position().toPoint())
        left = event.button() == Qt.MouseButton.LeftButton
        if left and pressed and token >= 0 and self.anchor == self.position:
            self.set_current(token)
            self.tokenClicked.emit(token)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        if event.key() in steps and (alt or not shift) and not control:
            self.walk(steps[event.key()], extend=shift)
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self.selectAll()
        elif event.matches(QKeySequence.StandardKey.Undo):
            self.undo()
        elif event.matches(QKeySequence.StandardKey.Redo):
            self.redo()
        elif not self.move_by_key(event.key(), shift=shift, control=control):
            super().keyPressEvent(event)
            return
        event.accept()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        copy = menu.addAction("Copy\tCtrl+C", self.copy)
        copy.setEnabled(self.anchor != self.position)
        menu.addAction("Select all\tCtrl+A", self.selectAll)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

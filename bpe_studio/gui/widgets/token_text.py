"""An editable text in which one sees the tokens.

The document's formats are never touched: cells are painted under the text for visible blocks
only, so typing costs what it costs in a plain editor, and undo holds nothing but text.
"""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlock,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from bpe_studio.gui.models import token_layout
from bpe_studio.gui.models.document_text import DocumentText
from bpe_studio.gui.models.token_layout import TokenLayout
from bpe_studio.gui.theme import colours, mono_font
from bpe_studio.gui.widgets.text_edits import TextReplacing
from bpe_studio.gui.widgets.token_cells import Cell, CellCache
from bpe_studio.gui.widgets.token_marks import TokenMarks
from bpe_studio.gui.widgets.token_painter import TokenPainter


class TokenText(TokenMarks, TextReplacing, QPlainTextEdit):
    """A plain-text editor that paints the tokens of its text.

    Signals
    -------
    edited()
        The user changed the text; ask `text()`.
    tokenClicked(int)
        The index of the token that was clicked or walked to.
    tokenHovered(int)
        The token under the pointer, -1 for none.
    spanChosen(int, int)
        The user selected these characters.
    outgrown(object)
        What was pasted made the text too long for an editor; this is the text then. It is not
        shown: who listens does.
    replaced(object)
        What was pasted or deleted made the document another one, which has no way back; this is
        the text before.
    otherAsked(int)
        The document has nothing to take back (-1) or to do again (1): another text is wanted.
    """

    edited = Signal()
    tokenClicked = Signal(int)
    tokenHovered = Signal(int)
    spanChosen = Signal(int, int)
    outgrown = Signal(object)
    replaced = Signal(object)
    otherAsked = Signal(int)

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = DocumentText()
        self._length = 0  # of the document, as the last edit left it
        self._breaks = np.empty(0, np.int64)
        self._editable = True
        self._layout: TokenLayout | None = None
        self._fresh = False
        self._cells = CellCache()
        self._painter = TokenPainter()
        self._loading = False
        self._hovered = -1
        self._locked = False
        self.setFont(mono_font())
        self.setTabStopDistance(4 * self.fontMetrics().horizontalAdvance(" "))
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        self.setTabChangesFocus(False)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDocumentMargin(8)
        self.document().contentsChange.connect(self._on_contents_change)
        self.selectionChanged.connect(self._on_selection_changed)

    def text(self) -> str:
        """Return the text, exactly: carriage returns and odd spaces included."""
        return self._document.text

    def length(self) -> int:
        """Return the length of the text in UTF-16 units, without reading it."""
        return self.document().characterCount() - 1

    def set_text(self, text: str) -> None:
        """Show another text. One with a very long line is shown wrapped and read-only."""
        shown = token_layout.show_text(text)
        self._loading = True
        self.setPlainText(shown.document)
        self._loading = False
        self._document, self._length = DocumentText(text), self.length()
        self._breaks, self._editable = shown.breaks, shown.editable
        self._lock()
        self._painter.found = None
        self.set_layout(None)

    def set_locked(self, locked: bool) -> None:
        """Let the text be read and selected only."""
        self._locked = locked
        self._lock()

    @property
    def layout_is_fresh(self) -> bool:
        """Whether the tokens shown are those of the text shown."""
        return self._fresh

    def token_layout(self) -> TokenLayout | None:
        """Return the tokens on screen."""
        return self._layout

    def set_layout(self, layout: TokenLayout | None, *, whole: bool = True) -> None:
        """Show the tokens of the text, or some of them; those of another text are ignored."""
        if layout is not None and layout.text != self.text():
            return
        if layout is not None and layout.breaks.size != self._breaks.size:
            self._show_anew()
        self._painter.current = self._same_token(layout)
        self._layout, self._fresh = layout, layout is not None and whole
        self._hovered = -1
        self._repaint_cells()

    def _show_anew(self) -> None:
        """A line became too long by typing, or is so no more."""
        character, _ = self.characters_between(*[self.textCursor().position()] * 2)
        self.set_text(self.text())
        self._go_to_character(character)

    def _same_token(self, layout: TokenLayout | None) -> int | None:
        """Find the outlined token among other tokens: the one with the same place, if any."""
        current = self._painter.current
        if layout is None or self._layout is None or current is None or not len(layout):
            return None
        place = self._layout.positions[current]
        token = layout.at_position(int(place[0]))
        same = token is not None and (layout.positions[token] == place).all()
        return token if same else None

    def positions_of(self, characters: np.ndarray) -> np.ndarray:
        """Turn characters of the text into positions of the document."""
        units = self._document.units_at(characters)
        return units + np.searchsorted(self._breaks, units, side="right")

    def go_to(self, position: int) -> None:
        """Bring a position on screen with the caret at it, and nothing selected."""
        cursor = self.textCursor()
        cursor.setPosition(min(position, self.length()))
        self.setTextCursor(cursor)
        if not self.viewport().rect().contains(self.cursorRect().center()):
            self.centerCursor()

    def select(self, start: int, end: int) -> None:
        """Select a span of document positions."""
        cursor = self.textCursor()
        cursor.setPosition(min(start, self.length()))
        cursor.setPosition(min(end, self.length()), QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)

    @property
    def caret_character(self) -> int:
        """The character of the text at the caret, or with which the selection begins."""
        return self.characters_between(*[self.textCursor().selectionStart()] * 2)[0]

    def selected_text(self) -> str:
        """Return the selected characters of the text."""
        cursor = self.textCursor()
        start, end = self.characters_between(cursor.selectionStart(), cursor.selectionEnd())
        return self.text()[start:end]

    def reveal(self, token: int) -> None:
        """Bring a token on screen with the caret before it, and nothing selected."""
        if self._layout is None:
            return
        cursor = self.textCursor()
        cursor.setPosition(int(self._layout.positions[token, 0]))
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    def visible_positions(self) -> tuple[int, int]:
        """The positions of the document that are on screen, and some on either side."""
        area = self.viewport().rect()
        first, last = (
            self.cursorForPosition(corner).position()
            for corner in (area.topLeft(), area.bottomRight())
        )
        more = max(1, last - first)
        return max(0, first - more), min(last + more, self.length())

    def token_at(self, point: QPoint) -> int:
        """Return the index of the token under a point of the viewport, -1 for none."""
        block = self.cursorForPosition(point).block()
        at = self.blockBoundingGeometry(block).translated(self.contentOffset()).topLeft()
        inside = QPointF(point) - at
        for cell in reversed(self._block_cells(block, inside.y(), inside.y())):
            if cell.rect.contains(inside):
                return cell.token
        return -1

    def walk(self, step: int, *, extend: bool = False) -> None:
        """Go to the next (1) or previous (-1) token; extend selects whole tokens."""
        layout, cursor = self._layout, self.textCursor()
        if layout is None or not len(layout):
            return
        current = self._painter.current
        here = layout.at_position(cursor.position()) if current is None else current
        target = min(max((0 if here is None else here) + step, 0), len(layout) - 1)
        if extend:
            cursor.setPosition(
                int(layout.positions[target, 0 if step < 0 else 1]), QTextCursor.MoveMode.KeepAnchor
            )
            self._painter.current = target
            self.setTextCursor(cursor)
            return
        self.reveal(target)
        self.set_current(target)
        self.tokenClicked.emit(target)

    def characters_between(self, start: int, end: int) -> tuple[int, int]:
        """Turn a span of document positions into characters of the text."""
        units = (token_layout.unit_of_position(self._breaks, p) for p in (start, end))
        first, last = (self._document.character_at(unit) for unit in units)
        return first, last

    def _on_contents_change(self, position: int, removed: int, added: int) -> None:
        self._cells.clear()
        if self._loading:
            return
        before = self._length
        self._take_edit(position, added)
        self._move_found(position, self._length - before)
        self._fresh = False
        self._painter.current = None
        if self._layout is not None:
            self._layout = token_layout.moved(
                self._layout, position=position, removed=removed, added=added
            )
        self.edited.emit()

    def _take_edit(self, position: int, added: int) -> None:
        """Keep the text up with the document. Qt may count one more than there is."""
        before, self._length = self._length, self.length()
        added = min(added, self._length - position)
        removed = before - (self._length - added)
        cursor = QTextCursor(self.document())
        cursor.setPosition(position)
        cursor.setPosition(position + added, QTextCursor.MoveMode.KeepAnchor)
        new = token_layout.read_document(cursor.selectedText())
        known = self._document.length == before
        if not (known and self._document.edit(position, removed, new)):
            whole = token_layout.read_document(self.document().toRawText())
            self._document = DocumentText(whole)  # half a pair was put in or taken out

    def _move_found(self, position: int, by: int) -> None:
        """Marks stay at their text until it is looked for again."""
        if self._painter.found is not None:
            spans = self._painter.found
            self._painter.found = spans + np.where(spans > position, by, 0)

    def _on_selection_changed(self) -> None:
        cursor = self.textCursor()
        if cursor.hasSelection() and not self._loading:
            span = self.characters_between(cursor.selectionStart(), cursor.selectionEnd())
            self.spanChosen.emit(*span)

    def _lock(self) -> None:
        """A text with display breaks cannot be edited; one can walk in it all the same."""
        flag = Qt.TextInteractionFlag
        read = flag.TextSelectableByMouse | flag.TextSelectableByKeyboard
        only_read = self._locked or not self._editable
        self.setTextInteractionFlags(read if only_read else flag.TextEditorInteraction)

    @property
    def has_long_line(self) -> bool:
        """Whether a line is shown broken, and the text therefore cannot be typed into."""
        return bool(self._breaks.size)

    def _repaint_cells(self) -> None:
        self._cells.clear()
        self.viewport().update()

    def _block_cells(self, block: QTextBlock, top: float, bottom: float) -> list[Cell]:
        """The cells between two heights of a block."""
        return [] if self._layout is None else self._cells.of(self._layout, block, top, bottom)

    # Qt's questions

    def focusNextPrevChild(self, forwards: bool) -> bool:
        """Tab writes a tab here, so Shift+Tab is the key that leaves the text."""
        return (
            super().focusNextPrevChild(True)
            if forwards
            else QWidget.focusNextPrevChild(self, False)
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        blocks = self._visible_blocks(QRectF(event.rect()))
        under = QPainter(self.viewport())
        self._painter.draw_under(under, colours(self), self._layout, blocks)
        under.end()
        super().paintEvent(event)
        over = QPainter(self.viewport())
        over.setFont(self.font())
        self._painter.draw_over(over, colours(self), self._layout, blocks, self._hovered)
        over.end()

    def _visible_blocks(self, area: QRectF) -> list[tuple[QTextBlock, QRectF, list[Cell]]]:
        found = []
        block, offset = self.firstVisibleBlock(), self.contentOffset()
        while block.isValid():
            place = self.blockBoundingGeometry(block).translated(offset)
            if place.top() > area.bottom():
                break
            if block.isVisible() and place.bottom() >= area.top():
                top, bottom = area.top() - place.top(), area.bottom() - place.top()
                found.append((block, place, self._block_cells(block, top, bottom)))
            block = block.next()
        return found

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lines are wrapped anew; a caret in sight, and what is found there, stays in sight."""
        self._cells.clear()
        seen = QRect(QPoint(), event.oldSize()).intersects(self.cursorRect())
        super().resizeEvent(event)
        if seen:
            self.ensureCursorVisible()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.PaletteChange):
            self._cells.clear()
        super().changeEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._hover(self.token_at(event.position().toPoint()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        left = event.button() == Qt.MouseButton.LeftButton
        token = self.token_at(event.position().toPoint())
        if left and token >= 0 and not self.textCursor().hasSelection():
            self.set_current(token)
            self.tokenClicked.emit(token)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        wanted = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        shift = bool(wanted & Qt.KeyboardModifier.ShiftModifier)
        bare = wanted & ~Qt.KeyboardModifier.ShiftModifier
        walks = bare == Qt.KeyboardModifier.AltModifier or (
            bare == Qt.KeyboardModifier.NoModifier and self.isReadOnly() and not shift
        )
        if event.key() in steps and walks:
            self.walk(steps[event.key()], extend=shift)
            event.accept()
            return
        if event.matches(QKeySequence.StandardKey.Undo):
            self.undo()
        elif event.matches(QKeySequence.StandardKey.Redo):
            self.redo()
        elif not (self.isReadOnly() and not self._locked and self._changes_selection(event)):
            super().keyPressEvent(event)
            return
        event.accept()

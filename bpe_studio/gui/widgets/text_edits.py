"""Putting one text in the place of another, also in a document that cannot be typed into."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QTextDocument

from bpe_studio.gui.models import long_document, token_layout
from bpe_studio.gui.models.display_breaks import needs_breaks


def stays_editable(document: QTextDocument, text: str, begin: int, end: int) -> bool:
    """Whether a text can stand between two positions and leave every line short.

    A longer line is broken for display, and such breaks must not become lines of the text.
    """
    if not token_layout.show_text(text).editable:
        return False
    first, last = document.findBlock(begin), document.findBlock(end)
    before = first.text()[: begin - first.position()]
    after = last.text()[end - last.position() :]
    read = token_layout.read_document
    return not needs_breaks(read(before) + text + read(after))


class TextReplacing:
    """Gives an editor of tokens what is done to its text other than by typing.

    A line that is broken for display makes the document another than the text: then the text is
    changed, and shown anew.
    """

    def replace_selection(self, text: str) -> None:
        """Put a text in the place of what is selected, as one would by pasting.

        What cannot be typed into is shown anew. So is what would become so: a line broken for
        display must not become lines of the text.
        """
        if self._locked:
            return
        cursor = self.textCursor()
        begin, end = cursor.selectionStart(), cursor.selectionEnd()
        most = long_document.MOST_CHARACTERS
        fits = not long_document.is_long(text) and self.length() + len(text) <= most
        if self._editable and fits and stays_editable(self.document(), text, begin, end):
            cursor.insertText(token_layout.show_text(text).document)
            self.ensureCursorVisible()
            return
        start, stop = self.characters_between(begin, end)
        before = self.text()
        whole = before[:start] + text + before[stop:]
        if long_document.is_long(whole):
            self.outgrown.emit(whole)
            return
        self.replaced.emit(before)
        self.set_text(whole)
        self._go_to_character(start + len(text))
        self.edited.emit()

    def undo(self) -> None:
        """Take back the last edit, or ask for the text before this one."""
        if self.document().isUndoAvailable():
            super().undo()
        else:
            self.otherAsked.emit(-1)

    def redo(self) -> None:
        """Do again what was taken back, or ask for the text that was."""
        if self.document().isRedoAvailable():
            super().redo()
        else:
            self.otherAsked.emit(1)

    def _go_to_character(self, character: int) -> None:
        units = self._document.unit_at(character)
        cursor = self.textCursor()
        cursor.setPosition(units + int(np.searchsorted(self._breaks, units, side="left")))
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    def _changes_selection(self, event: QKeyEvent) -> bool:
        """Pasting and deleting also work in a text that cannot be typed into."""
        keys = QKeySequence.StandardKey
        if event.matches(keys.Paste):
            self.paste_text()
        elif event.matches(keys.Cut) and self.textCursor().hasSelection():
            self.copy()
            self.replace_selection("")
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            if self.textCursor().hasSelection():
                self.replace_selection("")
        else:
            return False
        return True

    def paste_text(self) -> None:
        """Put the text of the clipboard in the place of what is selected."""
        text = QGuiApplication.clipboard().text()
        if text:
            self.replace_selection(text)

    def createMimeDataFromSelection(self) -> QMimeData:
        # Qt's own object, filled anew: the clipboard would delete one of Python's after Python has
        # ended, and the process with it. `text()` makes it fetch what it would fetch later.
        data = super().createMimeDataFromSelection()
        data.text()
        for name in data.formats():
            data.removeFormat(name)
        data.setText(self.selected_text())
        return data

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        files = source.hasUrls() and any(url.isLocalFile() for url in source.urls())
        return source.hasText() and not files  # the window opens files that are dropped

    def insertFromMimeData(self, source: QMimeData) -> None:
        if source.hasText():
            self.replace_selection(source.text())

"""A stretch of text with one part of it marked."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QColor, QFontMetrics, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit

from bpe_studio.gui import theme
from bpe_studio.gui.models.legible import legible

ROWS = 2


class ContextView(QPlainTextEdit):
    """Shows what stands before a token, the token, and what follows; all three readable."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setAccessibleName(name)
        self.setFont(theme.table_font())
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self._span = (0, 0)
        self.setFixedHeight(self.sizeHint().height())

    def show_parts(self, before: str, marked: str, after: str) -> None:
        """Show three parts, the middle one marked and in sight."""
        before, marked, after = legible(before), legible(marked), legible(after)
        self.setPlainText(before + marked + after)
        start = _units(before)
        self._span = (start, start + _units(marked))
        self._mark()
        cursor = self.textCursor()
        cursor.setPosition(start)
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    @property
    def marked(self) -> str:
        """What is marked."""
        return self._cursor().selectedText()

    def _cursor(self) -> QTextCursor:
        cursor = self.textCursor()
        cursor.setPosition(self._span[0])
        cursor.setPosition(self._span[1], QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def _mark(self) -> None:
        colours = theme.colours(self)
        shown = QTextEdit.ExtraSelection()
        looks = QTextCharFormat()
        looks.setBackground(QColor(colours.tokens[0]))
        looks.setForeground(QColor(colours.token_text))
        shown.format, shown.cursor = looks, self._cursor()
        self.setExtraSelections([shown])

    def sizeHint(self) -> QSize:
        height = ROWS * QFontMetrics(self.font()).lineSpacing() + 2 * theme.GAP
        return QSize(200, height)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_span"):
            self._mark()


def _units(text: str) -> int:
    """How many of Qt's characters a text has: two for one outside of the first plane."""
    return len(text.encode("utf-16-le", "replace")) // 2

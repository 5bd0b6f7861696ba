"""Painted cells that can be pointed at, walked to and chosen: what such widgets have in common."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAccessible, QAccessibleEvent, QHelpEvent, QMouseEvent
from PySide6.QtWidgets import QToolTip

CHOOSING = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
"""Keys that choose the cell that has the focus."""


class PointedCells:
    """Gives a widget its pointer; it says which cell is where, and what the tooltip of one is."""

    _hovered = -1
    _selected: int | None = None

    def set_selected(self, token: int | None) -> None:
        """Outline the cells of a token."""
        if token != self._selected:
            self._selected = token
            self.update()

    def cell_at(self, point: QPoint) -> int:
        """Return the number of the cell at a point that can be chosen, -1 for none."""
        raise NotImplementedError

    def tip_of(self, cell: int) -> str:
        """Return the tooltip of a cell (escaped rich text); nothing for none."""
        raise NotImplementedError

    def tell_focused(self, words: str) -> None:
        """Tell those who listen instead of look what the cell with the focus is."""
        self.setAccessibleDescription(words)
        event = QAccessibleEvent(self, QAccessible.Event.DescriptionChanged)
        QAccessible.updateAccessibility(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self.cell_at(event.position().toPoint()))

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(-1)

    def _hover(self, cell: int) -> None:
        if cell != self._hovered:
            self._hovered = cell
            pointed = Qt.CursorShape.PointingHandCursor if cell >= 0 else Qt.CursorShape.ArrowCursor
            self.setCursor(pointed)
            self.update()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            cell = self.cell_at(event.pos())
            QToolTip.showText(event.globalPos(), self.tip_of(cell) if cell >= 0 else "", self)
            return True
        return super().event(event)

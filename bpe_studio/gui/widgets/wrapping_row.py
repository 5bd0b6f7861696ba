"""A row of three parts whose middle one goes into a row of its own where there is no room."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from bpe_studio.gui import theme


class WrappingRow(QWidget):
    """Left, middle, right beside each other; or left and right, and the middle below them."""

    def __init__(
        self, left: QWidget, middle: QWidget, right: QWidget, *, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._parts = (left, middle, right)
        self._wrapped: bool | None = None
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(theme.GAP)
        self._grid.setVerticalSpacing(theme.GAP)
        self._grid.setSizeConstraint(QGridLayout.SizeConstraint.SetNoConstraint)
        self._arrange(wrapped=True)

    def show_middle(self, shown: bool) -> None:
        """Show or hide the middle part; hidden, it takes no room."""
        if shown == self._parts[1].isHidden():
            self._parts[1].setVisible(shown)
            self._grid.setVerticalSpacing(theme.GAP if shown else 0)
            self.updateGeometry()

    @property
    def wrapped(self) -> bool:
        """Whether the middle part has a row of its own."""
        return bool(self._wrapped)

    def _arrange(self, *, wrapped: bool) -> None:
        if wrapped == self._wrapped:
            return
        self._wrapped = wrapped
        left, middle, right = self._parts
        for part in self._parts:
            self._grid.removeWidget(part)
        self._grid.addWidget(left, 0, 0)
        self._grid.addWidget(right, 0, 2)
        if wrapped:
            self._grid.addWidget(middle, 1, 0, 1, 3)
        else:
            self._grid.addWidget(middle, 0, 1)
        self._grid.setColumnStretch(0, 2)
        self._grid.setColumnStretch(1, 0 if wrapped else 3)
        self._grid.activate()
        self.updateGeometry()

    def _needed(self) -> int:
        """The width from which all three stand well beside each other."""
        return sum(part.sizeHint().width() + 2 * theme.GAP for part in self._parts)

    # Qt's questions: what is asked for does not depend on how it is arranged now

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange(wrapped=event.size().width() < self._needed())

    def minimumSizeHint(self) -> QSize:
        left, middle, right = (part.minimumSizeHint() for part in self._parts)
        width = max(left.width() + right.width() + theme.GAP, middle.width())
        return QSize(width, self._height(left, middle, right))

    def sizeHint(self) -> QSize:
        hints = [part.sizeHint() for part in self._parts]
        return QSize(hints[0].width() + hints[2].width() + theme.GAP, self._height(*hints))

    def _height(self, left: QSize, middle: QSize, right: QSize) -> int:
        row = max(left.height(), right.height())
        if self._parts[1].isHidden():
            return row
        if self._wrapped:
            return row + theme.GAP + middle.height()
        return max(row, middle.height())

"""A part of a form that is out of the way until it is asked for."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from bpe_studio.gui.widgets.basics import Button, lines


class Fold(QWidget):
    """A quiet line with an arrow; pressing it shows or hides what is below.

    Signals
    -------
    toggled(bool)
        It was opened or closed.
    """

    toggled = Signal(bool)

    def __init__(self, title: str, content: QWidget) -> None:
        super().__init__()
        self.button = Button(title, icon="chevron-right", look="quiet")
        self.button.setCheckable(True)
        self.button.setProperty("fold", True)
        self.button.setCursor(Qt.CursorShape.PointingHandCursor)
        self.content = content
        self.button.toggled.connect(self._toggle)
        column = lines(self.button, content, margin=0, gap=0)
        column.setAlignment(self.button, Qt.AlignmentFlag.AlignLeft)
        self.setLayout(column)
        content.hide()

    def set_title(self, title: str) -> None:
        """Name it differently."""
        self.button.setText(title)
        self.button.setAccessibleName(title)

    def set_open(self, opened: bool) -> None:
        """Open or close it."""
        self.button.setChecked(opened)

    def _toggle(self, opened: bool) -> None:
        self.button.set_icon("chevron-down" if opened else "chevron-right")
        self.content.setVisible(opened)
        self.toggled.emit(opened)

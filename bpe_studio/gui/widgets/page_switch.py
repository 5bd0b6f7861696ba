"""A row of small buttons of which one is down: the pages of a panel."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QWidget

from bpe_studio.gui.widgets.basics import Button


class PageSwitch(QWidget):
    """Chooses a page by its number.

    Signals
    -------
    pageChosen(int)
        Another page is to be shown.
    """

    pageChosen = Signal(int)

    def __init__(self, pages: Sequence[tuple[str, str]]) -> None:
        """`pages` are titles with their tips."""
        super().__init__()
        self._group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for number, (title, tip) in enumerate(pages):
            button = Button(title, look="quiet", tip=tip)
            button.setAccessibleDescription(tip)
            button.setCheckable(True)
            button.setProperty("switch", True)
            self._group.addButton(button, number)
            row.addWidget(button)
        self._group.button(0).setChecked(True)
        self._group.idClicked.connect(self.pageChosen)

    @property
    def page(self) -> int:
        """The page that is shown."""
        return self._group.checkedId()

    def button(self, page: int) -> Button:
        """The button of a page."""
        return self._group.button(page)

    def choose(self, page: int) -> None:
        """Show a page."""
        self._group.button(page).setChecked(True)
        self.pageChosen.emit(page)

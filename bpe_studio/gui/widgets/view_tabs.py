"""The tabs in the centre of the window."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTabWidget, QWidget


class ViewTabs(QTabWidget):
    """One tab a view. The keyboard goes to the row of tabs, never to the frame around it.

    A frame that hands the keyboard on is a stop of its own in Qt's chain, wherever that is: Tab
    would come to the row too early and pass over the dock before it.
    """

    def __init__(self, views: Iterable[QWidget]) -> None:
        super().__init__()
        self.setDocumentMode(True)
        self.tabBar().setDrawBase(False)
        self.setAccessibleName("Views")
        self.setFocusProxy(None)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        for view in views:
            self.addTab(view, view.title)

"""A dock with a small quiet title."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QSizePolicy, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.widgets.basics import IconButton, SectionHeader


class DockTitle(QWidget):
    """The title line of a dock. The mouse goes through it, so that the dock can be dragged."""

    def __init__(self, dock: QDockWidget, text: str) -> None:
        super().__init__(dock)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        header = SectionHeader(text)
        header.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        float_button = IconButton("float", f"Take {text} out of the window, or put it back")
        float_button.clicked.connect(lambda: dock.setFloating(not dock.isFloating()))
        close_button = IconButton("close", f"Hide {text}")
        close_button.clicked.connect(dock.close)
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.MARGIN, theme.GRID, theme.GRID, theme.GRID)
        row.setSpacing(0)
        row.addWidget(header, 1)
        row.addWidget(float_button)
        row.addWidget(close_button)


class Dock(QDockWidget):
    """A dock around one panel; its object name lets a layout be remembered."""

    def __init__(self, panel: QWidget, title: str) -> None:
        super().__init__(title)
        self.setObjectName(f"{panel.objectName() or title}Dock")
        self.setAccessibleName(title)
        self.setWidget(panel)
        self.setTitleBarWidget(DockTitle(self, title))
        # Floating docks have the frame of a window of their own.
        self.setFeatures(
            QDockWidget.DockWidgetFeature.DockWidgetClosable
            | QDockWidget.DockWidgetFeature.DockWidgetMovable
            | QDockWidget.DockWidgetFeature.DockWidgetFloatable
        )

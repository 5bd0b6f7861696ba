"""A quiet line that says what went wrong, until it is closed or no longer true."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.widgets.basics import IconButton, label


class NoticeBar(QWidget):
    """One sentence on a pale ground, and a button that takes it away."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("noticeBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.label = label(wrap=True)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.close_button = IconButton("close", "Close this message")
        self.close_button.clicked.connect(self.hide)
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.MARGIN, theme.GRID, theme.GRID, theme.GRID)
        row.addWidget(self.label, 1)
        row.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        self.hide()

    def tell(self, sentence: str) -> None:
        """Show a sentence."""
        self.label.setText(sentence)
        self.setAccessibleName(sentence)
        self.show()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
            return
        super().keyPressEvent(event)

"""A quiet line that says what went wrong, or asks, until it is closed or answered."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.widgets.basics import Button, IconButton, label


class NoticeBar(QWidget):
    """One sentence on a pale ground, and a button that takes it away."""

    def __init__(self, *, outside: int = 0) -> None:
        """`outside` is the room around it, for a place where nothing else leaves any."""
        super().__init__()
        self.setObjectName("noticeBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self._answer: Callable[[], None] | None = None
        self.label = label(wrap=True)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.action_button = Button(tip="Answer the question")
        self.action_button.clicked.connect(self._answered)
        self.close_button = IconButton("close", "Close this message")
        self.close_button.clicked.connect(self.hide)
        row = QHBoxLayout(self)
        across, down = outside + theme.GRID, outside // 2 + theme.GAP
        row.setContentsMargins(outside + theme.MARGIN, down, across, theme.GAP)
        if outside:
            around = f"{outside // 2}px {outside}px 0 {outside}px"
            self.setStyleSheet(f"#noticeBar {{ margin: {around}; }}")
        row.setSpacing(theme.GAP)
        row.addWidget(self.label, 1)
        row.addWidget(self.action_button)
        row.addWidget(self.close_button)
        self.hide()

    def tell(self, sentence: str) -> None:
        """Show a sentence."""
        self._show(sentence, "", None)

    def ask(
        self, sentence: str, action: str, answer: Callable[[], None], *, focus: bool = True
    ) -> None:
        """Show a sentence and a button that does something, which takes the keyboard or not."""
        self._show(sentence, action, answer)
        if focus:
            self.action_button.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def asking(self) -> bool:
        """Whether a question waits for its answer."""
        return self.isVisible() and self._answer is not None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.asking:
            self._answered()
            return
        super().keyPressEvent(event)

    def _show(self, sentence: str, action: str, answer: Callable[[], None] | None) -> None:
        self._answer = answer
        self.label.setText(sentence)
        self.setAccessibleName(sentence)
        self.action_button.setText(action)
        self.action_button.setAccessibleName(action or "Answer the question")
        self.action_button.setVisible(bool(action))
        self.show()

    def _answered(self) -> None:
        answer, self._answer = self._answer, None
        self.hide()
        if answer is not None:
            answer()

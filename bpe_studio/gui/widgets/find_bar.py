"""A slim bar over a text: what to look for, how many there are, and the way to the next."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.models.text_search import KINDS, PLACES, Question
from bpe_studio.gui.widgets.basics import Button, FilterEdit, IconButton, set_role
from bpe_studio.gui.widgets.elided_label import ElidedLabel
from bpe_studio.gui.widgets.words import plain_tip

PLACEHOLDERS = {
    "Text": "Find in the text",
    "Token": "A token, as it is shown: ␣low or ⟨E2 82⟩",
    "Id": "The id of a token",
    "Character": "Go to this character; the first is 0",
    "Byte": "Go to this byte of the UTF-8; the first is 0",
}


class FindEdit(FilterEdit):
    """Enter goes on, Shift+Enter back, Esc ends it.

    Signals
    -------
    stepAsked(int)
        1 for the next, -1 for the one before.
    left()
        Esc was pressed.
    """

    stepAsked = Signal(int)
    left = Signal()

    def __init__(self) -> None:
        super().__init__("", name="What to look for")

    def set_at_once(self, text: str) -> None:
        """Hold a text that nobody is to be told of a moment later."""
        self.setText(text)
        self._timer.stop()

    def event(self, event: QEvent) -> bool:
        """Esc is for the box, before it is a shortcut of the window."""
        if event.type() == QEvent.Type.ShortcutOverride and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            back = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self.stepAsked.emit(-1 if back else 1)
        else:
            super().keyPressEvent(event)


class FindBar(QWidget):
    """Asks; who listens looks for it and tells the bar.

    Signals
    -------
    asked(object)
        The `Question` is another one now.
    stepAsked(int)
        As of `FindEdit`.
    closed()
        Nothing is looked for any more.
    """

    asked = Signal(object)
    stepAsked = Signal(int)
    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.kind = QComboBox()
        self.kind.addItems(KINDS)
        self.kind.setAccessibleName("What kind of thing to look for")
        self.edit = FindEdit()
        self.case = Button("Aa", look="quiet", tip="Capital and small letters differ")
        self.case.setCheckable(True)
        self.case.setFixedWidth(36)
        self.count = ElidedLabel(role="muted")
        self.count.setAccessibleName("How often it was found")
        self.previous = IconButton("chevron-up", "The one before (Shift+F3)")
        self.next = IconButton("chevron-down", "The next (F3)")
        self.close_button = IconButton("close", "End the search (Esc)")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.GRID)
        row.addWidget(self.kind)
        row.addWidget(self.edit, 1)
        row.addWidget(self.case)
        row.addSpacing(theme.GRID)
        row.addWidget(self.count, 1)
        for button in (self.previous, self.next, self.close_button):
            row.addWidget(button)
        self.kind.currentTextChanged.connect(self._on_kind)
        self.edit.filterChanged.connect(lambda _: self._ask())
        self.case.toggled.connect(lambda _: self._ask())
        self.edit.stepAsked.connect(self.stepAsked)
        self.edit.left.connect(self.end)
        self.previous.clicked.connect(lambda: self.stepAsked.emit(-1))
        self.next.clicked.connect(lambda: self.stepAsked.emit(1))
        self.close_button.clicked.connect(self.end)
        self._goes = self._beginning = False
        self._other = (PLACES[0], "")  # what was last gone to while one finds, and turned round
        self._on_kind(self.kind.currentText())
        self.hide()

    @property
    def goes_to_places(self) -> bool:
        """Whether it asks for a place to go to, and not for something to find."""
        return self._goes

    @property
    def other_kind(self) -> str:
        """The kind that was last gone to while one finds, or last found while one goes."""
        return self._other[0]

    @property
    def question(self) -> Question:
        """What is asked now."""
        return Question(self.kind.currentText(), self.edit.text(), not self.case.isChecked())

    def begin(self, kind: str = "", wanted: str | None = None) -> None:
        """Show the bar with the keyboard in it; with something to look for, ask at once."""
        self.show()
        if kind:
            self._beginning = True  # who begins asks once, and not for what stood there before
            self.kind.setCurrentText(kind)
            self._beginning = False
        if wanted is not None:
            self.edit.set_at_once(wanted)
            self._ask()
        self.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.edit.selectAll()

    def end(self) -> None:
        """Hide the bar."""
        if self.isVisible():
            self.hide()
            self.closed.emit()

    def tell(self, words: str, *, wrong: bool = False) -> None:
        """Say what was found."""
        set_role(self.count, "role", "danger" if wrong else "muted")
        self.count.setText(words)
        self.count.setToolTip(plain_tip(words) if words else "")
        set_role(self.edit, "wrong", wrong)

    def _ask(self) -> None:
        self.asked.emit(self.question)

    def _on_kind(self, kind: str) -> None:
        if (kind in PLACES) != self._goes:  # a number of a place is no text to find
            self._goes, wanted = not self._goes, self._other[1]
            self._other = (self._kind_before, self.edit.text())
            self.edit.set_at_once(wanted)
        self._kind_before = kind
        self.case.setVisible(kind == "Text")
        self.edit.setPlaceholderText(PLACEHOLDERS[kind])
        if not self._beginning:
            self._ask()

"""What a lesson begins with: a text, the base, the rule for ties."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QMenu, QSizePolicy, QWidget

from bpe_studio.bpe.lesson import CORPORA, LessonRules
from bpe_studio.gui import theme
from bpe_studio.gui.widgets.basics import Button, set_role

TYPING_MS = 250
MOST_TYPED = 2**31 - 1
LEAST_WIDTH = 84
BASES = (("bytes", "Bytes"), ("chars", "Characters"))
BASE_TIP = "An ASCII character is its byte: only other characters make a difference"
TIES = (("first-seen", "Ties: first seen"), ("smallest-ids", "Ties: smallest ids"))


class LessonSetup(QWidget):
    """A line of text, examples of it, and two choices.

    Signals
    -------
    textChosen(str)
        Another text, shortly after the last key.
    ended()
        An example was chosen, or Enter was pressed: what follows is for the rows.
    baseChosen(str), tiesChosen(str)
        "bytes" or "chars"; "first-seen" or "smallest-ids".
    """

    textChosen = Signal(str)
    ended = Signal()
    baseChosen = Signal(str)
    tiesChosen = Signal(str)

    def __init__(self, text: str, rules: LessonRules, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = QLineEdit(text)
        self.text.setMaxLength(MOST_TYPED)  # Qt cuts at 32,767, and would not say so
        self.text.setFont(theme.mono_font())
        self.text.setPlaceholderText("A few words that have letters in common")
        self.text.setAccessibleName("Text of the lesson")
        self.text.setCursorPosition(0)
        self.examples = Button("Examples", look="quiet", tip="Texts to begin with")
        menu = QMenu(self.examples)
        for name, example in CORPORA.items():
            action = menu.addAction(name)
            action.setToolTip(example)
            action.triggered.connect(lambda _=False, example=example: self._on_example(example))
        self.examples.setMenu(menu)
        self.base = _combo(BASES, rules.base, "Base symbols", BASE_TIP)
        self.ties = _combo(TIES, rules.ties, "Which of equally frequent pairs is merged")
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(TYPING_MS)
        self._timer.timeout.connect(self._tell)
        self.text.textEdited.connect(lambda _: self._timer.start())
        self.text.returnPressed.connect(self._tell)
        self.text.returnPressed.connect(self.ended)
        self.base.activated.connect(lambda _: self.baseChosen.emit(self.base.currentData()))
        self.ties.activated.connect(lambda _: self.tiesChosen.emit(self.ties.currentData()))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.GAP)
        row.addWidget(self.text, 1)
        row.addWidget(self.examples)

    def _on_example(self, text: str) -> None:
        self.choose_text(text)
        self.ended.emit()

    def choose_text(self, text: str) -> None:
        """Take another text, as if it had been typed."""
        self.text.setText(text)
        self.text.setCursorPosition(0)
        self._tell()

    def show_error(self, sentence: str) -> None:
        """Mark the text as one that cannot be taught."""
        set_role(self.text, "wrong", bool(sentence))
        self.text.setToolTip(sentence)

    def _tell(self) -> None:
        self._timer.stop()
        self.textChosen.emit(self.text.text())


def _combo(
    choices: tuple[tuple[str, str], ...], chosen: str, name: str, tip: str = ""
) -> QComboBox:
    combo = QComboBox()
    for value, words in choices:
        combo.addItem(words, value)
    combo.setCurrentIndex(combo.findData(chosen))
    combo.setAccessibleName(name)
    combo.setToolTip(tip or name)
    combo.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
    combo.setMinimumWidth(LEAST_WIDTH)
    return combo

"""Asks how a text is cut, for a file that does not tell it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QRadioButton,
    QWidget,
)

from bpe_studio.bpe.patterns import PRESETS, resolve_pattern
from bpe_studio.gui import theme
from bpe_studio.gui.widgets.basics import Button, label, lines, set_role

OWN = "own"
ABOUT = {
    "cl100k": "GPT-3.5 and GPT-4",
    "o200k": "GPT-4o and later; capitals and small letters are told apart",
    "llama3": "Llama 3, and copies of cl100k in Hugging Face files",
    "qwen2": "Qwen 2, 2.5 and 3; every digit by itself",
    "tekken": "Mistral Nemo and later",
    "gpt2": "GPT-2, GPT-3 and the models of their time",
    "classic": "BPE Studio's own: words with the space before them",
}
WIDTH = 520


class PatternDialog(QDialog):
    """The presets with a line on each, and room for an expression.

    Signals
    -------
    chosen(str)
        The name of a preset, or an expression that can be used; Cancel sends nothing.
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None, *, name: str, chosen: str = "cl100k") -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("How is a text cut?")
        self.buttons = QButtonGroup(self)
        self.expression = QLineEdit()
        self.expression.setFont(theme.mono_font())
        self.expression.setPlaceholderText(r"\w+|\W+")
        self.expression.setAccessibleName("Expression of the pattern")
        self.trouble = label(role="danger", wrap=True)
        self.open_button = Button("Open", look="primary")
        self.open_button.setDefault(True)
        self._arrange(name)
        self._wire()
        self._choose(chosen)

    def pattern(self) -> str:
        """What is chosen: a name or an expression."""
        name = self.buttons.checkedButton().property("pattern")
        return self.expression.text() if name == OWN else name

    def accept(self) -> None:
        if not self._problem():
            self.chosen.emit(self.pattern())
            super().accept()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _arrange(self, name: str) -> None:
        asked = label(f"{name} does not say how a text is cut into pieces.", wrap=True)
        why = label(
            "Ids are right only with the pattern that the file was made with.",
            role="muted",
            wrap=True,
        )
        grid = QGridLayout()
        grid.setHorizontalSpacing(theme.MARGIN)
        grid.setVerticalSpacing(theme.GRID)
        for row, pattern in enumerate([*ABOUT, *(p for p in PRESETS if p not in ABOUT)]):
            grid.addWidget(self._radio(pattern, pattern), row, 0)
            grid.addWidget(label(ABOUT.get(pattern, ""), role="muted"), row, 1)
        own = grid.rowCount()
        grid.addWidget(self._radio("Another", OWN), own, 0)
        grid.addWidget(self.expression, own, 1)
        grid.addWidget(self.trouble, own + 1, 1)
        grid.setColumnStretch(1, 1)
        cancel = Button("Cancel")
        cancel.clicked.connect(self.reject)
        buttons = QHBoxLayout()
        buttons.setSpacing(theme.GAP)
        buttons.addStretch(1)
        buttons.addWidget(cancel)
        buttons.addWidget(self.open_button)
        column = lines(asked, why, grid, buttons, margin=2 * theme.MARGIN, gap=theme.MARGIN)
        self.setLayout(column)
        self.setMinimumWidth(WIDTH)

    def _radio(self, text: str, pattern: str) -> QRadioButton:
        button = QRadioButton(text)
        button.setProperty("pattern", pattern)
        if pattern in PRESETS:
            button.setAccessibleDescription(ABOUT.get(pattern, ""))
        self.buttons.addButton(button)
        return button

    def _wire(self) -> None:
        self.open_button.clicked.connect(self.accept)
        self.buttons.buttonToggled.connect(lambda *_: self._show())
        self.expression.textEdited.connect(lambda _: self._choose(OWN))

    def _choose(self, pattern: str) -> None:
        known = {button.property("pattern"): button for button in self.buttons.buttons()}
        if pattern not in known and pattern:
            self.expression.setText(pattern)
        known.get(pattern, known[OWN]).setChecked(True)
        self._show()

    def _problem(self) -> str:
        if self.buttons.checkedButton().property("pattern") != OWN:
            return ""
        if not self.expression.text():
            return "Write an expression for the regex package."
        try:
            resolve_pattern(self.expression.text())
        except (ValueError, RecursionError, OverflowError, MemoryError) as error:
            return str(error) or "The expression cannot be used."
        return ""

    def _show(self) -> None:
        problem = self._problem()
        shown = problem if self.expression.text() else ""
        self.trouble.setText(shown)
        self.trouble.setVisible(bool(shown))
        set_role(self.expression, "wrong", bool(shown))
        self.open_button.setEnabled(not problem)
        self._fit()

    def _fit(self) -> None:
        """Keep room for all lines; by itself, a dialog stays as it is when a label grows."""
        layout = self.layout()
        layout.activate()
        width = max(self.width(), self.minimumWidth())
        self.setMinimumHeight(layout.totalHeightForWidth(width))

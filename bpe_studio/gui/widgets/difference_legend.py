"""The classes of difference with their counts: a key to the marks, and what is walked through."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from bpe_studio.analysis.compare_text import DIFFERENCES, Difference
from bpe_studio.gui import theme
from bpe_studio.gui.models.difference_walk import EVERY
from bpe_studio.gui.models.numbers import grouped
from bpe_studio.gui.widgets import difference_marks
from bpe_studio.gui.widgets.basics import IconButton

WORDS: dict[Difference, tuple[str, str]] = {
    "a-splits": ("A splits", "A cuts where B does not"),
    "b-splits": ("B splits", "B cuts where A does not"),
    "different-cuts": ("Other cuts", "Each cuts where the other does not"),
}


class DifferenceLegend(QWidget):
    """A button a class, down where the class is walked through; and the two steps.

    Signals
    -------
    kindsChanged()
        Other classes are wanted than before.
    stepAsked(int)
        The next difference (1) or the one before (-1) is wanted.
    """

    kindsChanged = Signal()
    stepAsked = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.buttons: dict[Difference, QToolButton] = {}
        for kind, (_, tip) in WORDS.items():
            self.buttons[kind] = self._button(kind, tip)
        self.previous_button = IconButton("chevron-up", "Previous difference")
        self.next_button = IconButton("chevron-down", "Next difference")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for button in self.buttons.values():
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(self.previous_button)
        row.addWidget(self.next_button)
        self.previous_button.clicked.connect(lambda: self.stepAsked.emit(-1))
        self.next_button.clicked.connect(lambda: self.stepAsked.emit(1))
        self.set_counts({})

    @property
    def kinds(self) -> frozenset[Difference]:
        """The classes that are walked through."""
        return frozenset(kind for kind in EVERY if self.buttons[kind].isChecked())

    def next_class(self) -> None:
        """Want only the next class of those that there are; after the last one, all."""
        there = [kind for kind, button in self.buttons.items() if button.isEnabled()]
        alone = next(iter(self.kinds)) if len(self.kinds) == 1 else None
        place = there.index(alone) + 1 if alone in there else 0
        only = there[place] if place < len(there) else None
        for kind, button in self.buttons.items():
            button.setChecked(only in (None, kind))

    def set_counts(self, counts: Mapping[Difference, int]) -> None:
        """Say how many there are of each class; none where there is no text."""
        for kind, button in self.buttons.items():
            words = WORDS[kind][0]
            told = f"{words} {grouped(counts[kind])}" if kind in counts else words
            button.setText(f" {told}")  # a gap after the line
            button.setEnabled(bool(counts.get(kind)))
        self.tell_walk(0)

    def tell_walk(self, total: int) -> None:
        """Say how many there are to walk through."""
        for button in (self.previous_button, self.next_button):
            button.setEnabled(total > 0)

    def _button(self, kind: Difference, tip: str) -> QToolButton:
        button = QToolButton()
        button.setCheckable(True)
        button.setChecked(True)
        button.setAutoRaise(True)
        button.setProperty("legend", True)
        button.setIconSize(QSize(18, 12))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setToolTip(f"{tip}. Click to let next and previous pass these by, or not.")
        button.setAccessibleName(tip)
        button.toggled.connect(lambda _: self._on_toggled())
        return button

    def _on_toggled(self) -> None:
        self._draw()
        self.kindsChanged.emit()

    def _draw(self) -> None:
        shown = theme.colours(self)
        for kind, button in self.buttons.items():
            number, ratio = DIFFERENCES.index(kind), self.devicePixelRatioF()
            faint = not button.isChecked()
            button.setIcon(difference_marks.swatch(shown, number, ratio=ratio, faint=faint))

    # Qt's questions

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()
        super().changeEvent(event)

    def showEvent(self, event: QEvent) -> None:
        super().showEvent(event)
        self._draw()

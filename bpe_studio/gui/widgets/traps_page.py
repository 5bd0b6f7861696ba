"""Traps of tokenizers, one click each: a sentence and the results that show it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QGridLayout, QWidget

from bpe_studio.analysis.traps import TRAPS, Side, Trap
from bpe_studio.bpe.decoder import readable
from bpe_studio.gui import theme
from bpe_studio.gui.models.token_details import is_partial
from bpe_studio.gui.widgets.basics import Button, label, lines
from bpe_studio.gui.widgets.token_chips import Chip, TokenChips
from bpe_studio.gui.widgets.units_page import enlarge, scrolled

COLUMNS = 3
LARGER = 1.0
MOST_SIDES = 3
MOST_IDS = 24
TIPS = {
    "order": "The same merges, sorted by how often their tokens are used",
    "spaces": "A word without its leading space",
    "shift": "A base vocabulary shifted by the specials",
    "numbers": "How digits are grouped",
    "case": "The same word in capitals",
    "letters": "The letters of strawberry",
}


class TrapsPage(QWidget):
    """Six buttons, and what the chosen one shows.

    Signals
    -------
    trapChosen(str)
        The name of a trap.
    tokenChosen(int)
        A token of a result was clicked.
    endAsked()
        The lesson is to be merged to its end, for what it holds so far shows nothing.
    """

    trapChosen = Signal(str)
    tokenChosen = Signal(int)
    endAsked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.trap: Trap | None = None
        self.buttons: dict[str, Button] = {}
        self._group = QButtonGroup(self)
        grid = QGridLayout()
        grid.setSpacing(theme.GRID)
        for place, (key, (title, _)) in enumerate(TRAPS.items()):
            button = Button(title, look="quiet", tip=f"{TIPS[key]} ({place + 1})")
            button.setCheckable(True)
            button.clicked.connect(lambda _=False, key=key: self.choose(key))
            self._group.addButton(button)
            self.buttons[key] = button
            grid.addWidget(button, place // COLUMNS, place % COLUMNS)
        self.sentence = label(wrap=True)
        font = theme.ui_font()
        font.setPointSizeF(font.pointSizeF() + LARGER)
        self.sentence.setFont(font)
        self.sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.end_button = Button("Merge to the end", icon="arrow-right", tip="All merges (End)")
        self.end_button.clicked.connect(self.endAsked)
        self.end_button.hide()
        self.sides = [SideView() for _ in range(MOST_SIDES)]
        content = QWidget()
        column = lines(
            grid, self.sentence, self.end_button, *self.sides, margin=0, gap=theme.MARGIN
        )
        column.setAlignment(self.end_button, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        content.setLayout(column)
        self.setLayout(lines(scrolled(content), margin=0, gap=0))
        for side in self.sides:
            side.chips.chosen.connect(self.tokenChosen)
            side.hide()
        self.key = next(iter(TRAPS))
        self.buttons[self.key].setChecked(True)

    def choose(self, key: str) -> None:
        """Ask for another trap."""
        self.key = key
        self.buttons[key].setChecked(True)
        self.trapChosen.emit(key)

    def show_trap(self, trap: Trap, *, unfinished: bool = False) -> None:
        """Show an answer; of an `unfinished` lesson, one that shows nothing offers the rest."""
        self.trap = trap
        self.end_button.setVisible(unfinished and not trap.shown)
        self.sentence.setText(trap.sentence)
        for number, view in enumerate(self.sides):
            view.setVisible(number < len(trap.sides))
            if number < len(trap.sides):
                view.show_side(trap.sides[number])

    def show_failure(self, sentence: str) -> None:
        """Say why there is no answer."""
        self.trap = None
        self.end_button.hide()
        self.sentence.setText(sentence)
        for view in self.sides:
            view.hide()

    def set_larger(self, points: float) -> None:
        """Larger type than the window's, where there is room."""
        enlarge((self.sentence,), points)
        for side in self.sides:
            enlarge((side.label, side.ids), points)
            side.chips.set_larger(points)


class SideView(QWidget):
    """One result: what it is, its tokens and their ids."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = label(role="muted", wrap=True)
        self.chips = TokenChips(most_lines=MOST_SIDES)
        self.ids = label(role="muted", wrap=True)
        self.ids.setFont(theme.table_font())
        self.setLayout(lines(self.label, self.chips, self.ids, margin=0, gap=theme.GRID))

    def show_side(self, side: Side) -> None:
        """Show one of the results."""
        self.label.setText(side.label)
        self.chips.set_chips(
            [
                Chip(text=readable(data), token=token, hue=place, partial=is_partial(data))
                for place, (token, data) in enumerate(zip(side.ids, side.tokens, strict=True))
            ]
        )
        more = " …" if len(side.ids) > MOST_IDS else ""
        self.ids.setText(f"ids {' '.join(map(str, side.ids[:MOST_IDS]))}{more}")

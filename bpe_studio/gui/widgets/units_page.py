"""Units side by side: characters, words and byte pairs of one text, and a word never seen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QScrollArea, QWidget

from bpe_studio.analysis.units import TITLES, Outcome, SideBySide, Unit
from bpe_studio.gui import theme
from bpe_studio.gui.widgets.basics import label, lines, set_role
from bpe_studio.gui.widgets.token_chips import Chip, TokenChips
from bpe_studio.gui.widgets.words import counted, number

TYPING_MS = 250
MOST_CHIPS = 120
MOST_LINES = 2
FIRST_SIZE = "firstPointSize"


class UnitsPage(QWidget):
    """Four ways to cut the same text.

    Signals
    -------
    wordChosen(str)
        Ask all of them for this word; nothing for one that the text lacks.
    """

    wordChosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.word = QLineEdit()
        self.word.setAccessibleName("A word never seen")
        self.word.setFont(theme.mono_font())
        self.found: SideBySide | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(TYPING_MS)
        self._timer.timeout.connect(lambda: self.wordChosen.emit(self.word.text()))
        self.word.textEdited.connect(lambda _: self._timer.start())
        self.rows = {kind: UnitRow(title) for kind, title in TITLES.items()}
        asked = QHBoxLayout()
        asked.setSpacing(theme.GAP)
        self.asked = label("A word never seen", role="muted")
        asked.addWidget(self.asked)
        asked.addWidget(self.word, 1)
        content = QWidget()
        self.note = label(role="muted", wrap=True)
        self.note.hide()
        column = lines(asked, self.note, *self.rows.values(), margin=0, gap=theme.MARGIN)
        column.addStretch(1)
        content.setLayout(column)
        scroll = scrolled(content)
        outer = lines(scroll, margin=0, gap=0)
        self.setLayout(outer)

    def show_units(self, found: SideBySide) -> None:
        """Show an answer."""
        self.found = found
        self._say("")
        self.word.setPlaceholderText(found.word)
        for unit in found.units:
            self.rows[unit.kind].show_unit(unit)

    def show_failure(self, sentence: str) -> None:
        """Say why there is no answer, or not yet."""
        self.found = None
        self._say(sentence)

    def _say(self, sentence: str) -> None:
        self.note.setText(sentence)
        self.note.setVisible(bool(sentence))
        for row in self.rows.values():
            row.setVisible(not sentence)

    def set_larger(self, points: float) -> None:
        """Larger type than the window's, where there is room."""
        enlarge((self.asked, self.word, self.note), points)
        for row in self.rows.values():
            row.set_larger(points)


class UnitRow(QWidget):
    """One unit: how large, how long, the tokens, and what became of the word."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._larger = 0.0
        self.title = label(title)
        font = theme.ui_font()
        font.setWeight(font.Weight.DemiBold)
        self.title.setFont(font)
        self.figures = label()
        self.chips = TokenChips(most_lines=MOST_LINES)
        self.sentence = label(wrap=True, role="muted")
        self.unseen = TokenChips(most_lines=1)
        head = QHBoxLayout()
        head.setSpacing(theme.GAP)
        head.addWidget(self.title, 1)
        head.addWidget(self.figures)
        self.setLayout(
            lines(head, self.chips, self.sentence, self.unseen, margin=0, gap=theme.GRID)
        )

    def show_unit(self, unit: Unit) -> None:
        """Show a unit of an answer."""
        size = f"vocabulary {number(unit.vocab_size)}"
        length = unit.text.error or counted(len(unit.text), "token")
        self.figures.setText(f"{size}  ·  {length}")
        _show(self.chips, unit.text)
        self.sentence.setText(unit.sentence)
        set_failed(self.sentence, failed=bool(unit.unseen.error))
        enlarge((self.sentence,), self._larger)  # a new role takes the font of the stylesheet
        _show(self.unseen, unit.unseen)

    def set_larger(self, points: float) -> None:
        """Larger type than the window's."""
        self._larger = points
        enlarge((self.title, self.figures, self.sentence), points)
        for chips in (self.chips, self.unseen):
            chips.set_larger(points)


def _show(chips: TokenChips, outcome: Outcome) -> None:
    chips.set_chips(word_chips(outcome.tokens))
    chips.setVisible(bool(outcome.tokens))


def word_chips(tokens: Sequence[str]) -> list[Chip]:
    """Chips of tokens that have no id of a table, in alternating hues."""
    shown = [
        Chip(text=token, token=place, hue=place) for place, token in enumerate(tokens[:MOST_CHIPS])
    ]
    more = len(tokens) - MOST_CHIPS
    return [*shown, Chip(text=f"… {number(more)} more")] if more > 0 else shown


def set_failed(sentence: QWidget, *, failed: bool) -> None:
    """Give a sentence the ink of a failure, or of a remark."""
    set_role(sentence, "role", "warning" if failed else "muted")


def enlarge(parts: Iterable[QWidget], points: float) -> None:
    """Give labels and fields larger type than they began with."""
    for part in parts:
        first = part.property(FIRST_SIZE)
        if first is None:
            first = part.font().pointSizeF()
            part.setProperty(FIRST_SIZE, first)
        font = part.font()
        font.setPointSizeF(max(theme.SMALLEST_POINTS, first + points))
        part.setFont(font)


def scrolled(content: QWidget) -> QScrollArea:
    """A column that scrolls where it is too long, and is as wide as there is room."""
    scroll = QScrollArea()
    scroll.setWidgetResizable(True)
    scroll.setFrameShape(QFrame.Shape.NoFrame)
    scroll.setFocusPolicy(scroll.focusPolicy().NoFocus)
    scroll.setWidget(content)
    return scroll

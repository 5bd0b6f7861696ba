"""The same text under two tables: in two panes beside each other, or once with both cuts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QWidget

from bpe_studio.analysis.unknown_tokens import unknown_ids
from bpe_studio.gui import theme
from bpe_studio.gui.models.text_pair import TextPair
from bpe_studio.gui.models.token_details import describe, tooltip
from bpe_studio.gui.models.token_layout import TokenLayout
from bpe_studio.gui.widgets.basics import label, lines
from bpe_studio.gui.widgets.both_cuts_view import BothCutsView
from bpe_studio.gui.widgets.elided_label import ElidedLabel
from bpe_studio.gui.widgets.long_text_view import LongTextView
from bpe_studio.gui.widgets.words import counted, number, plain_tip

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

BESIDE, ONCE = range(2)
NO_TEXT = "There is no text to set under both."
UNKNOWN = (
    "Nothing is left of text that a table cannot spell, so it seems to need fewer tokens than it "
    "does."
)


class TextPairView(QWidget):
    """Panes to read in that scroll together and whose cursors go together.

    Signals
    -------
    tokenChosen(int, int)
        A token was clicked or walked to: the side (0 for A, 1 for B) and its index there.
    """

    tokenChosen = Signal(int, int)

    def __init__(self) -> None:
        super().__init__()
        self._pair: TextPair | None = None
        self._tokenizers: tuple[Tokenizer, Tokenizer] | None = None
        self.panes = (self._pane("A"), self._pane("B"))
        self.both = BothCutsView()
        self.both.setAccessibleName("The text with the cuts of A above and of B below")
        self.figures = (ElidedLabel(role="muted"), ElidedLabel(role="muted"))
        self.differences = label(role="muted", wrap=True)
        self.views = QStackedWidget()
        self._arrange()
        self._wire()

    @property
    def pair(self) -> TextPair | None:
        """What is shown."""
        return self._pair

    @property
    def tokenizers(self) -> tuple[Tokenizer, Tokenizer] | None:
        """Those that the pair is of."""
        return self._tokenizers

    def set_pair(self, pair: TextPair, tokenizers: tuple[Tokenizer, Tokenizer]) -> None:
        """Show a text under two tables; the place stays where the text does."""
        self._pair, self._tokenizers = pair, tokenizers
        self._fill(self.views.currentIndex())
        self._tell(pair)

    def wait(self, words: str) -> None:
        """Say that another comparison is being made; what was shown holds no more."""
        if self._pair is not None or any(view.text() for view in self._views):
            self.clear()
        self.say(words)

    def say(self, words: str) -> None:
        """Say something of the whole text."""
        self.differences.setText(words)
        self.differences.setVisible(bool(words))

    def clear(self) -> None:
        """Show nothing."""
        self._pair = self._tokenizers = None
        for view in self._views:
            view.set_text("")
        for figure in self.figures:
            figure.setText("")
        self.say("")

    def show_view(self, view: int) -> None:
        """Show two panes (`BESIDE`) or the text once (`ONCE`)."""
        at = self._views_of(self.views.currentIndex())[0].top
        self.views.setCurrentIndex(view)
        if self._pair is not None:
            self._fill(view)
            for shown in self._views_of(view):
                shown.scroll_to(at)

    def set_whitespace_shown(self, shown: bool) -> None:
        """Show signs for spaces in every pane."""
        for view in self._views:
            view.set_whitespace_shown(shown)

    def layout_of(self, side: int) -> TokenLayout | None:
        """Return the tokens of one side."""
        return None if self._pair is None else (self._pair.a, self._pair.b)[side]

    def tokens_in(self, start: int, end: int) -> tuple[list[int], list[int]]:
        """The ids of both sides for a span of characters that both cut out."""
        found = []
        for layout in (self.layout_of(0), self.layout_of(1)):
            ids: list[int] = []
            if layout is not None:
                first, last = np.searchsorted(
                    layout.characters[:, 1], (start, end), side="right"
                ).tolist()
                ids = layout.ids[first if start else 0 : last].tolist()
            found.append(ids)
        return found[0], found[1]

    def reveal(self, character: int) -> None:
        """Bring a character on screen, and outline the tokens there in both."""
        tokens = [self._token_at(side, character) for side in (0, 1)]
        self._outline(tokens)
        for side, view in enumerate(self._views_of(self.views.currentIndex())):
            layout = self.layout_of(side)
            token = tokens[side]
            if layout is not None and token is not None:
                position = int(layout.positions[token, 0])
                view.move_caret(position)
                view.centre_on(position)

    def link(self, side: int, token: int) -> None:
        """Outline a token of one side, and what the other one has at its first character."""
        layout = self.layout_of(side)
        if layout is None:
            return
        other = self._token_at(1 - side, int(layout.characters[token, 0]))
        self._outline([token, other] if side == 0 else [other, token])
        beside, theirs = self.panes[1 - side], self.layout_of(1 - side)
        if other is not None and theirs is not None and self.views.currentIndex() == BESIDE:
            beside.move_caret(int(theirs.positions[other, 0]))
            beside.scroll_to(self.panes[side].top)

    def _outline(self, tokens: list[int | None]) -> None:
        for pane, token in zip(self.panes, tokens, strict=True):
            pane.set_current(token)
        self.both.set_chosen(tokens[0], tokens[1])

    def _token_at(self, side: int, character: int) -> int | None:
        layout = self.layout_of(side)
        if layout is None or not len(layout):
            return None
        token = int(np.searchsorted(layout.characters[:, 1], character, side="right"))
        return min(token, len(layout) - 1)

    # Construction

    @property
    def _views(self) -> tuple[LongTextView, ...]:
        return (*self.panes, self.both)

    def _views_of(self, view: int) -> tuple[LongTextView, ...]:
        return self.panes if view == BESIDE else (self.both,)

    def _fill(self, view: int) -> None:
        """Only what is on screen is laid out."""
        pair = self._pair
        assert pair is not None
        layouts, marked = (pair.a, pair.b), (pair.marked_a, pair.marked_b)
        for side, shown in enumerate(self._views_of(view)):
            if shown.text() != pair.a.text:
                shown.set_text(pair.a.text)
            shown.set_marks(marked[side])
            if shown is not self.both:
                shown.set_layout(layouts[side])
        if view == ONCE:
            self.both.set_pair(*layouts)

    def _pane(self, name: str) -> LongTextView:
        pane = LongTextView()
        pane.setAccessibleName(f"The text under {name}")
        return pane

    def _arrange(self) -> None:
        heads, beside = QHBoxLayout(), QHBoxLayout()
        for row in (heads, beside):
            row.setContentsMargins(0, 0, 0, 0)
            row.setSpacing(theme.GAP)
        for figure, pane in zip(self.figures, self.panes, strict=True):
            figure.setFont(theme.small_font())
            heads.addWidget(figure, 1)
            beside.addWidget(pane, 1)
        two = QWidget()
        two.setLayout(beside)
        self.views.addWidget(two)
        self.views.addWidget(self.both)
        column = lines(heads, margin=0, gap=theme.GRID)
        column.addWidget(self.views, 1)
        column.addWidget(self.differences)
        self.setLayout(column)

    def _wire(self) -> None:
        a, b = self.panes
        a.scrolled.connect(lambda: b.scroll_to(a.top))
        b.scrolled.connect(lambda: a.scroll_to(b.top))
        a.tokenClicked.connect(lambda token: self._on_token(0, token))
        b.tokenClicked.connect(lambda token: self._on_token(1, token))
        self.both.sideChosen.connect(self._on_token)
        a.set_tip(lambda token: self._tip(0, token))
        b.set_tip(lambda token: self._tip(1, token))
        self.both.set_side_tip(self._tip)

    def _on_token(self, side: int, token: int) -> None:
        self.link(side, token)
        self.tokenChosen.emit(side, token)

    def _tell(self, pair: TextPair) -> None:
        found = pair.comparison
        ratios = (found.characters_per_token_a, found.characters_per_token_b)
        extra = _extra(found.extra_percent) if found.tokens_a and found.tokens_b else ""
        for side, tokens in enumerate((found.tokens_a, found.tokens_b)):
            per_token = f" · {ratios[side]:.2f} chars/token" if tokens else ""
            last = extra if side else ""
            unknown = self._unknown(side)
            lacks = f" · {number(unknown)} unknown" if unknown else ""
            words = f"{'AB'[side]} · {counted(tokens, 'token')}{last}{lacks}{per_token}"
            self.figures[side].setText(words)
            self.figures[side].setToolTip(plain_tip(f"{words}. {UNKNOWN}" if unknown else words))
        self.say(words_of(pair))

    def _unknown(self, side: int) -> int:
        """How many of the tokens shown stand for text that the table cannot spell."""
        layout = self.layout_of(side)
        if layout is None or self._tokenizers is None:
            return 0
        return unknown_ids(self._tokenizers[side], layout.ids)

    def _tip(self, side: int, token: int) -> str:
        layout = self.layout_of(side)
        if layout is None or self._tokenizers is None:
            return ""
        begin, end = layout.bytes[token].tolist()
        details = describe(self._tokenizers[side], int(layout.ids[token]))
        return tooltip(details, span=(begin, end))


def _extra(percent: float) -> str:
    digits = 1 if abs(percent) < 10 else 0
    return f" ({percent:+.{digits}f} %)".replace("-", "−")


def words_of(pair: TextPair) -> str:
    """What is to be said of a pair beside its figures; "" where the counts of classes say all."""
    if not len(pair.a):
        return NO_TEXT
    parts = []
    if not any(pair.comparison.counts.values()):
        parts.append("Both cut this text alike.")
    if len(pair.a.text) < pair.comparison.characters:
        parts.append(
            f"Shown are the first {number(len(pair.a.text))} characters; the figures are those of "
            f"all {number(pair.comparison.characters)}."
        )
    return " ".join(parts)

"""The same text under two tables, side by side, with what differs underlined."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.models.compare_rows import TextPair
from bpe_studio.gui.models.token_details import describe, tooltip
from bpe_studio.gui.models.token_layout import TokenLayout
from bpe_studio.gui.widgets.basics import IconButton, label
from bpe_studio.gui.widgets.elided_label import ElidedLabel
from bpe_studio.gui.widgets.token_text import TokenText
from bpe_studio.gui.widgets.words import counted, number

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer


class TextPairView(QWidget):
    """Two read-only panes that scroll together.

    Signals
    -------
    tokenChosen(int, int)
        A token was clicked: the side (0 for A, 1 for B) and its index there.
    """

    tokenChosen = Signal(int, int)

    def __init__(self) -> None:
        super().__init__()
        self._pair: TextPair | None = None
        self._tokenizers: tuple[Tokenizer, Tokenizer] | None = None
        self._at = -1
        self.panes = (self._pane("A"), self._pane("B"))
        self.figures = (ElidedLabel(role="muted"), ElidedLabel(role="muted"))
        self.differences = label(role="muted", wrap=True)
        self.previous_button = IconButton("chevron-up", "Previous difference")
        self.next_button = IconButton("chevron-down", "Next difference")
        self._arrange()
        self._wire()

    def set_pair(self, pair: TextPair | None, tokenizers: tuple[Tokenizer, Tokenizer]) -> None:
        """Show a text under two tables."""
        self._pair, self._tokenizers, self._at = pair, tokenizers, -1
        if pair is None:
            self.clear()
            return
        marked = (pair.marked_a, pair.marked_b)
        for side, layout in enumerate((pair.a, pair.b)):
            pane = self.panes[side]
            if pane.text() != layout.text:
                pane.set_text(layout.text)
            pane.set_layout(layout)
            pane.set_marks(marked[side])
        self._tell(pair)

    def wait(self, words: str) -> None:
        """Say that another comparison is being made; what was shown holds no more."""
        if self._pair is not None or any(pane.text() for pane in self.panes):
            self.clear()
        self.differences.setText(words)

    @property
    def pair(self) -> TextPair | None:
        """What is shown."""
        return self._pair

    def clear(self) -> None:
        """Show nothing."""
        self._pair = self._tokenizers = None
        for pane, figure in zip(self.panes, self.figures, strict=True):
            pane.set_text("")
            figure.setText("")
        self.differences.setText("")
        self._enable(False)

    def set_whitespace_shown(self, shown: bool) -> None:
        """Show signs for spaces in both panes."""
        for pane in self.panes:
            pane.set_whitespace_shown(shown)

    def layout_of(self, side: int) -> TokenLayout | None:
        """Return the tokens of one side."""
        return self.panes[side].token_layout()

    def go(self, step: int) -> None:
        """Go to the next (1) or previous (-1) difference, round the ends."""
        if self._pair is None or not len(places := self._places()):
            return
        first = 0 if step > 0 else len(places) - 1
        self._at = first if self._at < 0 else (self._at + step) % len(places)
        character = int(places[self._at])
        for side, layout in enumerate((self._pair.a, self._pair.b)):
            token = int(np.searchsorted(layout.characters[:, 1], character, side="right"))
            self.panes[side].reveal(token)
            self.panes[side].set_current(token)

    def _places(self) -> np.ndarray:
        found, shown = self._pair.comparison, len(self._pair.a.text)
        return found.starts[(found.kinds != 0) & (found.starts < shown)]

    def _pane(self, name: str) -> TokenText:
        pane = TokenText()
        pane.setAccessibleName(f"The text under {name}")
        pane.set_locked(True)
        return pane

    def _arrange(self) -> None:
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        for figure, pane in zip(self.figures, self.panes, strict=True):
            side = QWidget()
            column = QVBoxLayout(side)
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(theme.GRID)
            column.addWidget(figure)
            column.addWidget(pane, 1)
            split.addWidget(side)
        bottom = QHBoxLayout()
        bottom.setSpacing(theme.GRID)
        bottom.addWidget(self.differences, 1)
        bottom.addWidget(self.previous_button)
        bottom.addWidget(self.next_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.GRID)
        column.addWidget(split, 1)
        column.addLayout(bottom)

    def _wire(self) -> None:
        a, b = self.panes
        bars = a.verticalScrollBar(), b.verticalScrollBar()
        bars[0].valueChanged.connect(bars[1].setValue)
        bars[1].valueChanged.connect(bars[0].setValue)
        a.tokenClicked.connect(lambda token: self.tokenChosen.emit(0, token))
        b.tokenClicked.connect(lambda token: self.tokenChosen.emit(1, token))
        a.set_tip(lambda token: self._tip(0, token))
        b.set_tip(lambda token: self._tip(1, token))
        self.previous_button.clicked.connect(lambda: self.go(-1))
        self.next_button.clicked.connect(lambda: self.go(1))

    def _tell(self, pair: TextPair) -> None:
        found = pair.comparison
        ratios = (found.characters_per_token_a, found.characters_per_token_b)
        extra = f" ({found.extra_percent:+.1f} %)" if found.tokens_a and found.tokens_b else ""
        for side, tokens in enumerate((found.tokens_a, found.tokens_b)):
            per_token = f"  ·  {ratios[side]:.2f} chars/token" if tokens else ""
            name = "AB"[side]
            last = extra if side else ""
            self.figures[side].setText(f"{name}  ·  {counted(tokens, 'token')}{last}{per_token}")
        self.differences.setText(_words_of(pair))
        self._enable(any(found.counts.values()))

    def _enable(self, enabled: bool) -> None:
        self.previous_button.setEnabled(enabled)
        self.next_button.setEnabled(enabled)

    def _tip(self, side: int, token: int) -> str:
        layout = self.layout_of(side)
        if layout is None or self._tokenizers is None:
            return ""
        begin, end = layout.bytes[token].tolist()
        details = describe(self._tokenizers[side], int(layout.ids[token]))
        return tooltip(details, span=(begin, end))


def _words_of(pair: TextPair) -> str:
    counts = pair.comparison.counts
    total = sum(counts.values())
    if not total:
        return "Both cut this text alike." if len(pair.a) else "There is no text to set under both."
    beginning = (
        f" Shown are the first {number(len(pair.a.text))} characters."
        if len(pair.a.text) < pair.comparison.characters
        else ""
    )
    return (
        f"{counted(total, 'place')} cut differently, underlined: A splits "
        f"{number(counts['a-splits'])}, B splits {number(counts['b-splits'])}, "
        f"both otherwise {number(counts['different-cuts'])}.{beginning}"
    )

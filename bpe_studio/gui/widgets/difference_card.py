"""The difference that is chosen: both cuts of it, and why they differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from bpe_studio.analysis.compare_text import DifferenceSpan
from bpe_studio.analysis.difference_reason import DifferenceReason
from bpe_studio.gui import theme
from bpe_studio.gui.models.numbers import grouped
from bpe_studio.gui.widgets.basics import label, lines
from bpe_studio.gui.widgets.clamped_label import ClampedLabel
from bpe_studio.gui.widgets.elided_label import ElidedLabel
from bpe_studio.gui.widgets.token_chips import Chip, TokenChips, token_chips
from bpe_studio.gui.widgets.words import plain_tip

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

CLASSES = {
    "a-splits": "A splits what B keeps",
    "b-splits": "B splits what A keeps",
    "different-cuts": "Each cuts where the other does not",
}
MOST_CHIPS = 24


class DifferenceCard(QWidget):
    """Class, numbers of tokens and both cuts at once; the reason comes when it is known.

    Signals
    -------
    tokenChosen(int, int)
        A token of a cut was clicked: the side (0 for A, 1 for B), and its id there.
    """

    tokenChosen = Signal(int, int)

    def __init__(self) -> None:
        super().__init__()
        self.head = ElidedLabel()
        self.cuts = (TokenChips(most_lines=2), TokenChips(most_lines=2))
        self.reason = ClampedLabel(most=4, role="muted")
        row = QHBoxLayout()
        row.setSpacing(theme.GAP)
        for side, chips in enumerate(self.cuts):
            letter = label("AB"[side], role="muted")
            letter.setContentsMargins(0, theme.GRID, 0, 0)  # level with the first row of chips
            row.addWidget(letter, 0, Qt.AlignmentFlag.AlignTop)
            row.addWidget(chips, 1)
            chips.chosen.connect(lambda token, side=side: self.tokenChosen.emit(side, token))
        self.setLayout(lines(self.head, row, self.reason, margin=0, gap=theme.GRID))

    def show_span(
        self,
        span: DifferenceSpan,
        tokenizers: tuple[Tokenizer, Tokenizer],
        ids: tuple[list[int], list[int]],
        place: str,
    ) -> None:
        """Show a difference whose reason is being asked for; `place` is where it is of how many."""
        self.head.setText(" · ".join(filter(None, (place, CLASSES[span.kind], _ratio(span)))))
        for chips, tokenizer, tokens in zip(self.cuts, tokenizers, ids, strict=True):
            shown = token_chips(tokenizer, tokens[:MOST_CHIPS])
            if len(tokens) > MOST_CHIPS:
                shown.append(Chip(f"and {len(tokens) - MOST_CHIPS:,} more"))
            chips.set_chips(shown)
        self.say("…")

    def tell(self, reason: DifferenceReason) -> None:
        """Say why."""
        self.say(reason.sentence)

    def say(self, sentence: str) -> None:
        """Say something in place of a reason."""
        self.reason.setText(sentence)
        self.reason.setToolTip(plain_tip(sentence))


def _ratio(span: DifferenceSpan) -> str:
    return f"{grouped(span.tokens_a)} : {grouped(span.tokens_b)} tokens"

"""Why is this a token at all: the merges on the way to it, and where it lives on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from bpe_studio.analysis.flags import Flag
from bpe_studio.analysis.history import History, Making
from bpe_studio.gui import theme
from bpe_studio.gui.models.history_text import figure, flag_lines, longer_words, next_words, origin
from bpe_studio.gui.widgets.basics import label, lines
from bpe_studio.gui.widgets.chip_row import chip_row, token_row
from bpe_studio.gui.widgets.earned_view import EarnedView
from bpe_studio.gui.widgets.token_chips import Chip, token_chip

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

MOST_MERGES = 16  # on the way; of more, the last ones: they are nearest to the token
RESULT_HUE = 3


class HistoryView(QWidget):
    """The history of one token.

    Signals
    -------
    chosen(int)
        A token was clicked.
    """

    chosen = Signal(int)

    def __init__(
        self,
        *,
        tokenizer: Tokenizer,
        history: History,
        named: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        """`named` says to name the token, where it is not the one that is selected."""
        super().__init__(parent)
        self._tokenizer = tokenizer
        self.history = history
        self._column = lines(margin=0, gap=theme.GRID)
        self.setLayout(self._column)
        if named:
            self._chips([token_chip(tokenizer, history.token), Chip(f"id {history.token:,}")])
        self._say(origin(history))
        left_out = len(history.ancestry) - MOST_MERGES
        if left_out > 0:
            self._say(f"{left_out:,} merges came before these:")
        for made in history.ancestry[max(0, left_out) :]:
            self._chips(self._merge(made))
        if not history.special:
            self._say(next_words(history))
            self._tokens([made.id for made in history.next_makings], history.next_total)
            self._say(longer_words(history))
            self._tokens(list(history.longer), history.longer_total)
        self.earned = EarnedView()
        self.earned.setVisible(bool(history.makings))
        if history.earned is not None:
            self.earned.set_found(history)
        self.flags = label(wrap=True)
        self.flags.hide()
        self._column.addWidget(self.flags)
        self._column.addSpacing(theme.GRID)
        self._column.addWidget(self.earned)

    def set_flags(self, flags: tuple[Flag, ...]) -> None:
        """Say what Health has flagged in the token, a line for each; nothing where nothing is."""
        self.flags.setText("\n".join(flag_lines(flags)))
        self.flags.setVisible(bool(flags))

    def _merge(self, made: Making) -> list[Chip]:
        return [
            Chip(f"rank {made.rank:,}", muted=False),
            token_chip(self._tokenizer, made.left, 0),
            Chip("+"),
            token_chip(self._tokenizer, made.right, 1),
            Chip("→"),
            token_chip(self._tokenizer, made.id, RESULT_HUE),
            *([Chip(figure(made))] if figure(made) else []),
        ]

    def _tokens(self, ids: list[int], total: int) -> None:
        if ids:
            row = token_row(self._tokenizer, ids, total=total)
            row.chosen.connect(self.chosen)
            self._column.addWidget(row)

    def _chips(self, chips: list[Chip]) -> None:
        row = chip_row(chips)
        row.chosen.connect(self.chosen)
        self._column.addWidget(row)

    def _say(self, words: str) -> None:
        if words:
            self._column.addWidget(label(words, role="muted", wrap=True))

"""The answer to *why is this not one token?*, and the shortest text on which it can be seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from bpe_studio.analysis.proof import Proof
from bpe_studio.gui import theme
from bpe_studio.gui.models.telling_text import proof_words
from bpe_studio.gui.widgets.basics import Button, label, lines
from bpe_studio.gui.widgets.chip_row import token_row

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

MOST_TOKENS = 24


class ReasonView(QWidget):
    """A sentence, and under it the proof once that is found.

    Signals
    -------
    chosen(int)
        A token was clicked.
    proofAsked()
        The text of the proof is to be explained by itself.
    """

    chosen = Signal(int)
    proofAsked = Signal()

    def __init__(self, sentence: str, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sentence = label(sentence, wrap=True)
        self.sentence.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.look_button = Button(
            "Look at it", look="quiet", tip="Explain the shortest text by itself"
        )
        self.look_button.clicked.connect(self.proofAsked)
        self.look_button.hide()
        self._column = lines(self.sentence, margin=0, gap=theme.GRID)
        self.setLayout(self._column)

    def set_proof(self, tokenizer: Tokenizer, proof: Proof, *, is_all: bool) -> None:
        """Show the proof; `is_all` says that it is the whole text, so there is no more to see."""
        row = QHBoxLayout()
        row.setSpacing(theme.GAP)
        row.addWidget(label(proof_words(proof), role="muted"), 1)
        row.addWidget(self.look_button)
        self.look_button.setVisible(not is_all)
        chips = token_row(tokenizer, proof.ids, most=MOST_TOKENS)
        chips.chosen.connect(self.chosen)
        self._column.addLayout(row)
        self._column.addWidget(chips)

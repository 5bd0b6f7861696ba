"""The merges of a piece as a list of steps, each with what lost to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.models.naming import pair_text
from bpe_studio.gui.models.telling_text import MOST_LOST
from bpe_studio.gui.models.token_details import describe, shorten
from bpe_studio.gui.widgets.basics import Button, label
from bpe_studio.gui.widgets.token_chips import Chip, TokenChips, token_chip

if TYPE_CHECKING:
    from bpe_studio.bpe.reference import Step
    from bpe_studio.bpe.tokenizer import Tokenizer

STEPS_AT_ONCE = 30
MOST_SYMBOLS = 48  # in the row after a step
RESULT_HUE = 3


class StepsView(QWidget):
    """The steps from top to bottom, in portions.

    Signals
    -------
    chosen(int)
        A token was clicked.
    """

    chosen = Signal(int)

    def __init__(
        self, *, tokenizer: Tokenizer, steps: Sequence[Step], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._tokenizer = tokenizer
        self._steps = steps
        self._shown = 0
        self.selected: int | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(theme.GRID)
        self.more = Button("", look="quiet")
        self.more.clicked.connect(self.show_more)
        if not steps:
            words = "No pair of symbols here has a merge."
            self._column.addWidget(label(words, role="muted", wrap=True))
        self._column.addWidget(self.more)
        self.show_more()

    def show_more(self) -> None:
        """Show the next steps."""
        steps = self._steps[self._shown : self._shown + STEPS_AT_ONCE]
        at = self._column.indexOf(self.more)
        for place, step in enumerate(steps):
            view = StepView(tokenizer=self._tokenizer, step=step, chosen=self.chosen)
            view.set_selected(self.selected)
            self._column.insertWidget(at + place, view)
        self._shown += len(steps)
        left = len(self._steps) - self._shown
        self.more.setText(f"Show {min(left, STEPS_AT_ONCE)} more of {left:,} steps")
        self.more.setVisible(left > 0)


class StepView(QWidget):
    """One merge: its rank and pair, the symbols after it, and the pairs that lost to it."""

    def __init__(self, *, tokenizer: Tokenizer, step: Step, chosen: Signal) -> None:
        super().__init__()
        self._tokenizer = tokenizer
        self._rows: list[TokenChips] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, theme.GRID, 0, theme.GRID)
        column.setSpacing(theme.GRID)
        rows = ((self._pair(step), False), (self._after(step), False), (self._lost(step), True))
        for chips, hanging in rows:
            if chips:
                row = TokenChips(hanging=hanging)
                row.set_chips(chips)
                row.chosen.connect(chosen)
                column.addWidget(row)
                self._rows.append(row)
        self.setAccessibleName(f"Merge of rank {step.rank}")

    def set_selected(self, token: int | None) -> None:
        """Outline the chips of a token."""
        for row in self._rows:
            row.set_selected(token)

    def _pair(self, step: Step) -> list[Chip]:
        times = len(step.positions)
        return [
            Chip(f"rank {step.rank:,}", muted=False),
            token_chip(self._tokenizer, step.left, 0),
            Chip("+"),
            token_chip(self._tokenizer, step.right, 1),
            Chip("→"),
            token_chip(self._tokenizer, step.id, RESULT_HUE),
            *([Chip(f"{times} times")] if times > 1 else []),
        ]

    def _after(self, step: Step) -> list[Chip]:
        """The symbols after the step; of many, those around the first place where it fired."""
        fired = {place - earlier for earlier, place in enumerate(step.positions)}
        begin = 0
        if len(step.after) > MOST_SYMBOLS:
            begin = max(0, min(step.positions[0] - 8, len(step.after) - MOST_SYMBOLS))
        end = begin + MOST_SYMBOLS
        shown = [
            token_chip(self._tokenizer, token, RESULT_HUE) if place in fired else self._quiet(token)
            for place, token in enumerate(step.after[begin:end], start=begin)
        ]
        left, right = begin, len(step.after) - end
        before = [Chip(f"{left:,} more")] if left > 0 else []
        after = [Chip(f"and {right:,} more")] if right > 0 else []
        return [*before, *shown, *after]

    def _quiet(self, token: int) -> Chip:
        details = describe(self._tokenizer, token)
        return Chip(details.short, token=token, plain=True, partial=details.partial, tip=details)

    def _lost(self, step: Step) -> list[Chip]:
        if not step.lost:
            return []
        chips = [Chip("lost to it")]
        for rank, left, right in step.lost[:MOST_LOST]:
            made = self._tokenizer.table.merge_ranks[left, right][1]
            text = shorten(pair_text(self._tokenizer, left, right), 32)
            tip = describe(self._tokenizer, made)
            chips.append(Chip(f"{text} ({rank:,})", token=made, bare=True, tip=tip))
        if len(step.lost) > MOST_LOST:
            chips.append(Chip(f"and {len(step.lost) - MOST_LOST:,} more"))
        return chips

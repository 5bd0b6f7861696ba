"""The story of one piece: its cut, its symbols, every merge with what lost, its tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from bpe_studio.bpe.decoder import readable
from bpe_studio.gui import theme
from bpe_studio.gui.models.telling_text import MOST_LOST, made_by, pair_text
from bpe_studio.gui.models.token_details import describe, shorten, tooltip
from bpe_studio.gui.widgets.basics import Button, SectionHeader, label
from bpe_studio.gui.widgets.elided_label import ElidedLabel, ReadableLabel
from bpe_studio.gui.widgets.token_chips import Chip, TokenChips, token_chip, token_chips

if TYPE_CHECKING:
    from bpe_studio.analysis.explain import PieceStory
    from bpe_studio.bpe.reference import Step
    from bpe_studio.bpe.tokenizer import Tokenizer

STEPS_AT_ONCE = 40
MOST_SYMBOLS = 120
RESULT_HUE = 3
LONGEST_PIECE = 300


class StoryView(QWidget):
    """One piece, told from top to bottom.

    Signals
    -------
    chosen(int)
        A token was clicked.
    """

    chosen = Signal(int)

    def __init__(
        self, *, tokenizer: Tokenizer, story: PieceStory, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._tokenizer = tokenizer
        self._story = story
        self._shown = 0
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(theme.GRID)
        self._more = Button("", look="quiet")
        self._more.clicked.connect(self.show_more)
        self._tell()

    def show_more(self) -> None:
        """Show the next steps."""
        steps = self._story.steps[self._shown : self._shown + STEPS_AT_ONCE]
        at = self._column.indexOf(self._more)
        for place, step in enumerate(steps):
            self._column.insertWidget(at + place, self._step(step))
        self._shown += len(steps)
        left = len(self._story.steps) - self._shown
        self._more.setText(f"Show {min(left, STEPS_AT_ONCE)} more of {left:,} steps")
        self._more.setVisible(left > 0)

    def _tell(self) -> None:
        story = self._story
        self._add(SectionHeader("Piece"))
        if story.text:
            self._add(ReadableLabel(shorten(readable(story.text.encode()), LONGEST_PIECE)))
        self._add(label(made_by(story), role="muted", wrap=True))
        if story.alternative_expression:
            expression = ElidedLabel(
                story.alternative_expression, mode=Qt.TextElideMode.ElideMiddle
            )
            expression.setFont(theme.mono_font())
            self._add(expression)
        if story.whole_piece:
            self._add(
                label(
                    "The engine takes whole pieces first: this piece is a token, so no merge was "
                    "needed. The steps tell what merges alone would do.",
                    role="muted",
                    wrap=True,
                )
            )
        self._tell_merges()

    def _tell_merges(self) -> None:
        story = self._story
        if story.symbols:
            self._head("Symbols", f"{len(story.symbols):,}")
            self._add(self._row(story.symbols))
        if story.shortened:
            self._add(label("The piece is too long to tell every step.", role="muted", wrap=True))
        elif story.symbols:
            self._head("Merges, in order", f"{len(story.steps):,}")
            if not story.steps:
                self._add(label("No pair of symbols here has a merge.", role="muted", wrap=True))
            self._add(self._more)
            self.show_more()
        self._head("Tokens", f"{len(story.tokens):,}")
        self._add(self._row([token.id for token in story.tokens]))

    def _head(self, title: str, figure: str) -> None:
        self._column.addSpacing(theme.GAP)
        row = QHBoxLayout()
        row.addWidget(SectionHeader(title))
        row.addStretch(1)
        row.addWidget(label(figure, role="muted"))
        self._column.addLayout(row)

    def _step(self, step: Step) -> QWidget:
        return StepView(tokenizer=self._tokenizer, step=step, chosen=self.chosen)

    def _row(self, ids: tuple[int, ...] | list[int]) -> TokenChips:
        chips = token_chips(self._tokenizer, ids[:MOST_SYMBOLS])
        if len(ids) > MOST_SYMBOLS:
            chips.append(Chip(f"and {len(ids) - MOST_SYMBOLS:,} more"))
        row = TokenChips()
        row.set_chips(chips)
        row.chosen.connect(self.chosen)
        return row

    def _add(self, widget: QWidget) -> None:
        self._column.addWidget(widget)


class StepView(QWidget):
    """One merge: its rank and pair, the symbols after it, and the pairs that lost to it."""

    def __init__(self, *, tokenizer: Tokenizer, step: Step, chosen: Signal) -> None:
        super().__init__()
        self._tokenizer = tokenizer
        column = QVBoxLayout(self)
        column.setContentsMargins(0, theme.GRID, 0, theme.GRID)
        column.setSpacing(theme.GRID)
        for chips in (self._pair(step), self._after(step), self._lost(step)):
            if chips:
                row = TokenChips()
                row.set_chips(chips)
                row.chosen.connect(chosen)
                column.addWidget(row)
        self.setAccessibleName(f"Merge of rank {step.rank}")

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
        fired = {place - earlier for earlier, place in enumerate(step.positions)}
        return [
            token_chip(self._tokenizer, token, RESULT_HUE) if place in fired else self._quiet(token)
            for place, token in enumerate(step.after[:MOST_SYMBOLS])
        ]

    def _quiet(self, token: int) -> Chip:
        details = describe(self._tokenizer, token)
        return Chip(
            details.short, token=token, plain=True, partial=details.partial, tip=tooltip(details)
        )

    def _lost(self, step: Step) -> list[Chip]:
        if not step.lost:
            return []
        chips = [Chip("lost to it")]
        for rank, left, right in step.lost[:MOST_LOST]:
            made = self._tokenizer.table.merge_ranks[left, right][1]
            text = shorten(pair_text(self._tokenizer, left, right), 32)
            tip = tooltip(describe(self._tokenizer, made))
            chips.append(Chip(f"{text} ({rank:,})", token=made, bare=True, tip=tip))
        if len(step.lost) > MOST_LOST:
            chips.append(Chip(f"and {len(step.lost) - MOST_LOST:,} more"))
        return chips

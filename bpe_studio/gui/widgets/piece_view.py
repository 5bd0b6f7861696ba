"""The story of one piece: its cut, its merges as steps or as a tree, its tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from bpe_studio.analysis.tree import tree_of
from bpe_studio.gui import theme
from bpe_studio.gui.models.telling_text import (
    engine_words,
    made_by,
    short_piece,
    shown_expression,
)
from bpe_studio.gui.state.explain_view import ExplainView
from bpe_studio.gui.widgets.basics import IconButton, SectionHeader, label
from bpe_studio.gui.widgets.elided_label import ElidedLabel, ReadableLabel
from bpe_studio.gui.widgets.merge_tree import MergeTreeView
from bpe_studio.gui.widgets.merges_switch import MergesSwitch
from bpe_studio.gui.widgets.steps_view import StepsView
from bpe_studio.gui.widgets.token_chips import Chip, TokenChips, token_chips
from bpe_studio.gui.widgets.tree_area import TreeArea
from bpe_studio.gui.widgets.window_bar import WindowBar
from bpe_studio.gui.widgets.words import plain_tip

if TYPE_CHECKING:
    from bpe_studio.analysis.explain import PieceStory
    from bpe_studio.bpe.tokenizer import Tokenizer

MOST_SYMBOLS = 120
LONGEST_PIECE = 300


class PieceView(QWidget):
    """One piece, told from top to bottom.

    Signals
    -------
    chosen(int)
        A token was clicked.
    windowAsked(int)
        Another window of the piece is wanted, around this character of the text.
    copyAsked(object), saveAsked(object)
        This tree, a `MergeTreeView`, is wanted as a picture.
    """

    chosen = Signal(int)
    windowAsked = Signal(int)
    copyAsked = Signal(object)
    saveAsked = Signal(object)

    def __init__(
        self,
        *,
        tokenizer: Tokenizer,
        story: PieceStory,
        view: ExplainView,
        named: bool = True,
        asked: int = 0,
        parent: QWidget | None = None,
    ) -> None:
        """`named` says to show the text of the piece, where nothing above it does.

        `asked` is the character of the text that is asked about.
        """
        super().__init__(parent)
        self._tokenizer = tokenizer
        self.story = story
        self._view = view
        self._asked = asked
        self.selected: int | None = None
        self.steps: StepsOfPiece | None = None
        self.tree: TreeArea | None = None
        self.window_bar: WindowBar | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(theme.GRID)
        self._tell_cut(named)
        if story.symbols:
            self._tell_merges()
        self._head("Tokens", f"{len(story.tokens):,}")
        self._add(self._row([token.id for token in story.tokens]))
        view.mergesChanged.connect(self.show_merges)

    def set_selected(self, token: int | None) -> None:
        """Outline a token wherever it is shown."""
        self.selected = token
        if self.steps is not None:
            self.steps.list.selected = token  # for steps that are still to come
        if self.tree is not None:
            self.tree.tree.set_selected(token)
        for row in self.findChildren(TokenChips):
            row.set_selected(token)

    def show_merges(self, merges: str) -> None:
        """Show the merges as "steps" or as a "tree"; each is made when it is first wanted."""
        if not self.story.symbols:
            return
        if merges == "tree":
            self.make_tree()
        elif merges == "steps" and self.steps is None:
            symbols = self._row(self.story.symbols)
            self.steps = StepsOfPiece(self._tokenizer, self.story, symbols)
            self.steps.list.chosen.connect(self.chosen)
            self._merges.addWidget(self.steps)
            self.set_selected(self.selected)
        parts = (("tree", self.tree), ("tree", self._pictures), ("steps", self.steps))
        for name, part in parts:
            if part is not None:
                part.setVisible(name == merges)

    def make_tree(self) -> MergeTreeView | None:
        """The tree, also where steps are shown; None where nothing could be merged."""
        if self.tree is None and self.story.symbols:
            tree = MergeTreeView(
                tokenizer=self._tokenizer, tree=tree_of(self.story), begin=self._asked_byte()
            )
            tree.chosen.connect(self.chosen)
            tree.set_selected(self.selected)
            self.tree = TreeArea(tree)
            self.tree.setVisible(self._view.merges == "tree")
            self._merges.addWidget(self.tree)
        return None if self.tree is None else self.tree.tree

    def _asked_byte(self) -> int:
        """The byte of the piece that is asked about; -1 where the window is not around it."""
        story = self.story
        if not max(story.start, story.window_start) < self._asked < story.window_end:
            return -1
        return len(story.text[: self._asked - story.start].encode())

    def _tell_cut(self, named: bool) -> None:
        story = self.story
        if story.text and named:
            self._add(ReadableLabel(short_piece(story, LONGEST_PIECE)))
        self._add(label(made_by(story), role="muted", wrap=True))
        if story.alternative_expression:
            shown = shown_expression(story.alternative_expression)
            expression = ElidedLabel(shown, mode=Qt.TextElideMode.ElideMiddle)
            expression.setFont(theme.mono_font())
            expression.setToolTip(plain_tip(shown))
            self._add(expression)
        if engine_words(story):
            self._add(label(engine_words(story), role="muted", wrap=True))
        if story.shortened:
            self.window_bar = WindowBar(story)
            self.window_bar.asked.connect(self.windowAsked)
            self._add(self.window_bar)

    def _tell_merges(self) -> None:
        story = self.story
        self._pictures = self._picture_buttons()
        self._head("Merges", f"{len(story.steps):,}", self._pictures, MergesSwitch(self._view))
        self._merges = QVBoxLayout()
        self._merges.setContentsMargins(0, 0, 0, 0)
        self._column.addLayout(self._merges)
        self.show_merges(self._view.merges)
        if story.engines_differ:
            self._head("What merges alone would give", f"{len(story.merged):,}")
            self._add(self._row(story.merged))

    def _picture_buttons(self) -> QWidget:
        buttons = QWidget()
        row = QHBoxLayout(buttons)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for icon, tip, asked in (
            ("copy", "Copy the tree as a picture", self.copyAsked),
            ("save", "Save the tree as a picture", self.saveAsked),
        ):
            button = IconButton(icon, tip)
            button.clicked.connect(lambda _=False, asked=asked: asked.emit(self.make_tree()))
            row.addWidget(button)
        return buttons

    def _head(self, title: str, figure: str, *beside: QWidget) -> None:
        self._column.addSpacing(theme.GAP)
        row = QHBoxLayout()
        row.setSpacing(theme.GAP)
        row.addWidget(SectionHeader(title))
        row.addWidget(label(figure, role="muted"))
        row.addStretch(1)
        for widget in beside:
            row.addWidget(widget)
        self._column.addLayout(row)

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


class StepsOfPiece(QWidget):
    """The symbols that merging begins with, and the steps."""

    def __init__(self, tokenizer: Tokenizer, story: PieceStory, symbols: TokenChips) -> None:
        super().__init__()
        self.list = StepsView(tokenizer=tokenizer, steps=story.steps)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.GRID)
        column.addWidget(symbols)
        column.addWidget(self.list)

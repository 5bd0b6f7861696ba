"""Everything that Explain tells of a span or a token, in sections that can be folded."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from bpe_studio.analysis.earned import EarnedProgress
from bpe_studio.analysis.flag_marks import FlagMarks
from bpe_studio.gui import theme
from bpe_studio.gui.models.history_text import TITLE
from bpe_studio.gui.models.letter_groups import letters_lines
from bpe_studio.gui.models.telling import Told
from bpe_studio.gui.models.telling_text import headline, question, short_piece
from bpe_studio.gui.state.explain_view import ExplainView
from bpe_studio.gui.widgets.basics import IconButton, label, lines
from bpe_studio.gui.widgets.chip_row import MOST_TOKENS, chip_row, token_row
from bpe_studio.gui.widgets.elided_label import ReadableLabel
from bpe_studio.gui.widgets.history_view import HistoryView
from bpe_studio.gui.widgets.letter_grid import LetterGrid
from bpe_studio.gui.widgets.piece_view import PieceView
from bpe_studio.gui.widgets.reason_view import ReasonView
from bpe_studio.gui.widgets.section import Section
from bpe_studio.gui.widgets.token_chips import Chip, TokenChips, token_chip, token_chips

MOST_OPEN = 2  # of several pieces; the others are folded until they are wanted
MOST_BESIDE = 32


class ToldView(QWidget):
    """The headline, then why, variants, letters, pieces and history.

    Signals
    -------
    chosen(int)
        A token was clicked.
    copyAsked()
        All of it is wanted as text.
    proofAsked()
        The text of the proof is to be explained by itself.
    windowAsked(int, int)
        Of this piece (by number) the window around this character is wanted.
    treeCopyAsked(object), treeSaveAsked(object)
        This tree, a `MergeTreeView`, is wanted as a picture.
    earnedAsked(), earnedCancelAsked()
        The pieces that earned the token are to be looked for, or not any longer.
    """

    chosen = Signal(int)
    copyAsked = Signal()
    proofAsked = Signal()
    windowAsked = Signal(int, int)
    treeCopyAsked = Signal(object)
    treeSaveAsked = Signal(object)
    earnedAsked = Signal()
    earnedCancelAsked = Signal()

    def __init__(self, *, told: Told, view: ExplainView, notes: tuple[str, ...] = ()) -> None:
        super().__init__()
        self._told = told
        self._view = view
        self._selected: int | None = None
        self.reason: ReasonView | None = None
        self.letters: LetterGrid | None = None
        self.history: HistoryView | None = None
        self.pieces: dict[int, PieceView] = {}
        self.sections: dict[str, Section] = {}
        self._has_corpus = False
        self._marks: FlagMarks | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(theme.MARGIN, theme.GAP, theme.MARGIN, theme.MARGIN)
        self._column.setSpacing(theme.GAP)
        self._column.addLayout(self._headline(notes))
        self._tell_reason()
        if told.variants:
            self._section("variants", "Nearest variants", self._variants_view)
        if told.grid is not None and told.grid.letters:
            self._section("letters", "Letters", self._letters_view)
        self._tell_pieces()
        if told.history is not None:
            self._section("history", TITLE, self._history_view)
        self._column.addStretch(1)

    def set_selected(self, token: int | None) -> None:
        """Outline a token wherever it is shown."""
        self._selected = token
        for row in self.findChildren(TokenChips):
            row.set_selected(token)
        for piece in self.pieces.values():
            piece.set_selected(token)
        if self.letters is not None:
            self.letters.set_selected(token)

    @property
    def piece(self) -> PieceView | None:
        """The piece that has the keyboard, or the first that is open and has merges."""
        focused = self.window().focusWidget()
        pieces = [piece for piece in self.pieces.values() if piece.story.symbols]
        inside = [piece for piece in pieces if focused and piece.isAncestorOf(focused)]
        return next(iter(inside or pieces), None)

    def set_told(self, told: Told) -> None:
        """Show what has been found since: a proof, or other windows of pieces."""
        before, self._told = self._told, told
        if told.proof is not before.proof:
            self._show_proof()
            self.set_selected(self._selected)
        if told.history is not before.history:
            self._show_earned()
        for place, story in enumerate(told.pieces):
            if story is not before.pieces[place] and place in self.pieces:
                self._replace_piece(place)

    def set_has_corpus(self, known: bool) -> None:
        """Whether there is a corpus in which the pieces can be found that earned a token."""
        self._has_corpus = known
        if self.history is not None:
            self.history.earned.set_available(known)

    def set_marks(self, marks: FlagMarks | None) -> None:
        """What Health has flagged in the table."""
        self._marks = marks
        if self.history is not None:
            token = self.history.history.token
            self.history.set_flags(() if marks is None else marks.of(token))

    def open_history(self) -> HistoryView | None:
        """The history of a token that a merge makes, unfolded; None where there is none."""
        history = self._told.history
        if history is None or not history.makings:
            return None
        self.sections["history"].set_open(True)
        return self.history

    def show_earning(self, progress: EarnedProgress | None) -> None:
        """The corpus is being looked through, so far; None at the beginning."""
        if self.history is not None:
            self.history.earned.set_progress(progress)

    def end_earning(self, sentence: str) -> None:
        """Nobody looks any longer, and nothing was found."""
        if self.history is not None:
            self.history.earned.set_ended(sentence)

    def _show_earned(self) -> None:
        history = self._told.history
        if self.history is not None and history is not None and history.earned is not None:
            self.history.earned.set_found(history)

    def _headline(self, notes: tuple[str, ...]) -> QVBoxLayout:
        told = self._told
        if told.token is not None:
            chips = chip_row([token_chip(told.tokenizer, told.token.id)])
        else:
            chips = token_row(told.tokenizer, [token.id for token in told.tokens])
        chips.chosen.connect(self.chosen)
        copy = IconButton("copy", "Copy as text")
        copy.clicked.connect(self.copyAsked)
        row = QHBoxLayout()
        row.setSpacing(theme.GAP)
        row.addWidget(chips, 1)
        row.addWidget(copy, 0, Qt.AlignmentFlag.AlignTop)
        block = lines(row, label(headline(told), role="muted", wrap=True), margin=0, gap=theme.GRID)
        for words in (*notes, told.unexplained):
            if words:
                block.addWidget(label(words, role="muted", wrap=True))
        return block

    def _tell_reason(self) -> None:
        if self._told.reason is not None:
            self._section("why", question(self._told), self._reason_view)

    def _reason_view(self) -> QWidget:
        told = self._told
        self.reason = ReasonView(told.reason.sentence)
        self.reason.chosen.connect(self.chosen)
        self.reason.proofAsked.connect(self.proofAsked)
        self._show_proof()
        return self.reason

    def _show_proof(self) -> None:
        told = self._told
        if told.proof is not None and self.reason is not None:
            is_all = told.proof.text == told.text
            self.reason.set_proof(told.tokenizer, told.proof, is_all=is_all)

    def _variants_view(self) -> QWidget:
        content, column = QWidget(), lines(margin=0, gap=theme.GRID)
        for variant in self._told.variants:
            chips = token_chips(self._told.tokenizer, variant.ids[:MOST_TOKENS])
            row = chip_row([Chip(variant.label), *chips])
            row.chosen.connect(self.chosen)
            column.addWidget(row)
        content.setLayout(column)
        return content

    def _letters_view(self) -> QWidget:
        grid = self._told.grid
        self.letters = LetterGrid(tokenizer=self._told.tokenizer, grid=grid)
        self.letters.chosen.connect(self.chosen)
        said = (label(words, role="muted", wrap=True) for words in letters_lines(grid))
        content = QWidget()
        content.setLayout(lines(self.letters, *said, margin=0, gap=theme.GRID))
        return content

    def _tell_pieces(self) -> None:
        told = self._told
        count = len(told.pieces)
        for place, story in enumerate(told.pieces):
            name = f"piece {place}" if place else "piece"
            if count == 1:
                self._section(name, "Piece", lambda: self._piece_content(0))
                continue
            self._section(
                name,
                f"Piece {place + 1} of {count}",
                lambda place=place: self._piece_content(place),
                open_at_first=place < MOST_OPEN,
                beside=ReadableLabel(short_piece(story, MOST_BESIDE)),
            )
        if told.pieces_left_out:
            words = f"Only the first {count} pieces are told."
            self._column.addWidget(label(words, role="muted", wrap=True))

    def _piece_content(self, place: int) -> QWidget:
        """A piece in a widget of its own, in which another window can take its place."""
        self.pieces[place] = self._piece_view(place)
        content = QWidget()
        content.setLayout(lines(self.pieces[place], margin=0, gap=0))
        return content

    def _piece_view(self, place: int) -> PieceView:
        told = self._told
        view = PieceView(
            tokenizer=told.tokenizer,
            story=told.pieces[place],
            view=self._view,
            named=len(told.pieces) == 1 or told.pieces[place].shortened,
            asked=told.start,
        )
        view.chosen.connect(self.chosen)
        view.windowAsked.connect(lambda character: self.windowAsked.emit(place, character))
        view.copyAsked.connect(self.treeCopyAsked)
        view.saveAsked.connect(self.treeSaveAsked)
        view.set_selected(self._selected)
        return view

    def _replace_piece(self, place: int) -> None:
        old, new = self.pieces[place], self._piece_view(place)
        self.pieces[place] = new
        old.parentWidget().layout().replaceWidget(old, new)
        old.hide()
        old.deleteLater()
        if new.window_bar is not None:
            new.window_bar.setFocus()

    def _history_view(self) -> QWidget:
        told = self._told
        named = told.token is None or told.token.id != told.history.token
        self.history = HistoryView(tokenizer=told.tokenizer, history=told.history, named=named)
        self.history.chosen.connect(self.chosen)
        self.history.earned.set_available(self._has_corpus)
        self.history.earned.asked.connect(self.earnedAsked)
        self.history.earned.cancelAsked.connect(self.earnedCancelAsked)
        self.set_marks(self._marks)
        return self.history

    def _section(self, name: str, title: str, make: Callable[[], QWidget], **how: object) -> None:
        def made() -> QWidget:
            content = make()
            for part in (*content.findChildren(TokenChips), *content.findChildren(LetterGrid)):
                part.set_selected(self._selected)
            return content

        section = Section(title, made, name=name, view=self._view, **how)
        self.sections[name] = section
        self._column.addWidget(section)

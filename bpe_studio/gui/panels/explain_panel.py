"""The Explain panel: why the selected token or span is cut as it is."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from bpe_studio.analysis.later import not_yet
from bpe_studio.gui.models.explain_question import Question, ask_span, ask_token, size_note
from bpe_studio.gui.models.explaining import Explaining
from bpe_studio.gui.models.telling import Told
from bpe_studio.gui.models.telling_text import as_text
from bpe_studio.gui.state.corpus import CorpusState
from bpe_studio.gui.state.explain_view import ExplainView
from bpe_studio.gui.state.flagged import FlaggedState
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.selection import Selection
from bpe_studio.gui.state.size import SizeState
from bpe_studio.gui.state.text import TextState
from bpe_studio.gui.widgets.basics import EmptyState
from bpe_studio.gui.widgets.merge_tree import MergeTreeView
from bpe_studio.gui.widgets.story_scroll import StoryScroll
from bpe_studio.gui.widgets.told_view import ToldView
from bpe_studio.gui.widgets.tree_picture import TreePictures

if TYPE_CHECKING:
    from bpe_studio.analysis.flags import Flag
    from bpe_studio.bpe.tokenizer import Tokenizer

HINT = (
    "Click a token in the text, or select a few characters: here stands how they were cut, merge "
    "by merge, and why they are not one token."
)
LOOKING = "Looking at what is selected …"
LATE_MS = 500  # what takes longer says so, and no longer shows what was selected before
NOTHING_EARNED = "Open a corpus and select a token that a merge makes, to find what earned it."
TOO_SMALL = "The vocabulary does not have this token at the size where the slider stands."


class ExplainPanel(QWidget):
    """Tells the story of what is selected; everything in it can be clicked.

    Signals
    -------
    told(str)
        Something was done, for the status bar.
    failed(str)
        Something that was asked for could not be done; why, in a sentence.
    """

    title = "Explain"
    told = Signal(str)
    failed = Signal(str)

    def __init__(
        self,
        *,
        text: TextState,
        tables: OpenTables,
        selection: Selection,
        corpus: CorpusState | None = None,
        size: SizeState | None = None,
        flagged: FlaggedState | None = None,
        ready: threading.Event | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("explainPanel")
        self._text = text
        self._tables = tables
        self._selection = selection
        self._corpus = corpus
        self._size = size or SizeState(tables, self)
        self._flagged = flagged
        self._kernels_ready = ready
        self._wanted = ""
        self._notes: tuple[str, ...] = ()
        self._clicked_here = False
        self.view = ExplainView(self)
        self._explaining = Explaining(self)
        self._pictures = TreePictures(self)
        self._build()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._explain)
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.timeout.connect(lambda: self._say(LOOKING))
        self._wire()

    @property
    def story(self) -> Told | None:
        """What is shown."""
        return self._explaining.told

    @property
    def shown(self) -> ToldView | None:
        """The view of it."""
        widget = self.scroll.widget()
        return widget if isinstance(widget, ToldView) and self.story is not None else None

    # What menus and buttons ask for

    def copy(self) -> None:
        """Put the story on the clipboard as text."""
        if self.story is not None:
            QGuiApplication.clipboard().setText(as_text(self.story, self._flags()))
            self.told.emit("The explanation is copied as text.")

    def _flags(self) -> tuple[Flag, ...]:
        """What Health has found in the token whose history is told."""
        history = None if self.story is None else self.story.history
        marks = None if self._flagged is None else self._flagged.of(self._tables.current)
        return () if history is None or marks is None else marks.of(history.token)

    def switch_merges(self) -> None:
        """Show merges as a tree instead of as steps, or the other way round."""
        self.view.set_merges("steps" if self.view.merges == "tree" else "tree")

    def look_at_proof(self) -> None:
        """Explain the shortest text on which the answer can be seen, by itself."""
        if self.story is not None and self.story.proof is not None:
            proof = self.story.proof
            self._selection.select_span(proof.text, proof.start, proof.end)

    def go_in_piece(self, step: int) -> None:
        """Show the symbols before (-1) or after (1) those of a long piece that are shown."""
        piece = None if self.shown is None else self.shown.piece
        if piece is not None and piece.window_bar is not None:
            piece.window_bar.go(step)

    def find_earned(self) -> None:
        """Look for the pieces of the open corpus that earned the token its place."""
        corpus = None if self._corpus is None else self._corpus.corpus
        if corpus is None or self.shown is None or self.shown.open_history() is None:
            self.told.emit(NOTHING_EARNED)
        else:
            self._explaining.find_earned(corpus)
            self.scroll.reveal(self.shown.history.earned)

    def copy_tree(self) -> None:
        """Put the merge tree on the clipboard as a picture."""
        tree = self._tree()
        if tree is not None:
            self._pictures.copy(tree)

    def save_tree(self) -> None:
        """Ask where to save the merge tree as a picture, and save it."""
        tree = self._tree()
        if tree is not None:
            self._pictures.ask_and_save(tree, "merge-tree")

    def _tree(self) -> MergeTreeView | None:
        piece = None if self.shown is None else self.shown.piece
        return None if piece is None else piece.make_tree()

    def reveal(self, name: str) -> None:
        """Unfold a section (why, variants, letters, piece, history) and bring it to the top."""
        section = None if self.shown is None else self.shown.sections.get(name)
        if section is not None:
            section.set_open(True)
            self.scroll.reveal(section)

    # What to explain

    def _wire(self) -> None:
        self._selection.spanSelected.connect(lambda _: self._want("span"))
        self._selection.tokenSelected.connect(self._on_token)
        self._selection.cleared.connect(self._on_cleared)
        self._text.textChanged.connect(self._on_text)
        self._tables.currentChanged.connect(self._on_table)
        self._tables.tokenizerChanged.connect(self._on_tokenizer)
        self._size.tokenizerChanged.connect(self._on_size)
        self._explaining.answered.connect(self._show)
        self._explaining.grown.connect(self._grow)
        self._explaining.failed.connect(self._say)
        self._pictures.told.connect(self.told)
        self._pictures.failed.connect(self.failed)
        if self._corpus is not None:
            self._corpus.changed.connect(self._on_corpus)
        if self._flagged is not None:
            self._flagged.changed.connect(lambda _: self._on_flagged())

    def _on_token(self, token: int) -> None:
        if self.shown is not None:
            self.shown.set_selected(token)
        if self._clicked_here:
            self._tell_rank(token)
        else:
            self._want("token")

    def _tell_rank(self, token: int | None) -> None:
        """Of a token with several merges, the one that fired is what Merges shows."""
        rank = None if self.story is None or token is None else self.story.rank_of(token)
        if rank is not None:
            self._selection.select_rank(rank)

    def _on_cleared(self) -> None:
        """A span is told by the new table too; a token of the old one is nothing there."""
        if self._wanted == "span" and self._selection.span is not None:
            self._want("span")
        else:
            self._selection.forget_span()
            self._clear()

    def _on_text(self, text: str) -> None:
        """A span that is gone must not go on being explained; one that moved is followed."""
        if not self._selection.follow(text) and self._wanted == "span":
            self._clear()

    def _want(self, what: str) -> None:
        """A click in the text selects a span and its token; the span tells more."""
        if self._wanted != "span" or not self._timer.isActive():
            self._wanted = what
        self._timer.start(0)
        self._late.start(LATE_MS)

    def _explain(self) -> None:
        tokenizer, merges = self._size.tokenizer, self._size.merges
        if tokenizer is None and self._tables.current is not None:
            return  # it is made, and told of in a moment
        question = None if tokenizer is None else self._question(tokenizer)
        if question is not None:
            self._notes = tuple(filter(None, (*question.notes, size_note(merges))))
            self._explaining.ask(question.telling)
            return
        self._clear()
        if merges is not None and self._selection.token is not None:
            self._say(self._not_yet(tokenizer, self._selection.token) or TOO_SMALL)

    def _not_yet(self, tokenizer: Tokenizer | None, token: int) -> str:
        """From which size on a token is there."""
        current = self._tables.current
        if tokenizer is None or current is None or token not in current.tokenizer.table:
            return ""
        found = not_yet(tokenizer, current.tokenizer.token_bytes(token))
        return "" if found is None else found[1]

    def _question(self, tokenizer: Tokenizer) -> Question | None:
        span, token, ready = self._selection.span, self._selection.token, self._kernels_ready
        if self._wanted == "span" and span is not None and span.start < span.end:
            return ask_span(tokenizer, span, text=self._text.text, ready=ready)
        return None if token is None else ask_token(tokenizer, token, ready=ready)

    def _on_table(self, table: OpenTable | None) -> None:
        if table is None:
            self._clear()
        elif self.story is not None:
            self._want(self._wanted or "span")

    def _on_tokenizer(self, table: OpenTable) -> None:
        if table is self._tables.current and self.story is not None:
            self._timer.start(0)

    def _on_size(self) -> None:
        """The slider rests elsewhere: what is selected is told again, or told at last."""
        if self._selection.token is not None or self._selection.span is not None:
            self._timer.start(0)

    def _on_corpus(self) -> None:
        if self.shown is not None and self._corpus is not None:
            self.shown.set_has_corpus(self._corpus.corpus is not None)

    def _on_flagged(self) -> None:
        if self.shown is not None and self._flagged is not None:
            self.shown.set_marks(self._flagged.of(self._tables.current))

    # What is shown

    def _build(self) -> None:
        self.empty = EmptyState(HINT)
        self._shown_before: Told | None = None
        self.scroll = StoryScroll()
        self.pages = QStackedWidget()
        self.pages.addWidget(self.empty)
        self.pages.addWidget(self.scroll)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.pages)

    def _clear(self) -> None:
        self._explaining.forget()
        self._say(HINT)

    def _say(self, sentence: str) -> None:
        """Show a sentence instead of a story."""
        self._late.stop()
        self.empty.set_text(sentence)
        self.pages.setCurrentWidget(self.empty)

    def _show(self, told: Told) -> None:
        self._late.stop()
        before, self._shown_before = self._shown_before, told
        self.scroll.show_story(self._view_of(told), stay=_same_span(before, told))
        self._on_corpus()
        self._on_flagged()
        if self._wanted == "span":
            self._tell_rank(self._selection.token)
        self.pages.setCurrentWidget(self.scroll)

    def _view_of(self, told: Told) -> ToldView:
        view = ToldView(told=told, view=self.view, notes=self._notes)
        view.set_selected(self._selection.token)
        view.chosen.connect(self._choose)
        view.copyAsked.connect(self.copy)
        view.proofAsked.connect(self.look_at_proof)
        view.windowAsked.connect(self._explaining.show_window)
        view.treeCopyAsked.connect(self._pictures.copy)
        view.treeSaveAsked.connect(lambda tree: self._pictures.ask_and_save(tree, "merge-tree"))
        view.earnedAsked.connect(self.find_earned)
        view.earnedCancelAsked.connect(self._explaining.cancel_earned)
        self._explaining.earning.connect(view.show_earning)
        self._explaining.earningEnded.connect(view.end_earning)
        return view

    def _grow(self, told: Told) -> None:
        if self.shown is not None:
            earned = self.shown.history is not None and self.shown.history.earned.running
            self.shown.set_told(told)
            if earned and not self.shown.history.earned.running:
                self.scroll.reveal(self.shown.history.earned)  # what was found is below it

    def _choose(self, token: int) -> None:
        """Select a token of the story elsewhere, and keep the story."""
        self._clicked_here = True
        self._selection.select_token(token)
        self._clicked_here = False

    # Qt's questions: constant, so that no dock moves when a page changes

    def sizeHint(self) -> QSize:
        return QSize(340, 320)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, 120)


def _same_span(one: Told | None, other: Told) -> bool:
    """Whether the same is told again, by a newer table."""
    if one is None:
        return False
    return (one.start, one.end, one.data) == (other.start, other.end, other.data)

"""The Explain panel: why the selected token or span is cut as it is."""

from __future__ import annotations

import threading
from collections.abc import Generator

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from bpe_studio.gui.models.explaining import Explaining
from bpe_studio.gui.models.telling import Told, tell_span, tell_token
from bpe_studio.gui.models.telling_text import as_text
from bpe_studio.gui.state.explain_view import ExplainView
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.selection import Selection
from bpe_studio.gui.state.text import TextState
from bpe_studio.gui.widgets.basics import EmptyState
from bpe_studio.gui.widgets.told_view import ToldView

MOST_CHARACTERS = 10_000
HINT = (
    "Click a token in the text, or select a few characters: here stands how they were cut, merge "
    "by merge, and why they are not one token."
)
ELSEWHERE = "This is told of a text of its own, not of the one in the Text panel."


class ExplainPanel(QWidget):
    """Tells the story of what is selected; everything in it can be clicked.

    Signals
    -------
    told(str)
        Something was done, for the status bar.
    """

    title = "Explain"
    told = Signal(str)

    def __init__(
        self,
        *,
        text: TextState,
        tables: OpenTables,
        selection: Selection,
        ready: threading.Event | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("explainPanel")
        self._text = text
        self._tables = tables
        self._selection = selection
        self._kernels_ready = ready
        self._wanted = ""
        self._notes: tuple[str, ...] = ()
        self._clicked_here = False
        self._place = 0
        self.view = ExplainView(self)
        self._explaining = Explaining(self)
        self._build()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._explain)
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
            QGuiApplication.clipboard().setText(as_text(self.story))
            self.told.emit("The explanation is copied as text.")

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
        for piece in self.shown.pieces.values() if self.shown is not None else ():
            if piece.window_bar is not None:
                piece.window_bar.go(step)
                return

    # What to explain

    def _wire(self) -> None:
        self._selection.spanSelected.connect(lambda _: self._want("span"))
        self._selection.tokenSelected.connect(self._on_token)
        self._selection.cleared.connect(self._clear)
        self._text.textChanged.connect(self._on_text)
        self._tables.currentChanged.connect(self._on_table)
        self._tables.tokenizerChanged.connect(self._on_tokenizer)
        self._explaining.answered.connect(self._show)
        self._explaining.grown.connect(self._grow)
        self._explaining.failed.connect(self._show_failure)

    def _on_token(self, token: int) -> None:
        if self.shown is not None:
            self.shown.set_selected(token)
        if not self._clicked_here:
            self._want("token")

    def _on_text(self, text: str) -> None:
        """A span that is gone must not go on being explained; one that moved is followed."""
        if not self._selection.follow(text) and self._wanted == "span":
            self._clear()

    def _want(self, what: str) -> None:
        """A click in the text selects a span and its token; the span tells more."""
        if self._wanted != "span" or not self._timer.isActive():
            self._wanted = what
        self._timer.start(0)

    def _explain(self) -> None:
        telling = self._telling(self._tables.current)
        if telling is None:
            self._clear()
        else:
            self._explaining.ask(telling)

    def _telling(self, table: OpenTable | None) -> Generator[None, None, Told] | None:
        span, token = self._selection.span, self._selection.token
        if table is None:
            return None
        tokenizer = table.tokenizer
        self._notes = ()
        if self._wanted == "span" and span is not None and span.start < span.end:
            end = min(span.end, span.start + MOST_CHARACTERS)
            if end < span.end:
                first = f"the first {MOST_CHARACTERS:,} characters of the selection"
                self._notes += (f"Only {first} are told.",)
            if self._text.text and span.text != self._text.text:
                self._notes += (ELSEWHERE,)
            return tell_span(tokenizer, span.text, span.start, end, ready=self._kernels_ready)
        if token is None or not (token in tokenizer.table or tokenizer.is_special(token)):
            return None
        return tell_token(tokenizer, token, ready=self._kernels_ready)

    def _on_table(self, table: OpenTable | None) -> None:
        if table is None:
            self._clear()
        elif self.story is not None:
            self._want(self._wanted or "span")

    def _on_tokenizer(self, table: OpenTable) -> None:
        if table is self._tables.current and self.story is not None:
            self._timer.start(0)

    # What is shown

    def _build(self) -> None:
        self.empty = EmptyState(HINT)
        self._shown_before: Told | None = None
        self.scroll = QScrollArea()
        self.scroll.setWidgetResizable(True)
        self.scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll.setAccessibleName("Explanation")
        self.scroll.verticalScrollBar().rangeChanged.connect(self._on_range)
        self.pages = QStackedWidget()
        self.pages.addWidget(self.empty)
        self.pages.addWidget(self.scroll)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.pages)

    def _on_range(self, _: int, last: int) -> None:
        """A new story gets its height a moment after it is made; only then can it be scrolled."""
        if 0 < self._place <= last:
            self.scroll.verticalScrollBar().setValue(self._place)
            self._place = 0

    def _clear(self) -> None:
        self._explaining.forget()
        self.empty.set_text(HINT)
        self.pages.setCurrentWidget(self.empty)

    def _show_failure(self, sentence: str) -> None:
        self.empty.set_text(sentence)
        self.pages.setCurrentWidget(self.empty)

    def _show(self, told: Told) -> None:
        before, self._shown_before = self._shown_before, told
        at = self.scroll.verticalScrollBar().value() if _same_span(before, told) else 0
        self._show_view(self._view_of(told))
        self.pages.setCurrentWidget(self.scroll)
        self._place = at
        self.scroll.verticalScrollBar().setValue(at)

    def _view_of(self, told: Told) -> ToldView:
        view = ToldView(told=told, view=self.view, notes=self._notes)
        view.set_selected(self._selection.token)
        view.chosen.connect(self._choose)
        view.copyAsked.connect(self.copy)
        view.proofAsked.connect(self.look_at_proof)
        view.windowAsked.connect(self._explaining.show_window)
        return view

    def _show_view(self, view: ToldView) -> None:
        """A story is made out of sight and shown when it is whole."""
        view.resize(self.scroll.viewport().width(), view.height())
        view.layout().activate()
        old = self.scroll.takeWidget()
        self.scroll.setWidget(view)
        if old is not None:
            old.deleteLater()

    def _grow(self, told: Told) -> None:
        if self.shown is not None:
            self.shown.set_told(told)

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

"""The Explain panel: why the selected token or span is cut as it is."""

from __future__ import annotations

import threading
from collections.abc import Generator

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QHBoxLayout,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from bpe_studio.gui import theme
from bpe_studio.gui.job import Job
from bpe_studio.gui.models.telling import Told, tell_span, tell_token
from bpe_studio.gui.models.telling_text import as_text, headline, question, training_line
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.selection import Selection
from bpe_studio.gui.state.text import TextState
from bpe_studio.gui.widgets.basics import EmptyState, IconButton, SectionHeader, label
from bpe_studio.gui.widgets.story_view import StoryView
from bpe_studio.gui.widgets.token_chips import Chip, TokenChips, token_chip, token_chips

MOST_TOKENS = 60
MOST_CHARACTERS = 10_000
HINT = (
    "Click a token in the text, or select a few characters: here stands how they were cut, merge "
    "by merge, and why they are not one token."
)


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
        self._job: Job | None = None
        self._told: Told | None = None
        self._wanted = ""
        self._cut = False
        self._build()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._explain)
        selection.spanSelected.connect(lambda _: self._want("span"))
        selection.tokenSelected.connect(self._on_token)
        selection.cleared.connect(self._clear)
        text.textChanged.connect(self._on_text)
        tables.currentChanged.connect(self._on_table)
        tables.tokenizerChanged.connect(self._on_tokenizer)

    @property
    def story(self) -> Told | None:
        """What is shown."""
        return self._told

    def copy(self) -> None:
        """Put the story on the clipboard as text."""
        if self._told is not None:
            QGuiApplication.clipboard().setText(as_text(self._told))
            self.told.emit("The explanation is copied as text.")

    # What to explain

    def _on_token(self, token: int) -> None:
        for chips in self._content.findChildren(TokenChips):
            chips.set_selected(token)
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
        current = self._tables.current
        telling = self._telling(current)
        self._cancel()
        if telling is None:
            self._clear()
            return
        self._job = Job(telling, self)
        self._job.finished.connect(self._show)
        self._job.failed.connect(self._show_failure)

    def _telling(self, table: OpenTable | None) -> Generator[None, None, Told] | None:
        span, token = self._selection.span, self._selection.token
        if table is None:
            return None
        tokenizer = table.tokenizer
        self._cut = False
        if self._wanted == "span" and span is not None and span.start < span.end:
            end = min(span.end, span.start + MOST_CHARACTERS)
            self._cut = end < span.end
            return tell_span(tokenizer, span.text, span.start, end, ready=self._kernels_ready)
        if token is None or not (token in tokenizer.table or tokenizer.is_special(token)):
            return None
        return tell_token(tokenizer, token, ready=self._kernels_ready)

    def _on_table(self, table: OpenTable | None) -> None:
        if table is None:
            self._clear()
        elif self._told is not None:
            self._want(self._wanted or "span")

    def _on_tokenizer(self, table: OpenTable) -> None:
        if table is self._tables.current and self._told is not None:
            self._timer.start(0)

    def _cancel(self) -> None:
        if self._job is not None:
            self._job.finished.disconnect()
            self._job.failed.disconnect()
            self._job.cancel()
            self._job.ended.connect(self._job.deleteLater)
            self._job = None

    # What is shown

    def _build(self) -> None:
        self._clicked_here = False
        self.empty = EmptyState(HINT)
        self._begin_column()
        self.scroll = QScrollArea()
        self.scroll.setWidgetResizable(True)
        self.scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll.setWidget(self._content)
        self.scroll.setAccessibleName("Explanation")
        self.scroll.verticalScrollBar().rangeChanged.connect(self._on_range)
        self._place = 0
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
        self._cancel()
        self._told = None
        self.empty.set_text(HINT)
        self.pages.setCurrentWidget(self.empty)

    def _show_failure(self, sentence: str) -> None:
        self._told = None
        self.empty.set_text(sentence)
        self.pages.setCurrentWidget(self.empty)

    def _show(self, told: Told) -> None:
        before, self._told = self._told, told
        self._job = None
        at = self.scroll.verticalScrollBar().value() if _same_span(before, told) else 0
        self._begin_column()
        self._column.addLayout(self._headline(told))
        if self._cut:
            first = f"the first {MOST_CHARACTERS:,} characters of the selection"
            self._add(label(f"Only {first} are told.", role="muted", wrap=True))
        if told.unexplained:
            self._add(label(told.unexplained, role="muted", wrap=True))
        if told.reason is not None:
            self._tell_reason(told)
        self._tell_variants(told)
        for story in told.pieces:
            self._column.addSpacing(theme.GAP)
            view = StoryView(tokenizer=told.tokenizer, story=story)
            view.chosen.connect(self._choose)
            self._column.addWidget(view)
        if told.pieces_left_out:
            self._add(label(f"Only the first {len(told.pieces)} pieces are told.", role="muted"))
        self._column.addStretch(1)
        for chips in self._content.findChildren(TokenChips):
            chips.set_selected(self._selection.token)
        self._show_column()
        self.pages.setCurrentWidget(self.scroll)
        self._place = at
        self.scroll.verticalScrollBar().setValue(at)

    def _headline(self, told: Told) -> QVBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(theme.GAP)
        if told.token is not None:
            chips = [token_chip(told.tokenizer, told.token.id)]
        else:
            chips = self._tokens(told)
        row.addWidget(self._chips(chips), 1)
        copy = IconButton("copy", "Copy as text")
        copy.clicked.connect(self.copy)
        row.addWidget(copy, 0, Qt.AlignmentFlag.AlignTop)
        block = QVBoxLayout()
        block.setSpacing(theme.GRID)
        block.addLayout(row)
        block.addWidget(label(headline(told), role="muted", wrap=True))
        training = training_line(told)
        if training:
            block.addWidget(label(training, role="muted", wrap=True))
        return block

    def _tokens(self, told: Told) -> list[Chip]:
        ids = [token.id for token in told.tokens]
        chips = token_chips(told.tokenizer, ids[:MOST_TOKENS])
        if len(ids) > MOST_TOKENS:
            chips.append(Chip(f"and {len(ids) - MOST_TOKENS:,} more"))
        return chips

    def _tell_reason(self, told: Told) -> None:
        self._column.addSpacing(theme.GAP)
        self._add(SectionHeader(question(told)))
        sentence = label(told.reason.sentence, wrap=True)
        sentence.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._add(sentence)

    def _tell_variants(self, told: Told) -> None:
        if not told.variants:
            return
        self._column.addSpacing(theme.GAP)
        self._add(SectionHeader("Nearest variants"))
        for variant in told.variants:
            chips = token_chips(told.tokenizer, variant.ids[:MOST_TOKENS])
            self._add(self._chips([Chip(variant.label), *chips]))

    def _chips(self, chips: list[Chip]) -> TokenChips:
        row = TokenChips()
        row.set_chips(chips)
        row.chosen.connect(self._choose)
        return row

    def _choose(self, token: int) -> None:
        """Select a token of the story elsewhere, and keep the story."""
        self._clicked_here = True
        self._selection.select_token(token)
        self._clicked_here = False

    def _add(self, widget: QWidget) -> None:
        self._column.addWidget(widget)

    def _begin_column(self) -> None:
        """A story is made out of sight and shown when it is whole."""
        self._content = QWidget()
        self._column = QVBoxLayout(self._content)
        self._column.setContentsMargins(theme.MARGIN, theme.GAP, theme.MARGIN, theme.MARGIN)
        self._column.setSpacing(theme.GRID)

    def _show_column(self) -> None:
        self._content.resize(self.scroll.viewport().width(), self._content.height())
        self._column.activate()
        old = self.scroll.takeWidget()
        self.scroll.setWidget(self._content)
        if old is not None:
            old.deleteLater()

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

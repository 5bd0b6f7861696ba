"""The Compare panel: two open tables side by side, and one text under both."""

from __future__ import annotations

import threading

import numpy as np
from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.gui import theme
from bpe_studio.gui.job import Job, once_ready
from bpe_studio.gui.models.array_table import ArrayTable
from bpe_studio.gui.models.compare_question import Question, same_matter
from bpe_studio.gui.models.compare_rows import (
    SHOWN,
    CompareRows,
    TextPair,
    compare_rows,
    compare_texts,
)
from bpe_studio.gui.models.compare_words import figures, remarks
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.selection import Selection
from bpe_studio.gui.state.size import SizeState
from bpe_studio.gui.state.text import TextState
from bpe_studio.gui.widgets.array_view import ArrayView
from bpe_studio.gui.widgets.basics import EmptyState, FilterEdit, IconButton, label
from bpe_studio.gui.widgets.byte_text import ByteDelegate
from bpe_studio.gui.widgets.clamped_label import ClampedLabel
from bpe_studio.gui.widgets.notice import NoticeBar
from bpe_studio.gui.widgets.table_chooser import TableChooser
from bpe_studio.gui.widgets.text_pair_view import TextPairView
from bpe_studio.gui.widgets.words import counted, number, plain_tip

WAIT_MS = 200
BUSY = "Comparing …"
RANK_A = 2
NAMES_IN_TIP = 60
WHOLE = (
    "Whole tables are compared, whatever size the slider stands at. To compare a size, open it as "
    "a table of its own (Ctrl+Alt+O)."
)
HINT = (
    "Sets two tables side by side: the tokens they share, those that only one has, how ranks "
    "moved, and the same text under both. Open or train a second table."
)


class ComparePanel(QWidget):
    """Chooses A and B of the open tables and shows how they differ.

    Signals
    -------
    openAsked()
        The user wants another table opened.
    """

    title = "Compare"
    openAsked = Signal()

    def __init__(
        self,
        *,
        text: TextState,
        tables: OpenTables,
        selection: Selection,
        size: SizeState | None = None,
        ready: threading.Event | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("comparePanel")
        self._text = text
        self._tables = tables
        self._selection = selection
        self._size = size or SizeState(tables, self)
        self._kernels_ready = ready
        self._table_job: Job | None = None
        self._text_job: Job | None = None
        self._rows: CompareRows | None = None
        self._compared: tuple[Tokenizer, Tokenizer] | None = None
        self._known: list[OpenTable] = []
        self._asked: Question | None = None
        self._answered: Question | None = None
        self._sides: tuple[OpenTable, OpenTable] | None = None
        self._asked_sides: tuple[OpenTable, OpenTable] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(WAIT_MS)
        self._build()
        self._wire()
        self._on_tables()

    @property
    def rows(self) -> CompareRows | None:
        """What is shown of the two tables."""
        return self._rows

    # Construction

    def _build(self) -> None:
        self.chooser_a = TableChooser(tables=self._tables, name="Table A", follows_current=False)
        self.chooser_b = TableChooser(tables=self._tables, name="Table B", follows_current=False)
        self.swap_button = IconButton("swap", "Swap A and B")
        self.figures = label(wrap=True)
        self.remarks = ClampedLabel(role="muted")
        self.whole = label(WHOLE, role="muted", wrap=True)
        self.notice = NoticeBar()
        self.filter_edit = FilterEdit("Filter by token", name="Filter tokens")
        self.shown = QComboBox()
        self.shown.setAccessibleName("Tokens to show")
        self.shown.addItems([f"{name[0].upper()}{name[1:]}" for name in SHOWN])
        self.count = label(role="muted")
        self.model = ArrayTable(mono_font=theme.table_font(), parent=self)
        self.table = ArrayView(self.model, name="Tokens of both tables")
        self.table.setItemDelegateForColumn(0, ByteDelegate(self.table))
        self.pair = TextPairView()
        self.empty = EmptyState(HINT, action="Open a tokenizer…")
        self.pages = QStackedWidget()
        self.pages.addWidget(self.empty)
        self.pages.addWidget(self._page())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.pages)

    def _page(self) -> QWidget:
        page = QWidget()
        top = QHBoxLayout()
        top.setSpacing(theme.GAP)
        for widget in (
            label("A", role="muted"),
            self.chooser_a,
            self.swap_button,
            label("B", role="muted"),
            self.chooser_b,
        ):
            top.addWidget(widget)
        top.addStretch(1)
        split = QSplitter(Qt.Orientation.Vertical)
        split.setChildrenCollapsible(False)
        split.addWidget(self._token_side())
        split.addWidget(self.pair)
        split.setSizes([300, 240])
        column = QVBoxLayout(page)
        column.setContentsMargins(theme.MARGIN, theme.GAP, theme.MARGIN, theme.GAP)
        column.setSpacing(theme.GAP)
        column.addLayout(top)
        column.addWidget(self.figures)
        column.addWidget(self.remarks)
        column.addWidget(self.whole)
        column.addWidget(self.notice)
        column.addWidget(split, 1)
        return page

    def _token_side(self) -> QWidget:
        side = QWidget()
        row = QHBoxLayout()
        row.setSpacing(theme.GAP)
        row.addWidget(self.filter_edit, 1)
        row.addWidget(self.shown)
        row.addWidget(self.count)
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.GAP)
        column.addLayout(row)
        column.addWidget(self.table, 1)
        return side

    def _wire(self) -> None:
        self.empty.asked.connect(self.openAsked)
        self.chooser_a.tableChosen.connect(lambda _: self._changed())
        self.chooser_b.tableChosen.connect(lambda _: self._changed())
        self.swap_button.clicked.connect(self.swap)
        self.filter_edit.filterChanged.connect(lambda _: self._filter())
        self.shown.currentIndexChanged.connect(lambda _: self._filter())
        self.table.selectionModel().currentRowChanged.connect(self._on_row)
        self.pair.tokenChosen.connect(self._on_token)
        self._text.textChanged.connect(lambda _: self._changed())
        self._text.whitespaceChanged.connect(self.pair.set_whitespace_shown)
        self.pair.set_whitespace_shown(self._text.show_whitespace)
        self._tables.changed.connect(self._on_tables)
        self._tables.tokenizerChanged.connect(self._on_tokenizer)
        self._timer.timeout.connect(self._compare)
        self._size.changed.connect(self._tell_whole)
        self._tell_whole()

    # What is compared

    def swap(self) -> None:
        """Exchange A and B."""
        a, b = self.chooser_a.chosen, self.chooser_b.chosen
        self.chooser_a.choose(b)
        self.chooser_b.choose(a)

    def choose(self, a: OpenTable, b: OpenTable) -> None:
        """Compare two of the open tables."""
        self.chooser_a.choose(a)
        self.chooser_b.choose(b)

    def _on_tables(self) -> None:
        tables = self._tables.tables
        fresh = [table for table in tables if table not in self._known]
        self._known = tables
        enough = len(tables) > 1
        self.pages.setCurrentIndex(1 if enough else 0)
        if not enough:
            self._drop_stale()
            return
        a, b = self.chooser_a.chosen, self.chooser_b.chosen
        if a is None or b is None or a is b or fresh:
            last = fresh[-1] if fresh else None
            others = [table for table in tables if table is not last]
            a = a if a in others else others[-1] if last is not None else tables[0]
            rest = [table for table in tables if table is not a]
            self.choose(a, last or rest[-1])
        self._changed()

    def _tell_whole(self) -> None:
        self.whole.setVisible(self._size.merges is not None)

    def _on_tokenizer(self, table: OpenTable) -> None:
        if table in (self.chooser_a.chosen, self.chooser_b.chosen):
            self._changed()

    def _changed(self) -> None:
        self._drop_stale()
        if self.isVisible() and not self._timer.isActive():
            self._timer.start()

    def _question(self) -> Question | None:
        a, b = self.chooser_a.chosen, self.chooser_b.chosen
        if a is None or b is None or len(self._tables) < 2:
            return None
        return Question(a, b, a.tokenizer, b.tokenizer, self._text.text)

    def _drop_stale(self) -> None:
        """Neither state nor go on computing what nobody asks for any more.

        A newer tokenizer of the same table is no reason: while it learns, none would ever finish.
        """
        wanted = self._question()
        if self._text_job is not None and not same_matter(self._asked, wanted):
            self._text_job.cancel()
        if self._answered is not None and not same_matter(self._answered, wanted):
            self._answered = None
            self.pair.wait(BUSY if wanted is not None else "")
        if self._rows is not None and (
            wanted is None or self._sides != (wanted.table_a, wanted.table_b)
        ):
            self._clear_rows()

    def _compare(self) -> None:
        wanted = self._question()
        if wanted is None:
            return
        both = (wanted.a, wanted.b)
        if self._table_job is None and both != self._compared:
            self._asked_sides = (wanted.table_a, wanted.table_b)
            self._table_job = Job(compare_rows(*both), self)
            self._table_job.finished.connect(self._show_rows)
            self._table_job.failed.connect(self.notice.tell)
            self._table_job.ended.connect(self._table_ended)
        if self._text_job is None and wanted != self._answered:
            self._asked = wanted
            if self._answered is None:
                self.pair.wait(BUSY)
            steps = compare_texts(*both, wanted.text)
            self._text_job = Job(once_ready(self._kernels_ready, steps, meanwhile=0.0), self)
            self._text_job.yielded.connect(self._tell_share)
            self._text_job.finished.connect(self._show_pair)
            self._text_job.failed.connect(self._on_text_failed)
            self._text_job.ended.connect(self._text_ended)

    def _table_ended(self) -> None:
        self._table_job.deleteLater()
        self._table_job = None
        wanted = self._question()
        if wanted is not None and (wanted.a, wanted.b) != self._compared:
            self._changed()

    def _text_ended(self) -> None:
        self._text_job.deleteLater()
        self._text_job = None
        if self._question() not in (None, self._asked):
            self._changed()

    def _tell_share(self, shares: list[float]) -> None:
        if self._answered is None:
            self.pair.wait(f"{BUSY} {100 * shares[-1]:.0f} %")

    # What is shown

    def _clear_rows(self) -> None:
        """The tables shown are no longer those chosen."""
        self._rows = self._compared = None
        self.model.set_filter(np.zeros(0, np.bool_))
        for words in (self.remarks, self.count):
            words.setText("")
        self.remarks.setToolTip("")
        self.figures.setText(BUSY if self._question() is not None else "")

    def _show_rows(self, rows: CompareRows) -> None:
        wanted = self._question()
        if wanted is None or self._asked_sides != (wanted.table_a, wanted.table_b):
            return
        self._sides = self._asked_sides
        self._rows, self._compared = rows, (rows.a, rows.b)
        self.notice.hide()
        self.figures.setText(figures(rows))
        self.remarks.setText(remarks(rows))
        self.remarks.setToolTip(plain_tip(remarks(rows, most_names=NAMES_IN_TIP)))
        fresh = not self.model.columns
        self.model.set_data(rows.columns(), len(rows.comparison))
        if fresh:
            header = self.table.horizontalHeader()
            header.setSortIndicator(RANK_A, Qt.SortOrder.AscendingOrder)
        self._filter()

    def _show_pair(self, pair: TextPair) -> None:
        if same_matter(self._asked, self._question()):
            self._answered = self._asked
            self.pair.set_pair(pair, (self._asked.a, self._asked.b))

    def _on_text_failed(self, sentence: str) -> None:
        self._answered = self._asked
        self.pair.wait(sentence)

    def _filter(self) -> None:
        if self._rows is None:
            return
        shown = SHOWN[self.shown.currentIndex()]
        self.model.set_filter(self._rows.mask(shown=shown, text=self.filter_edit.text()))
        total, seen = len(self._rows.comparison), self.model.rowCount()
        part = f"{number(seen)} of " if seen != total else ""
        self.count.setText(f"{part}{counted(total, 'token')}")

    # What is chosen

    def _on_row(self, index: QModelIndex, _: QModelIndex) -> None:
        if not index.isValid() or self._rows is None:
            return
        row = self.model.source_row(index.row())
        side = self._current_side()
        found = self._rows.comparison
        token = -1 if side is None else int((found.id_a, found.id_b)[side][row])
        if token >= 0:
            self._selection.select_token(token)

    def _on_token(self, side: int, token: int) -> None:
        """The span can be explained by any table; the id means something only in its own."""
        layout = self.pair.layout_of(side)
        if layout is None:
            return
        start, end = layout.characters[token].tolist()
        self._selection.select_span(layout.text, start, end)
        if side == self._current_side():
            self._selection.select_token(int(layout.ids[token]))

    def _current_side(self) -> int | None:
        chosen = (self.chooser_a.chosen, self.chooser_b.chosen)
        current = self._tables.current
        return chosen.index(current) if current in chosen else None

    # Qt's questions

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._timer.start(0)

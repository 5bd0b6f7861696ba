"""The tokens of the shown text and how often each is there, beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, QTimer, Signal
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.job import Job
from bpe_studio.gui.models.array_table import ArrayTable
from bpe_studio.gui.models.frequency_rows import FrequencyRows, count_tokens
from bpe_studio.gui.widgets.array_view import ArrayView
from bpe_studio.gui.widgets.basics import FilterEdit, IconButton, label, lines
from bpe_studio.gui.widgets.byte_text import ByteDelegate
from bpe_studio.gui.widgets.words import counted, number

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer
    from bpe_studio.gui.models.token_layout import TokenLayout

CALM_MS = 250  # the counts follow a pause in typing
LEAST_WIDTH = 190
LATE_MS = 400  # what takes longer says so, and no longer looks as if it were true
COUNTING = "Counting the tokens …"
NOTHING = "Each token of the text is counted here once a table has cut it."


class FrequencyView(QWidget):
    """A filter, the table, and a line that counts. Hidden, it counts nothing.

    Signals
    -------
    tokenChosen(int)
        The row of this id was chosen.
    tokenFollowed(int)
        Enter or a double click: every token with this id is looked for.
    closed()
        It was put away.
    """

    tokenChosen = Signal(int)
    tokenFollowed = Signal(int)
    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._rows: FrequencyRows | None = None
        self._wanted: tuple[Tokenizer, TokenLayout] | None = None
        self._selected: int | None = None
        self._coming = False  # other tokens are on their way
        self._to_top = False
        self._following = False
        self._job: Job | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(CALM_MS)
        self._timer.timeout.connect(self._count)
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.setInterval(LATE_MS)
        self._late.timeout.connect(self._tell_late)
        self.filter_edit = FilterEdit("Filter tokens", name="Filter the tokens of the text")
        self.model = ArrayTable(mono_font=theme.table_font(), parent=self)
        self.table = ArrayView(self.model, name="Tokens of the text")
        self.table.setFont(theme.table_font())
        self.setMinimumWidth(LEAST_WIDTH)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setItemDelegateForColumn(0, ByteDelegate(self.table))
        self.count = label(role="muted", wrap=True)
        self.close_button = IconButton("close", "Put the token counts away")
        top = QHBoxLayout()
        top.setSpacing(theme.GRID)
        top.addWidget(self.filter_edit, 1)
        top.addWidget(self.close_button)
        self.setLayout(lines(top, self.table, self.count, margin=0, gap=theme.GRID))
        self.filter_edit.filterChanged.connect(self._filter)
        self.close_button.clicked.connect(self.closed)
        self.table.selectionModel().currentRowChanged.connect(self._row_chosen)
        self.table.activated.connect(self._row_followed)
        self._tell()

    @property
    def rows(self) -> FrequencyRows | None:
        """What is shown."""
        return self._rows

    def set_tokens(
        self, tokenizer: Tokenizer | None, layout: TokenLayout | None, *, coming: bool = False
    ) -> None:
        """Count the tokens of another text, a moment later; `coming`: they are on their way."""
        known = tokenizer is not None and layout is not None
        self._wanted = (tokenizer, layout) if known else None
        self._coming = coming
        if self.isVisible():
            self._timer.start()
            if not self._late.isActive():
                self._late.start()

    def expect(self) -> None:
        """Other tokens are on their way: what is counted is soon out of date."""
        self._coming = True
        if self.isVisible() and not self._late.isActive():
            self._late.start()

    def begin_anew(self) -> None:
        """The next counts are of another text or table, and shown from the top."""
        self._to_top = True

    def select(self, token_id: int | None) -> None:
        """Follow a token that was selected elsewhere."""
        self._selected = token_id
        current = self.table.currentIndex()
        row = -1 if token_id is None or self._rows is None else self._rows.row_of(token_id)
        row = self.model.view_row(row) if row >= 0 else -1
        if row >= 0 and row == current.row():
            return
        self._following = True
        if row < 0:
            self.table.selectionModel().clear()
        else:
            index = self.model.index(row, 0)
            flags = QItemSelectionModel.SelectionFlag
            self.table.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
            if not self.table.viewport().rect().contains(self.table.visualRect(index).center()):
                self.table.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)
        self._following = False

    def _count(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None
        if self._wanted is None:
            self._show(None)
            return
        tokenizer, layout = self._wanted
        self._job = Job(count_tokens(tokenizer, layout.ids), self)
        self._job.finished.connect(self._show)
        self._job.otherwise(self._on_failed)
        self._job.ended.connect(self._job.deleteLater)

    def _on_failed(self, _: str) -> None:
        self._show(None)

    def _show(self, rows: FrequencyRows | None) -> None:
        self._job = None
        if not self._coming:
            self._late.stop()
            self.table.setEnabled(True)
        if rows is None or self._rows is None:
            self.table.horizontalHeader().setSortIndicator(2, Qt.SortOrder.DescendingOrder)
        self._rows = rows
        self._following = True
        self.model.set_data(rows.columns() if rows else (), len(rows) if rows else 0)
        self._following = False
        self._filter(self.filter_edit.text())
        if self._to_top and rows is not None:
            self._to_top = False
            self.table.scrollToTop()

    def _tell_late(self) -> None:
        """What is shown is that of before, and other counts take a while."""
        self.table.setEnabled(self.table.hasFocus())
        self.count.setText(COUNTING)

    def _filter(self, text: str) -> None:
        if self._rows is not None:
            self.model.set_filter(self._rows.mask(text))
        self._tell()
        self.select(self._selected)

    def _tell(self) -> None:
        rows = self._rows
        if rows is None:
            waits = self._coming or self._wanted is not None
            self.count.setText(COUNTING if waits else NOTHING)
            return
        shown = self.model.rowCount()
        part = f"{number(shown)} of " if shown != len(rows) else ""
        words = f"{part}{counted(len(rows), 'token')} in {number(rows.total)} places"
        self.count.setText(words)

    def _row_chosen(self, index: QModelIndex, _: QModelIndex) -> None:
        if index.isValid() and not self._following and self._rows is not None:
            self._selected = int(self._rows.ids[self.model.source_row(index.row())])
            self.tokenChosen.emit(self._selected)

    def _row_followed(self, index: QModelIndex) -> None:
        if self._rows is not None:
            self.tokenFollowed.emit(int(self._rows.ids[self.model.source_row(index.row())]))

    def showEvent(self, event: object) -> None:
        super().showEvent(event)
        self._tell()
        self._timer.start(0)

"""The candidates for under-trained tokens, with a filter and a line that counts."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.models.array_table import ArrayTable
from bpe_studio.gui.models.indicator_rows import IndicatorRows
from bpe_studio.gui.widgets.array_view import ArrayView
from bpe_studio.gui.widgets.basics import FilterEdit, label, lines
from bpe_studio.gui.widgets.byte_text import ByteDelegate
from bpe_studio.gui.widgets.words import counted, number

LEAST_WIDTH = 196  # the token, and how many indicators agree


class CandidateTable(QWidget):
    """Rows of candidates, the most suspicious first until another column is asked for.

    Signals
    -------
    tokenChosen(int)
        The row of this id was chosen.
    """

    tokenChosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._rows: IndicatorRows | None = None
        self._selected: int | None = None
        self._following = False
        self.filter_edit = FilterEdit("Filter by token, id or flag", name="Filter candidates")
        self.model = ArrayTable(mono_font=theme.table_font(), parent=self)
        self.table = ArrayView(self.model, name="Candidates for under-trained tokens")
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setItemDelegateForColumn(0, ByteDelegate(self.table))
        self.count = label(role="muted")
        self.setMinimumWidth(LEAST_WIDTH)
        column = lines(self.filter_edit, margin=0, gap=theme.GRID)
        column.addWidget(self.table, 1)
        column.addWidget(self.count)
        self.setLayout(column)
        self.filter_edit.filterChanged.connect(self._filter)
        self.table.selectionModel().currentRowChanged.connect(self._on_row)

    def show_rows(self, rows: IndicatorRows | None) -> None:
        """Show other candidates."""
        again = rows is not None and self._rows is not None and rows.found is self._rows.found
        self._rows = rows
        self._following = True
        self.model.set_data(rows.columns() if rows else (), len(rows) if rows else 0)
        if not again:
            header = self.table.horizontalHeader()
            header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self._following = False
        self._filter(self.filter_edit.text())

    def follow(self, token: int | None) -> None:
        """Select the row of a token that was selected elsewhere, if it has one."""
        self._selected = token
        row = -1 if token is None or self._rows is None else self._rows.row_of(token)
        row = self.model.view_row(row) if row >= 0 else -1
        if row >= 0 and row == self.table.currentIndex().row():
            return
        self._following = True
        if row < 0:
            self.table.selectionModel().clear()
        else:
            index = self.model.index(row, 0)
            flags = QItemSelectionModel.SelectionFlag
            self.table.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
            self.table.scrollTo(index)
        self._following = False

    def _filter(self, text: str) -> None:
        if self._rows is None:
            self.count.setText("")
            return
        self.model.set_filter(self._rows.mask(text))
        shown, total = self.model.rowCount(), len(self._rows)
        part = f"{number(shown)} of " if shown != total else ""
        self.count.setText(f"{part}{counted(total, 'candidate')}")
        self.follow(self._selected)

    def _on_row(self, index: QModelIndex, _: QModelIndex) -> None:
        if index.isValid() and not self._following and self._rows is not None:
            row = self.model.source_row(index.row())
            self._selected = int(self._rows.found.candidates[row])
            self.tokenChosen.emit(self._selected)

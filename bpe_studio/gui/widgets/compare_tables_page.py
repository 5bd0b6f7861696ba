"""The Tables page of Compare: where two tables part, and every token of both."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.models.array_table import ArrayTable
from bpe_studio.gui.models.compare_rows import SHOWN, CompareRows
from bpe_studio.gui.models.compare_words import remarks
from bpe_studio.gui.models.compared_tables import ComparedTables
from bpe_studio.gui.state.open_tables import OpenTable
from bpe_studio.gui.widgets.array_view import ArrayView
from bpe_studio.gui.widgets.basics import FilterEdit, label, lines
from bpe_studio.gui.widgets.byte_text import ByteDelegate
from bpe_studio.gui.widgets.clamped_label import ClampedLabel
from bpe_studio.gui.widgets.words import counted, number, plain_tip

RANK_A = 2
NAMES_IN_TIP = 60


class CompareTablesPage(QWidget):
    """Words on what differs above one table of all tokens of both.

    Signals
    -------
    tokenChosen(object, int)
        A row was selected: the `OpenTable` and the id of the token there, for each that has it.
    runningChanged()
        Never: the tables are compared by `ComparedTables`.
    """

    tokenChosen = Signal(object, int)
    runningChanged = Signal()
    running = False

    def __init__(self, compared: ComparedTables) -> None:
        super().__init__()
        self._compared = compared
        self.remarks = ClampedLabel(role="muted")
        self.filter_edit = FilterEdit("Filter by token", name="Filter tokens")
        self.shown = QComboBox()
        self.shown.setAccessibleName("Tokens to show")
        self.shown.addItems([f"{name[0].upper()}{name[1:]}" for name in SHOWN])
        self.count = label(role="muted")
        self.model = ArrayTable(mono_font=theme.table_font(), parent=self)
        self.table = ArrayView(self.model, name="Tokens of both tables")
        self.table.setItemDelegateForColumn(0, ByteDelegate(self.table))
        self._arrange()
        self._wire()
        self._show()

    def _arrange(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(theme.GAP)
        row.addWidget(self.filter_edit, 1)
        row.addWidget(self.shown)
        row.addWidget(self.count)
        column = lines(self.remarks, row, margin=0)
        column.addWidget(self.table, 1)
        self.setLayout(column)

    def _wire(self) -> None:
        self._compared.changed.connect(self._show)
        self.filter_edit.filterChanged.connect(lambda _: self._filter())
        self.shown.currentIndexChanged.connect(lambda _: self._filter())
        self.table.selectionModel().currentRowChanged.connect(self._on_row)

    @property
    def rows(self) -> CompareRows | None:
        """What is shown."""
        return self._compared.rows

    def set_sides(self, a: OpenTable | None, b: OpenTable | None) -> None:
        """The tables come with `ComparedTables`."""

    def stop(self) -> None:
        """Nothing runs here."""

    # What is shown

    def _show(self) -> None:
        rows = self.rows
        if rows is None:
            self.model.set_filter(np.zeros(0, np.bool_))
            for words in (self.remarks, self.count):
                words.setText("")
            self.remarks.setToolTip("")
            return
        self.remarks.setText(remarks(rows))
        self.remarks.setToolTip(plain_tip(remarks(rows, most_names=NAMES_IN_TIP)))
        fresh = not self.model.columns
        self.model.set_data(rows.columns(), len(rows.comparison))
        if fresh:
            header = self.table.horizontalHeader()
            header.setSortIndicator(RANK_A, Qt.SortOrder.AscendingOrder)
        self._filter()

    def _filter(self) -> None:
        if self.rows is None:
            return
        shown = SHOWN[self.shown.currentIndex()]
        self.model.set_filter(self.rows.mask(shown=shown, text=self.filter_edit.text()))
        total, seen = len(self.rows.comparison), self.model.rowCount()
        part = f"{number(seen)} of " if seen != total else ""
        self.count.setText(f"{part}{counted(total, 'token')}")

    # What is chosen

    def _on_row(self, index: QModelIndex, _: QModelIndex) -> None:
        sides = self._compared.sides
        if not index.isValid() or self.rows is None or sides is None:
            return
        row, found = self.model.source_row(index.row()), self.rows.comparison
        for table, ids in zip(sides, (found.id_a, found.id_b), strict=True):
            if ids[row] >= 0:
                self.tokenChosen.emit(table, int(ids[row]))

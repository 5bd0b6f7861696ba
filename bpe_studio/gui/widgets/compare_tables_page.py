"""The Tables page of Compare: where two tables part, their rules, and every token of both."""

from __future__ import annotations

from functools import partial

import numpy as np
from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.models.array_table import ArrayTable
from bpe_studio.gui.models.compare_columns import BYTES, compare_columns
from bpe_studio.gui.models.compare_rows import SHOWN, CompareRows
from bpe_studio.gui.models.compare_words import remarks, rules_title
from bpe_studio.gui.models.compared_tables import ComparedTables
from bpe_studio.gui.state.open_tables import OpenTable
from bpe_studio.gui.widgets.array_view import ArrayView
from bpe_studio.gui.widgets.basics import FilterEdit, lines
from bpe_studio.gui.widgets.byte_text import ByteDelegate
from bpe_studio.gui.widgets.clamped_label import ClampedLabel
from bpe_studio.gui.widgets.elided_label import ElidedLabel
from bpe_studio.gui.widgets.rules_view import RulesView
from bpe_studio.gui.widgets.words import counted, number, plain_tip

RANK_A = 2
PICKED = list(SHOWN).index("picked")
NO_ROOM = "Columns that a wider table shows: {}."


class CompareTablesPage(QWidget):
    """Words on what differs above one table of all tokens of both.

    Signals
    -------
    tokenChosen(object, int)
        A row was selected: the `OpenTable` and the id of the token there, for each that has it.
    rowChosen(int)
        The same, as the row of the comparison.
    explainAsked(int)
        The token of the row is to be explained under A (0), B (1), or whichever is current (-1).
    runningChanged()
        Never: the tables are compared by `ComparedTables`.
    """

    tokenChosen = Signal(object, int)
    rowChosen = Signal(int)
    explainAsked = Signal(int)
    runningChanged = Signal()
    running = False

    def __init__(self, compared: ComparedTables) -> None:
        super().__init__()
        self._compared = compared
        self.remarks = ClampedLabel(most=3, role="muted")
        self.rules = RulesView()
        self.filter_edit = FilterEdit("Filter by token", name="Filter tokens")
        self.shown = QComboBox()
        self.shown.setAccessibleName("Tokens to show")
        self.shown.addItems(list(SHOWN.values()))
        self.count = ElidedLabel(role="muted")
        self.model = ArrayTable(mono_font=theme.table_font(), parent=self)
        self.table = ArrayView(self.model, name="Tokens of both tables")
        self._bytes = ByteDelegate(self.table)
        self._seen: object = None
        self._arrange()
        self._add_actions()
        self._wire()
        self._show()
        self._show_picked()

    def _arrange(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(theme.GAP)
        row.addWidget(self.filter_edit, 1)
        row.addWidget(self.shown)
        column = lines(self.remarks, self.rules, row, margin=0)
        column.addWidget(self.table, 1)
        column.addWidget(self.count)
        self.setLayout(column)

    def _add_actions(self) -> None:
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.explain_actions = [QAction(f"Explain under {side}", self.table) for side in "AB"]
        for side, action in enumerate(self.explain_actions):
            action.triggered.connect(partial(self._ask_explain, side))
            self.table.addAction(action)

    def _wire(self) -> None:
        self._compared.changed.connect(self._show)
        self._compared.usesChanged.connect(self._show_uses)
        self._compared.pickedChanged.connect(self._show_picked)
        self.filter_edit.filterChanged.connect(lambda _: self._filter())
        self.shown.currentIndexChanged.connect(lambda _: self._filter())
        self.table.hiddenChanged.connect(self._tell_count)
        self.table.selectionModel().currentRowChanged.connect(self._on_row)
        self.table.activated.connect(lambda _: self.explainAsked.emit(-1))

    @property
    def rows(self) -> CompareRows | None:
        """What is shown."""
        return self._compared.rows

    @property
    def row(self) -> int:
        """The row of the comparison that is selected, -1 for none."""
        index = self.table.currentIndex()
        return self.model.source_row(index.row()) if index.isValid() else -1

    def set_sides(self, a: OpenTable | None, b: OpenTable | None) -> None:
        """The tables come with `ComparedTables`."""

    def stop(self) -> None:
        """Nothing runs here."""

    def follow(self, row: int) -> None:
        """Select a row of the comparison without a word, if it is among those that are shown."""
        if row == self.row:
            return
        place, selected = self.model.view_row(row), self.table.selectionModel()
        selected.blockSignals(True)
        if place < 0:
            selected.clear()
        else:
            flags = QItemSelectionModel.SelectionFlag
            index = self.model.index(place, 0)
            selected.setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
            self.table.scrollTo(index)
        selected.blockSignals(False)
        self.table.viewport().update()
        self._enable_actions()

    # What is shown

    def _show(self) -> None:
        rows = self.rows
        self.rules.setVisible(rows is not None)
        words = remarks(rows) if rows is not None else ""
        self.remarks.setText(words)
        self.remarks.setToolTip(plain_tip(words) if words else "")
        if rows is None:
            self.model.set_filter(np.zeros(0, np.bool_))
            self._tell_count()
            return
        self.rules.show_rules(rules_title(rows), rows.rules)
        self._show_columns(rows)
        if self._compared.sides != self._seen:  # a table that learns keeps its place
            self._seen = self._compared.sides
            self.table.scrollToTop()

    def _show_uses(self) -> None:
        if self.rows is not None:
            row = self.row
            self._show_columns(self.rows)
            self.follow(row)

    def _show_columns(self, rows: CompareRows) -> None:
        before = [column.title for column in self.model.columns]
        columns = compare_columns(rows)
        titles = [column.title for column in columns]
        header = self.table.horizontalHeader()
        sorted_by = header.sortIndicatorSection()
        kept = before[sorted_by] if sorted_by < len(before) else ""
        self.model.set_data(columns, len(rows.comparison))
        if titles != before:  # the sorting stays with its column, or is by rank
            order = header.sortIndicatorOrder() if kept in titles else Qt.SortOrder.AscendingOrder
            place = titles.index(kept) if kept in titles else RANK_A
            header.setSortIndicator(place, order)
            self.table.sortByColumn(place, order)
        for place, title in enumerate(titles):
            drawn = self._bytes if title in BYTES else None
            self.table.setItemDelegateForColumn(place, drawn)
        self._filter()

    def _show_picked(self) -> None:
        """A selection in the plot is shown at once, and what was before when it is gone."""
        picked = self._compared.picked
        self.shown.model().item(PICKED).setEnabled(picked is not None)
        wanted = PICKED if picked is not None else 0
        if picked is None and self.shown.currentIndex() != PICKED:
            return
        if self.shown.currentIndex() == wanted:
            self._filter()
        self.shown.setCurrentIndex(wanted)
        self.table.scrollToTop()

    def _filter(self) -> None:
        rows = self.rows
        if rows is not None:
            shown = list(SHOWN)[self.shown.currentIndex()]
            text, picked = self.filter_edit.text(), self._compared.picked
            self.model.set_filter(rows.mask(shown=shown, text=text, picked=picked))
        self._tell_count()

    def _tell_count(self) -> None:
        """How many rows there are, and which columns there is no room for."""
        if self.rows is None:
            self.count.setText("")
            return
        total, seen = len(self.rows.comparison), self.model.rowCount()
        part = f"{number(seen)} of " if seen != total else ""
        words, left_out = f"{part}{counted(total, 'token')}", ", ".join(self.table.left_out)
        self.count.setText(
            f"{words}  ·  not shown, for want of room: {left_out}" if left_out else words
        )
        self.count.setToolTip(plain_tip(NO_ROOM.format(left_out)) if left_out else "")

    # What is chosen

    def _on_row(self, index: QModelIndex, _: QModelIndex) -> None:
        self._enable_actions()
        if index.isValid():
            row = self.model.source_row(index.row())
            self.rowChosen.emit(row)
            for table, token in self._compared.tokens_of(row):
                self.tokenChosen.emit(table, token)

    def _enable_actions(self) -> None:
        """A token can be explained where it is."""
        row, rows = self.row, self.rows
        for action, only_other in zip(self.explain_actions, (2, 1), strict=True):
            there = rows is not None and row >= 0 and rows.sides[row] != only_other
            action.setEnabled(bool(there))

    def _ask_explain(self, side: int, _: bool = False) -> None:
        self.explainAsked.emit(side)

    # Qt's questions

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.rules.set_room(self.height())

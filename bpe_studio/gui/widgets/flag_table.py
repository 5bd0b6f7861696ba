"""The tokens with flags: a table that sorts and filters at once, and what is known of a row."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtWidgets import QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.models.array_table import ArrayTable
from bpe_studio.gui.models.health_check import Checked
from bpe_studio.gui.widgets.array_view import ArrayView
from bpe_studio.gui.widgets.basics import FilterEdit, lines
from bpe_studio.gui.widgets.byte_text import ByteDelegate
from bpe_studio.gui.widgets.elided_label import ElidedLabel
from bpe_studio.gui.widgets.flag_detail import Find, FlagDetail
from bpe_studio.gui.widgets.words import counted, number, plain_tip

READ_AS_BYTES = ("Token", "Evidence")
NO_ROOM = "Columns that a wider table shows: {}."


class FlagTable(QWidget):
    """Filter, table, how many rows there are, and the detail of the one that is selected.

    Signals
    -------
    tokenChosen(int)
        A row was selected; the id of its token.
    """

    tokenChosen = Signal(int)

    def __init__(self, *, find: Find | None = None) -> None:
        super().__init__()
        self._checked: Checked | None = None
        self._kind: str | None = None
        self.filter_edit = FilterEdit("Filter by token, id or evidence", name="Filter flags")
        self.model = ArrayTable(mono_font=theme.table_font(), parent=self)
        self.view = ArrayView(self.model, name="Flags")
        self.view.setAlternatingRowColors(False)
        self._bytes = ByteDelegate(self.view)
        self.detail = FlagDetail(find=find)
        self.shown = ElidedLabel(role="muted")
        column = lines(self.filter_edit, margin=0)
        column.addWidget(self.view, 1)
        column.addWidget(self.detail)
        column.addWidget(self.shown)
        self.setLayout(column)
        self.filter_edit.filterChanged.connect(lambda _: self._filter())
        self.view.hiddenChanged.connect(self._tell_shown)
        self.view.selectionModel().currentRowChanged.connect(self._on_row)

    def show_checked(self, checked: Checked | None) -> None:
        """Show what was found; the sorting goes, the filter is emptied."""
        self._checked, self._kind = checked, None
        self.filter_edit.blockSignals(True)
        self.filter_edit.clear()
        self.filter_edit.blockSignals(False)
        self.detail.clear()
        rows = checked.rows if checked is not None else None
        self.view.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.model.set_data(rows.columns() if rows else (), len(rows) if rows is not None else 0)
        for place, column in enumerate(self.model.columns):
            drawn = self._bytes if column.title in READ_AS_BYTES else None
            self.view.setItemDelegateForColumn(place, drawn)
        self._filter()

    def set_kind(self, kind: str | None) -> None:
        """Show flags of one kind, or of all."""
        self._kind = kind
        self._filter()

    def follow(self, token: int | None) -> None:
        """Select the first row of a token that was selected elsewhere, without a word."""
        if self._checked is None or token is None:
            return
        index = self.view.currentIndex()
        ids = self._checked.rows.ids
        if index.isValid() and ids[self.model.source_row(index.row())] == token:
            return
        places = [self.model.view_row(row) for row in np.flatnonzero(ids == token).tolist()]
        place = min((place for place in places if place >= 0), default=-1)
        selected = self.view.selectionModel()
        if place < 0:
            selected.clear()
            self.detail.clear()
            return
        selected.blockSignals(True)
        flags = QItemSelectionModel.SelectionFlag
        chosen = self.model.index(place, 0)
        selected.setCurrentIndex(chosen, flags.ClearAndSelect | flags.Rows)
        selected.blockSignals(False)
        self.view.scrollTo(chosen)
        self.view.viewport().update()
        self._tell(place)

    def _filter(self) -> None:
        if self._checked is None:
            self._tell_shown()
            return
        rows, text = self._checked.rows, self.filter_edit.text()
        everything = self._kind is None and not text
        self.model.set_filter(None if everything else rows.mask(kind=self._kind, text=text))
        self.view.set_unneeded(*(["Category"] if self._kind is not None else []))
        self._tell_shown()

    def _tell_shown(self) -> None:
        """How many rows there are, and which columns there is no room for."""
        if self._checked is None:
            self.shown.setText("")
            return
        shown, total = self.model.rowCount(), len(self._checked.rows)
        part = f"{number(shown)} of " if shown != total else ""
        words, left_out = f"{part}{counted(total, 'flag')}", ", ".join(self.view.left_out)
        self.shown.setText(f"{words}  ·  no room for {left_out}" if left_out else words)
        self.shown.setToolTip(plain_tip(NO_ROOM.format(left_out)) if left_out else "")

    def _on_row(self, index: QModelIndex, _: QModelIndex) -> None:
        if index.isValid() and self._checked is not None:
            self._tell(index.row())
            row = self.model.source_row(index.row())
            self.tokenChosen.emit(int(self._checked.rows.ids[row]))

    def _tell(self, view_row: int) -> None:
        assert self._checked is not None
        row = self.model.source_row(view_row)
        self.detail.tell(self._checked.rows.flags[row], self._checked)

"""The open tables as a list: which take part in a comparison, and which are A and B."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMenu

from bpe_studio.analysis.corpus_comparison import CorpusComparison
from bpe_studio.gui import theme
from bpe_studio.gui.models.corpus_figure_rows import TableRow, TableRows
from bpe_studio.gui.widgets.array_view import ArrayView
from bpe_studio.gui.widgets.basics import row_height


class TableList(ArrayView):
    """Enter, a double click or B makes a table B, A makes it A, the space bar lets it take part.

    Signals
    -------
    sideAsked(int, int)
        The table of this row is to be A (0) or B (1).
    partAsked(int, bool)
        The table of this row is to take part, or no longer.
    """

    sideAsked = Signal(int, int)
    partAsked = Signal(int, bool)

    def __init__(self) -> None:
        super().__init__(TableRows(mono_font=theme.table_font()), name="Tables compared")
        self.model().setParent(self)
        self.setAlternatingRowColors(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.model().partAsked.connect(self.partAsked)
        self.activated.connect(lambda index: self._ask_side(index, 1))
        self.customContextMenuRequested.connect(self._open_menu)
        self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)

    def show_rows(self, rows: Sequence[TableRow], found: CorpusComparison | None) -> None:
        """Show other rows; what is selected stays, if it is still there."""
        row = self._current_row()
        kept = self.model().table_rows[row].name if row >= 0 else None
        self.model().show_rows(rows, found)
        names = [row.name for row in rows]
        if kept in names:
            self.selectRow(self.model().view_row(names.index(kept)))

    def height_of(self, rows: int) -> int:
        """How high it is with so many rows."""
        head = self.horizontalHeader().sizeHint().height()
        return head + rows * row_height(self) + theme.GAP

    def _current_row(self) -> int:
        index = self.currentIndex()
        return self.model().source_row(index.row()) if index.isValid() else -1

    def _ask_side(self, index: QModelIndex, side: int) -> None:
        if index.isValid():
            self.sideAsked.emit(self.model().source_row(index.row()), side)

    def _open_menu(self, place: QPoint) -> None:
        index = self.indexAt(place)
        if not index.isValid():
            return
        row = self.model().table_rows[self.model().source_row(index.row())]
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for side, name in enumerate("AB"):
            action = menu.addAction(
                f"Make it &{name}", lambda side=side: self._ask_side(index, side)
            )
            action.setEnabled(row.side != name)
        part = menu.addAction("&Compare it, too", lambda: self.model().toggle(index.row()))
        part.setCheckable(True)
        part.setChecked(row.chosen)
        part.setEnabled(not row.fixed)
        menu.popup(self.viewport().mapToGlobal(place))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index, key = self.currentIndex(), event.key()
        plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
        if plain and index.isValid() and key in (Qt.Key.Key_A, Qt.Key.Key_B):
            self._ask_side(index, int(key == Qt.Key.Key_B))
        elif plain and index.isValid() and key == Qt.Key.Key_Space:
            self.model().toggle(index.row())
        else:
            super().keyPressEvent(event)

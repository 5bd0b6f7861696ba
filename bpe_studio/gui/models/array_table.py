"""A table model over arrays: 400,000 rows sort by argsort and filter by a mask, at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt
from PySide6.QtGui import QFont

from bpe_studio.gui.models.legible import legible
from bpe_studio.gui.models.stable_order import stable_order

NO_PARENT = QModelIndex()


@dataclass(frozen=True, slots=True)
class Column:
    """One column: how a row reads, and by which array it sorts.

    Attributes
    ----------
    title : the header, with the unit where there is one.
    text : row of the data → what the cell says.
    key : the array to sort by, one value a row; asked for at the first sort and kept.
    right : numbers stand to the right.
    mono : text and bytes are set in the monospaced face.
    hint : tooltip of the header.
    tip : row of the data → tooltip of the cell, plain text.
    sample : the longest text to make room for.
    share : how much of the room that is left it takes, beside the others.
    spare : above 0, it may be hidden for want of room; of several, the lowest are kept.
    """

    title: str
    text: Callable[[int], str]
    key: Callable[[], Any] | None = None
    right: bool = False
    mono: bool = False
    hint: str = ""
    tip: Callable[[int], str] | None = None
    sample: str = ""
    share: int = 0
    spare: int = 0


class ArrayTable(QAbstractTableModel):
    """Rows of arrays, seen through an order and a mask.

    A *source row* is a row of the arrays, a *view row* a row of the table on screen.
    """

    def __init__(
        self,
        *,
        columns: Sequence[Column] = (),
        rows: int = 0,
        mono_font: QFont | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._mono_font = mono_font
        self._mask: NDArray[np.bool_] | None = None
        self._sorting: tuple[int, Qt.SortOrder] | None = None
        self._take(columns, rows)

    def set_data(self, columns: Sequence[Column], rows: int) -> None:
        """Show other data; the sorting stays if the columns are as many as before."""
        self.beginResetModel()
        if self._sorting and self._sorting[0] >= len(columns):
            self._sorting = None
        self._mask = None
        self._take(columns, rows)
        self._order = self._arranged()
        self.endResetModel()

    def grow(self, rows: int) -> None:
        """Show rows that were added at the end of the arrays.

        They come last whatever the sorting, so that nothing moves under the reader's eyes;
        the next sort or filter puts them in place. With a filter they wait for it.
        """
        fresh = np.arange(self._rows, rows, dtype=np.int32)
        self._rows = rows
        self._keys.clear()
        if self._mask is not None or not fresh.size:
            return
        first = len(self._order)
        self.beginInsertRows(NO_PARENT, first, first + len(fresh) - 1)
        self._order = np.concatenate([self._order, fresh])
        self._places = None
        self.endInsertRows()

    def set_filter(self, mask: NDArray[np.bool_] | None) -> None:
        """Show only the source rows where the mask holds; None shows all."""
        self._mask = mask
        self._rearrange()

    def source_row(self, view_row: int) -> int:
        """Return the row of the arrays that a row on screen shows."""
        return int(self._order[view_row])

    def view_row(self, source_row: int) -> int:
        """Return the row on screen of a row of the arrays, -1 where it is filtered out."""
        if self._places is None:
            self._places = np.full(self._rows, -1, np.int32)
            self._places[self._order] = np.arange(len(self._order), dtype=np.int32)
        return int(self._places[source_row]) if 0 <= source_row < len(self._places) else -1

    @property
    def shown_rows(self) -> NDArray[np.int32]:
        """Source rows in the order in which they stand on screen."""
        return self._order

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns, left to right."""
        return self._columns

    def _take(self, columns: Sequence[Column], rows: int) -> None:
        self._columns = tuple(columns)
        self._rows = rows
        self._keys: dict[int, NDArray[Any]] = {}
        self._order = np.arange(rows, dtype=np.int32)
        self._places: NDArray[np.int32] | None = None

    def _rearrange(self) -> None:
        """Apply sorting and mask, and carry selections along."""
        self.layoutAboutToBeChanged.emit()
        kept = self.persistentIndexList()
        sources = [self.source_row(index.row()) for index in kept]
        self._order = self._arranged()
        self._places = None
        for index, source in zip(kept, sources, strict=True):
            row = self.view_row(source)
            moved = self.index(row, index.column()) if row >= 0 else QModelIndex()
            self.changePersistentIndex(index, moved)
        self.layoutChanged.emit()

    def _arranged(self) -> NDArray[np.int32]:
        rows = np.arange(self._rows, dtype=np.int32)
        if self._mask is not None:
            mask = np.zeros(self._rows, np.bool_)
            mask[: len(self._mask)] = self._mask[: self._rows]
            rows = rows[mask]
        if self._sorting is None or self._columns[self._sorting[0]].key is None:
            return rows
        column, direction = self._sorting
        keys = self._key(column)[rows]
        if direction == Qt.SortOrder.AscendingOrder:
            return rows[stable_order(keys)]
        backwards = stable_order(keys[::-1])[::-1]
        return rows[len(rows) - 1 - backwards]

    def _key(self, column: int) -> NDArray[Any]:
        if column not in self._keys:
            key = self._columns[column].key
            values = key() if key else np.arange(self._rows)
            self._keys[column] = values if isinstance(values, np.ndarray) else places_of(values)
        return self._keys[column]

    # Qt's questions

    def rowCount(self, parent: QModelIndex = NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._order)

    def columnCount(self, parent: QModelIndex = NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._sorting = (column, order) if 0 <= column < len(self._columns) else None
        self._rearrange()

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        column = self._columns[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.text(int(self._order[index.row()]))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if column.right else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.FontRole and column.mono:
            return self._mono_font
        if role == Qt.ItemDataRole.ToolTipRole and column.tip:
            return legible(column.tip(int(self._order[index.row()])))
        return None

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal or section >= len(self._columns):
            return None
        column = self._columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return column.hint or None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if column.right else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None


def places_of(values: Sequence[Any]) -> NDArray[np.int32]:
    """Return the place of each value in sorted order; equal values share one.

    >>> places_of([b"b", b"a", b"b"]).tolist()
    [1, 0, 1]
    """
    order = sorted(range(len(values)), key=values.__getitem__)
    places = np.zeros(len(values), np.int32)
    place = -1
    last = None
    for row in order:
        if place < 0 or values[row] != last:
            place, last = place + 1, values[row]
        places[row] = place
    return places

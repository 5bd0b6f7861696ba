"""The merges of one table for a view: sorted and filtered by arrays, filled cell by cell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QLocale, QModelIndex, Qt, Signal
from PySide6.QtGui import QColor

from bpe_studio.analysis.flag_marks import FlagMarks
from bpe_studio.analysis.merge_rows import COLUMNS, MergeRows
from bpe_studio.analysis.row_filter import RowFilter, parse_filter
from bpe_studio.bpe.decoder import readable

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer
    from bpe_studio.bpe.trainer import MergeBatch

TITLES = {
    "rank": ("Rank", "The place of the merge in the order of learning; the first is 0"),
    "left": ("Left", "The left part of the pair"),
    "right": ("Right", "The right part of the pair"),
    "token": ("Token", "The token that the merge makes"),
    "id": ("Id", "The number of the token"),
    "count": ("Count", "How often the pair was there when it was chosen"),
    "applied": ("Applied", "How often it was merged; less than the count where it overlaps itself"),
    "bytes": ("Bytes", "The length of the token in bytes"),
}
TEXTS = frozenset({"left", "right", "token"})
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
UNKNOWN = "–"
TOOLTIP_BYTES = 64
FLAG_ROLE = Qt.ItemDataRole.UserRole + 1
"""In the column of tokens: the severity of the most serious flag, or None."""


class MergesModel(QAbstractTableModel):
    """Rows are ranks in the order of the sort; `shown` holds them.

    Signals
    -------
    rowsReplaced()
        The rows were sorted, filtered or exchanged; view state that counts rows is void.
    filterFailed(str)
        The filter is not understood; empty when it is.
    """

    rowsReplaced = Signal()
    filterFailed = Signal(str)

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self.rows: MergeRows | None = None
        self.shown: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._visible = 0
        self._plain = True
        self._sort = ("rank", False)
        self._filter: RowFilter | None = None
        self._marks: FlagMarks | None = None
        self._stale = False
        self._size: int | None = None
        self._later_ink = QColor()
        self._locale = QLocale()

    @property
    def stale(self) -> bool:
        """Whether merges were learned that the sort or the filter has not placed yet."""
        return self._stale

    @property
    def is_plain(self) -> bool:
        """Whether all rows are shown by ascending rank, so that new ones go to the end."""
        return self._plain

    def set_tokenizer(self, tokenizer: Tokenizer | None) -> None:
        """Show another table."""
        self.set_rows(MergeRows(tokenizer) if tokenizer is not None else None)

    def set_rows(self, rows: MergeRows | None) -> None:
        """Show rows that were made elsewhere (on a worker thread, for a big table)."""
        self.beginResetModel()
        self.rows = rows
        self._place()
        self.endResetModel()
        self.rowsReplaced.emit()

    def append(self, batch: MergeBatch) -> None:
        """Add what a training has learned; what is here already is passed over."""
        rows = self.rows
        if rows is None:
            return
        skip = len(rows) - batch.first_rank
        if skip < 0 or skip >= len(batch.merges):
            return
        rows.append(batch.merges[skip:], batch.counts[skip:], batch.applied[skip:])
        if self.is_plain:
            self._grow()
        else:
            self._stale = True

    def refresh(self) -> None:
        """Place the rows that came since the sort."""
        if self._stale:
            self._reorder()

    def set_size(self, merges: int | None, ink: QColor) -> None:
        """Only the first so many merges are in use, or all (None); the others are in this ink."""
        if (merges, ink) == (self._size, self._later_ink):
            return
        self._size, self._later_ink = merges, ink
        if self._visible:
            corners = self.index(0, 0), self.index(self._visible - 1, len(COLUMNS) - 1)
            self.dataChanged.emit(*corners, [Qt.ItemDataRole.ForegroundRole])

    @property
    def wants_flags(self) -> bool:
        """Whether the filter asks for tokens that are flagged."""
        return self._filter is not None and bool(self._filter.flags)

    @property
    def marks(self) -> FlagMarks | None:
        """The flags of the table; None where nobody has looked."""
        return self._marks

    def set_marks(self, marks: FlagMarks | None) -> None:
        """Mark the tokens that are flagged."""
        if marks is self._marks:
            return
        self._marks = marks
        if self.wants_flags:
            self._replace()
        elif self._visible:
            column = COLUMNS.index("token")
            corners = self.index(0, column), self.index(self._visible - 1, column)
            self.dataChanged.emit(*corners, [FLAG_ROLE, Qt.ItemDataRole.ToolTipRole])

    def set_filter(self, query: str) -> None:
        """Show the rows that a query lets through (see `analysis.row_filter`)."""
        try:
            self._filter = parse_filter(query) if query else None
        except ValueError as error:
            self.filterFailed.emit(str(error))
            return
        self.filterFailed.emit("")
        self._replace()

    def _replace(self) -> None:
        """Show other rows of the same table."""
        self.beginResetModel()
        self._place()
        self.endResetModel()
        self.rowsReplaced.emit()

    def row_of_rank(self, rank: int) -> int:
        """Where a rank is shown, or -1."""
        if self.is_plain:
            return rank if 0 <= rank < self._visible else -1
        found = np.flatnonzero(self.shown == rank)
        return int(found[0]) if len(found) else -1

    def row_of_token(self, token_id: int) -> int:
        """Where a token's merge is shown, or -1."""
        rank = self.rows.rank_of(token_id) if self.rows is not None else None
        return -1 if rank is None else self.row_of_rank(rank)

    def rank_at(self, row: int) -> int:
        """The rank in a row."""
        return row if self.is_plain else int(self.shown[row])

    def token_at(self, row: int) -> int:
        """The id of the token in a row."""
        assert self.rows is not None
        return int(self.rows.new[self.rank_at(row)])

    def cells(self, rows: Iterable[int], *, for_file: bool = False) -> Iterator[list[Any]]:
        """The values of rows, with the real text of tokens; bytes that are no text in ⟨hex⟩.

        For a file, tokens are readable and their bytes follow in hex in a last column. What the
        rows hold is settled by the call; a thread may take the values afterwards.
        """
        assert self.rows is not None
        places = np.fromiter(rows, dtype=np.int64)
        ranks = places if self.is_plain else self.shown[places]
        self.rows.settle()  # here, for two threads must not do it at once
        return _cells(self.rows, ranks.tolist(), for_file=for_file)

    # Qt's side

    def rowCount(self, parent: QModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else self._visible

    def columnCount(self, parent: QModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(COLUMNS)

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(index.row(), COLUMNS[index.column()])
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return LEFT if COLUMNS[index.column()] in TEXTS else RIGHT
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(index.row())
        if role == Qt.ItemDataRole.ForegroundRole and self._is_later(index.row()):
            return self._later_ink
        if role == FLAG_ROLE and self._marks is not None and COLUMNS[index.column()] == "token":
            return self._marks.severity(self.token_at(index.row()))
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        title, tip = TITLES[COLUMNS[section]]
        if role == Qt.ItemDataRole.DisplayRole:
            return title
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return LEFT if COLUMNS[section] in TEXTS else RIGHT
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        wanted = (COLUMNS[column], order == Qt.SortOrder.DescendingOrder)
        if wanted != self._sort:
            self._sort = wanted
            self._reorder()

    def _text(self, row: int, column: str) -> str:
        rows = self.rows
        if rows is None or row >= self._visible:
            return ""
        rank = self.rank_at(row)
        if column == "token":
            return readable(rows.token(rank))
        if column in TEXTS:
            return readable(rows.parts(rank)[column == "right"])
        number = rows.value(rank, column)
        return UNKNOWN if number is None else self._locale.toString(number)

    def _tip(self, row: int) -> str:
        if self.rows is None:
            return ""
        data = self.rows.token(self.rank_at(row))
        shown = data[:TOOLTIP_BYTES].hex(" ").upper()
        later = "  ·  not in use where the slider stands" if self._is_later(row) else ""
        kinds = self._marks.titles(self.token_at(row)) if self._marks is not None else ""
        flagged = f"\nFlagged: {kinds}" if kinds else ""
        more = " …" if len(data) > TOOLTIP_BYTES else ""
        return f"{len(data)} bytes: {shown}{more}{later}{flagged}"

    def _is_later(self, row: int) -> bool:
        """Whether the merge of a row comes after those that are in use."""
        return self._size is not None and self.rank_at(row) >= self._size

    def _grow(self) -> None:
        assert self.rows is not None
        self.beginInsertRows(QModelIndex(), self._visible, len(self.rows) - 1)
        self._visible = len(self.rows)
        self.endInsertRows()

    def _reorder(self) -> None:
        """Sort again; what was selected stays selected, by rank."""
        self.layoutAboutToBeChanged.emit()
        old = self.persistentIndexList()
        ranks = [self.rank_at(index.row()) for index in old]
        self._place()
        places = self._rows_by_rank()
        new = [
            self.index(int(places[rank]), index.column()) if places[rank] >= 0 else QModelIndex()
            for rank, index in zip(ranks, old, strict=True)
        ]
        self.changePersistentIndexList(old, new)
        self.layoutChanged.emit()
        self.rowsReplaced.emit()

    def _rows_by_rank(self) -> NDArray[np.int64]:
        if self._plain:
            return np.arange(self._visible)
        places = np.full(len(self.rows or ()), -1, dtype=np.int64)
        places[self.shown] = np.arange(len(self.shown))
        return places

    def _place(self) -> None:
        self._stale = False
        rows = self.rows
        self._plain = self._filter is None and self._sort == ("rank", False)
        if rows is None or self._plain:
            self.shown = np.empty(0, dtype=np.int64)
            self._visible = len(rows) if rows is not None else 0
            return
        column, descending = self._sort
        order = rows.order(column, descending=descending)
        if self._filter is not None:
            order = order[self._filter.mask(rows, self._marks)[order]]
        self.shown, self._visible = order, len(order)


def _cells(rows: MergeRows, ranks: list[int], *, for_file: bool) -> Iterator[list[Any]]:
    show = readable if for_file else _real
    for rank in ranks:
        left, right = rows.parts(rank)
        texts = {"left": left, "right": right, "token": left + right}
        values = [
            show(texts[name]) if name in TEXTS else rows.value(rank, name) for name in COLUMNS
        ]
        yield [*values, (left + right).hex()] if for_file else values


def _real(data: bytes) -> str:
    """The text of a token, or its readable form where it holds half a character."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return readable(data)

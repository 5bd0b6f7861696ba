"""The view of the merges: columns as wide as what is in them, rows copied by keys."""

from __future__ import annotations

from PySide6.QtCore import QLocale, Qt
from PySide6.QtGui import QFocusEvent, QFontMetrics, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QTableView

from bpe_studio.analysis.merge_rows import COLUMNS
from bpe_studio.gui import theme
from bpe_studio.gui.models.merges_model import TEXTS, TITLES, MergesModel
from bpe_studio.gui.widgets.basics import set_up_table
from bpe_studio.gui.widgets.byte_text import ByteDelegate
from bpe_studio.gui.widgets.flag_sign import FlaggedDelegate

NUMBERS = tuple(name for name in COLUMNS if name not in TEXTS)
LEAST_DIGITS = 4
SHARES = {"left": 1, "right": 1, "token": 2}
LEAST, MOST = {"left": 5, "right": 5, "token": 8}, {"left": 14, "right": 14, "token": 28}
CELL = 10  # what a cell has round its text


class MergesTable(QTableView):
    """Numbers take the width of the largest, the texts share what is left.

    Where not all fits, the texts are at their narrowest and the last column is scrolled to. From
    the moment that somebody moves a border, widths are as they were left.
    """

    def __init__(self, model: MergesModel) -> None:
        super().__init__()
        self.taking_focus = self._fitting = self._by_hand = False
        self._rows = 0
        self._numbers: dict[str, int] = {}
        self.setModel(model)
        self.setFont(theme.table_font())
        self.setAccessibleName("Merges by rank")
        self.setSortingEnabled(True)
        self.horizontalHeader().setFont(theme.ui_font())
        self.sortByColumn(0, Qt.SortOrder.AscendingOrder)
        set_up_table(self)
        drawn = {"token": FlaggedDelegate(self)}
        plain = ByteDelegate(self)
        for column, name in enumerate(COLUMNS):
            if name in TEXTS:
                self.setItemDelegateForColumn(column, drawn.get(name, plain))
        self.horizontalHeader().setStretchLastSection(True)
        self.horizontalHeader().sectionResized.connect(self._resized)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        model.modelReset.connect(self.fit)
        model.rowsInserted.connect(self._grown)
        self.fit()

    def selected_rows(self) -> list[int]:
        """The selected rows from top to bottom, read from ranges and not cell by cell."""
        rows: set[int] = set()
        for part in self.selectionModel().selection():
            rows.update(range(part.top(), part.bottom() + 1))
        return sorted(rows)

    def fit(self) -> None:
        """Measure the numbers, and give every column its width."""
        metrics, titles = QFontMetrics(self.font()), QFontMetrics(theme.ui_font())
        for name, largest in self._largest().items():
            digits = metrics.horizontalAdvance(QLocale().toString(largest))
            least = metrics.horizontalAdvance("0" * LEAST_DIGITS)
            title = titles.horizontalAdvance(TITLES[name][0])
            self._numbers[name] = max(digits, least, title) + CELL
        self._place()

    def _largest(self) -> dict[str, int]:
        rows = self.model().rows
        self._rows = len(rows) if rows is not None else 0
        if not self._rows:
            return dict.fromkeys(NUMBERS, 0)
        return {
            "rank": self._rows,
            "id": int(rows.new.max()),
            "count": int(rows.counts.max()),
            "applied": int(rows.applied.max()),
            "bytes": 0,
        }

    def _place(self) -> None:
        if self._by_hand:
            return
        digit = QFontMetrics(self.font()).horizontalAdvance("0")
        left = self.viewport().width() - sum(self._numbers.values())
        least = sum(digit * LEAST[name] + CELL for name in SHARES)
        if left < least:  # not all fits: the last column begins at the edge
            left += self._numbers[COLUMNS[-1]]
        over = max(0, left - least) / sum(SHARES.values())
        self._fitting = True
        for column, name in enumerate(COLUMNS):
            width = self._numbers.get(name, 0)
            if name in SHARES:
                wide = min(MOST[name] * digit, LEAST[name] * digit + int(over * SHARES[name]))
                width = wide + CELL
            self.setColumnWidth(column, width)
        self._fitting = False

    def _grown(self) -> None:
        """Measure again when a number of ranks has one digit more."""
        rows = self.model().rows
        if rows is not None and len(str(len(rows))) != len(str(self._rows)):
            self.fit()

    def _resized(self, column: int) -> None:
        """The last column stretches by itself."""
        moved = not self._fitting and column != len(COLUMNS) - 1
        if moved and QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton:
            self._by_hand = True

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Qt makes the first row current when the keyboard arrives; nobody has chosen it."""
        self.taking_focus = True
        super().focusInEvent(event)
        self.taking_focus = False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

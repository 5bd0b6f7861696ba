"""A table of arrays on screen, whose columns share the room there is."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QTableView

from bpe_studio.gui import theme
from bpe_studio.gui.models.array_table import ArrayTable, Column
from bpe_studio.gui.widgets.basics import set_up_table

CELL = 14  # what a cell has round its text


class ArrayView(QTableView):
    """Columns with a sample are as wide as it; the others share what is left.

    Where not all fits, columns that can be done without are hidden until there is room for them.
    From the moment that somebody moves a border, widths are as they were left.
    """

    def __init__(self, model: ArrayTable, *, name: str) -> None:
        super().__init__()
        self._unneeded: set[str] = set()
        self._by_hand = self._fitting = False
        self.setModel(model)
        self.setAccessibleName(name)
        self.setSortingEnabled(True)
        set_up_table(self)
        self.horizontalHeader().sectionResized.connect(self._on_resized)
        model.modelReset.connect(self.fit)

    def set_unneeded(self, *titles: str) -> None:
        """Hide columns that say the same in every row."""
        if set(titles) != self._unneeded:
            self._unneeded = set(titles)
            self.fit()

    def fit(self) -> None:
        """Give every column its width, and hide those for which there is no room."""
        columns = self.model().columns
        if not columns:
            return
        least = [self._least(column) for column in columns]
        room = self.viewport().width()
        shown = [place for place, c in enumerate(columns) if c.title not in self._unneeded]
        for place in sorted(shown, key=lambda place: -columns[place].spare):
            if sum(least[p] for p in shown) > room and columns[place].spare:
                shown.remove(place)
        over = max(0, room - sum(least[place] for place in shown))
        shares = sum(columns[place].share for place in shown)
        self._fitting = True
        for place, column in enumerate(columns):
            self.setColumnHidden(place, place not in shown)
            if not self._by_hand and place in shown:
                more = over * column.share // shares if shares else 0
                self.setColumnWidth(place, least[place] + more)
        self._fitting = False

    def _least(self, column: Column) -> int:
        title = QFontMetrics(theme.ui_font()).horizontalAdvance(column.title)
        font = theme.table_font() if column.mono else self.font()
        return max(title, QFontMetrics(font).horizontalAdvance(column.sample)) + CELL

    def _on_resized(self) -> None:
        if not self._fitting and QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton:
            self._by_hand = True

    def viewportEvent(self, event: QEvent) -> bool:
        """Rows are chosen, so the one cell under the pointer is not tinted."""
        if event.type() in (QEvent.Type.HoverEnter, QEvent.Type.HoverMove):
            return True
        return super().viewportEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

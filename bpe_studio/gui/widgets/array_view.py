"""A table of arrays on screen, whose columns share the room there is."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QTableView

from bpe_studio.gui import theme
from bpe_studio.gui.models.array_table import ArrayTable, Column
from bpe_studio.gui.widgets.basics import set_up_table

CELL = 14  # what a cell has round its text


class ArrayView(QTableView):
    """Columns with a sample are as wide as it; the others share what is left.

    Where not all fits, columns that can be done without are hidden until there is room for them.
    From the moment that somebody moves a border, widths are as they were left, until there are
    other columns.

    Signals
    -------
    hiddenChanged()
        Other columns than before are hidden for want of room.
    """

    hiddenChanged = Signal()

    def __init__(self, model: ArrayTable, *, name: str) -> None:
        super().__init__()
        self._unneeded: set[str] = set()
        self._by_hand = self._held = False
        self._titles: tuple[str, ...] = ()
        self._left_out: tuple[str, ...] = ()
        self.setModel(model)
        self.setAccessibleName(name)
        self.setSortingEnabled(True)
        set_up_table(self)
        self.horizontalHeader().sectionResized.connect(self._on_resized)
        self.horizontalHeader().viewport().installEventFilter(self)
        model.modelReset.connect(self.fit)

    @property
    def left_out(self) -> tuple[str, ...]:
        """Titles of the columns that are hidden for want of room."""
        return self._left_out

    def set_unneeded(self, *titles: str) -> None:
        """Hide columns that say the same in every row."""
        if set(titles) != self._unneeded:
            self._unneeded = set(titles)
            self.fit()

    def fit(self) -> None:
        """Give every column its width, and hide those for which there is no room."""
        columns = self.model().columns
        titles = tuple(column.title for column in columns)
        if not columns:
            return
        if titles != self._titles:  # what somebody did was with other columns
            self._titles, self._by_hand = titles, False
        least = [self._least(column) for column in columns]
        room = self.viewport().width()
        wanted = [place for place, c in enumerate(columns) if c.title not in self._unneeded]
        shown: list[int] = []
        for place in sorted(wanted, key=lambda place: columns[place].spare):
            taken = sum(least[p] for p in shown) + least[place]
            if taken <= room or not columns[place].spare:
                shown.append(place)
        over = max(0, room - sum(least[place] for place in shown))
        shares = sum(columns[place].share for place in shown)
        held, self._held = self._held, False  # what is fitted here nobody has moved
        for place, column in enumerate(columns):
            self.setColumnHidden(place, place not in shown)
            if not self._by_hand and place in shown:
                more = over * column.share // shares if shares else 0
                over, shares = over - more, shares - column.share
                self.setColumnWidth(place, least[place] + more)
        self._held = held
        left_out = tuple(columns[place].title for place in wanted if place not in shown)
        if left_out != self._left_out:
            self._left_out = left_out
            self.hiddenChanged.emit()

    def _least(self, column: Column) -> int:
        title = QFontMetrics(theme.ui_font()).horizontalAdvance(column.title)
        font = theme.table_font() if column.mono else self.font()
        needed = max(title, QFontMetrics(font).horizontalAdvance(column.sample)) + CELL
        return max(needed, self.horizontalHeader().minimumSectionSize())

    def _on_resized(self) -> None:
        if self._held:
            self._by_hand = True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A border is moved while a button is held down over the titles, and only then."""
        if event.type() == QEvent.Type.MouseButtonPress:
            self._held = True
        elif event.type() in (QEvent.Type.MouseButtonRelease, QEvent.Type.Hide):
            self._held = False
        return super().eventFilter(watched, event)

    def viewportEvent(self, event: QEvent) -> bool:
        """Rows are chosen, so the one cell under the pointer is not tinted."""
        if event.type() in (QEvent.Type.HoverEnter, QEvent.Type.HoverMove):
            return True
        return super().viewportEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

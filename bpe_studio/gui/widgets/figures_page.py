"""The figures of all tables on a corpus, and those of A and B side by side."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from bpe_studio.analysis.corpus_comparison import CorpusComparison
from bpe_studio.gui import theme
from bpe_studio.gui.models.array_table import ArrayTable
from bpe_studio.gui.models.corpus_figure_rows import TableRow, figure_columns
from bpe_studio.gui.models.corpus_question import ComparedCorpus
from bpe_studio.gui.widgets.array_view import ArrayView
from bpe_studio.gui.widgets.basics import label, lines
from bpe_studio.gui.widgets.table_list import TableList
from bpe_studio.gui.widgets.words import number

LEAST_ROWS = 2
MOST_ROWS = 6
LIST_SHARE = 0.45
NOTHING = "The figures of A against B stand here once they are compared."


class FiguresPage(QWidget):
    """A list of tables above, and a figure a row below; the border between them can be moved.

    Signals
    -------
    sideAsked(int, int), partAsked(int, bool)
        As of the list.
    """

    sideAsked = Signal(int, int)
    partAsked = Signal(int, bool)

    def __init__(self) -> None:
        super().__init__()
        self._by_hand = False
        self.list = TableList()
        self.list.sideAsked.connect(self.sideAsked)
        self.list.partAsked.connect(self.partAsked)
        self.none = label(NOTHING, role="muted", wrap=True)
        self.model = ArrayTable(mono_font=theme.table_font(), parent=self)
        self.view = ArrayView(self.model, name="Figures of A and B")
        self.view.setSortingEnabled(False)
        self.view.horizontalHeader().setSortIndicatorShown(False)
        self.view.setAlternatingRowColors(False)
        self.list.setMinimumHeight(self.list.height_of(LEAST_ROWS))
        below = QWidget()
        column = lines(self.none, margin=0)
        column.addWidget(self.view, 1)
        column.addStretch(0)
        below.setLayout(column)
        self.split = QSplitter(Qt.Orientation.Vertical)
        self.split.setChildrenCollapsible(False)
        self.split.addWidget(self.list)
        self.split.addWidget(below)
        self.split.splitterMoved.connect(self._on_moved)
        column = lines(margin=0)
        column.addWidget(self.split, 1)
        self.setLayout(column)

    def show_tables(self, rows: Sequence[TableRow], found: CorpusComparison | None) -> None:
        """Show the open tables, with their figures where they are known."""
        self.list.show_rows(rows, found)
        self._share()

    def show_compared(self, compared: ComparedCorpus | None, *, equal: bool) -> None:
        """Show A and B, as they are or at equal size."""
        self.none.setVisible(compared is None)
        self.view.setVisible(compared is not None)
        if compared is None:
            self.model.set_data((), 0)
            return
        found = compared.comparison
        if equal and found.equal is not None:
            title = f"Both at {number(found.equal.vocab_size)} tokens"
            columns = figure_columns(found, found.equal.a, found.equal.b, title)
        else:
            columns = figure_columns(found, *found.tables[:2])
        self.model.set_data(*columns)

    def _share(self) -> None:
        """The list is as high as its rows, but leaves most of the room to the figures below."""
        if self._by_hand:
            return
        rows = min(max(len(self.list.model().table_rows), LEAST_ROWS), MOST_ROWS)
        room = round(LIST_SHARE * self.height())
        high = max(self.list.height_of(LEAST_ROWS), min(self.list.height_of(rows), room))
        self.split.setSizes([high, max(1, self.height() - high)])

    def _on_moved(self) -> None:
        self._by_hand = True

    # Qt's questions

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()

"""The figures of all tables on a corpus, and those of A and B side by side."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from bpe_studio.analysis.corpus_comparison import CorpusComparison
from bpe_studio.gui import theme
from bpe_studio.gui.models.array_table import ArrayTable
from bpe_studio.gui.models.corpus_figure_rows import TableRow, figure_columns
from bpe_studio.gui.models.corpus_question import ComparedCorpus
from bpe_studio.gui.widgets.array_view import ArrayView
from bpe_studio.gui.widgets.basics import SectionHeader, label, lines
from bpe_studio.gui.widgets.table_list import TableList

LEAST_ROWS = 2
LIST_SHARE = 0.45
NOTHING = "The figures of A against B stand here once they are compared."


class FiguresPage(QWidget):
    """A list of tables above, and a figure a row below.

    Signals
    -------
    sideAsked(int, int), partAsked(int, bool)
        As of the list.
    """

    sideAsked = Signal(int, int)
    partAsked = Signal(int, bool)

    def __init__(self) -> None:
        super().__init__()
        self.list = TableList()
        self.list.sideAsked.connect(self.sideAsked)
        self.list.partAsked.connect(self.partAsked)
        self.title = SectionHeader("A against B")
        self.none = label(NOTHING, role="muted", wrap=True)
        self.model = ArrayTable(mono_font=theme.table_font(), parent=self)
        self.view = ArrayView(self.model, name="Figures of A and B")
        self.view.setSortingEnabled(False)
        self.view.horizontalHeader().setSortIndicatorShown(False)
        self.view.setAlternatingRowColors(False)
        column = lines(self.list, self.title, self.none, margin=0)
        column.addWidget(self.view, 1)
        column.addStretch(0)
        self.setLayout(column)

    def show_tables(self, rows: Sequence[TableRow], found: CorpusComparison | None) -> None:
        """Show the open tables, with their figures where they are known."""
        self.list.show_rows(rows, found)
        self._share()

    def _share(self) -> None:
        """The list is as high as its rows, but leaves most of the room to the figures below."""
        rows = len(self.list.model().table_rows)
        room = max(self.list.height_of(LEAST_ROWS), round(LIST_SHARE * self.height()))
        self.list.setFixedHeight(min(self.list.height_of(max(rows, LEAST_ROWS)), room))

    def show_compared(self, compared: ComparedCorpus | None, *, equal: bool) -> None:
        """Show A and B, as they are or at equal size."""
        self.none.setVisible(compared is None)
        self.view.setVisible(compared is not None)
        if compared is None:
            self.title.setText("A against B")
            self.model.set_data((), 0)
            return
        found = compared.comparison
        sides = found.tables[:2]
        size = ""
        if equal and found.equal is not None:
            sides, size = (found.equal.a, found.equal.b), " at equal size"
        self.title.setText(f"A against B{size}")
        self.model.set_data(*figure_columns(found, *sides))

    # Qt's questions

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()

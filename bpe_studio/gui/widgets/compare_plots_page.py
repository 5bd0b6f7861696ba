"""The Plots page of Compare: rank against rank, and what the first merges of both share."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QStackedWidget, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.models.compare_plot_words import (
    no_ranks,
    overlap_words,
    point_words,
    ranks_title,
)
from bpe_studio.gui.models.compare_rows import CompareRows
from bpe_studio.gui.models.compared_tables import ComparedTables
from bpe_studio.gui.state.open_tables import OpenTable
from bpe_studio.gui.widgets.basics import Button, EmptyState, IconButton, label, lines
from bpe_studio.gui.widgets.elided_label import SteadyLabel
from bpe_studio.gui.widgets.overlap_plot import OverlapPlot
from bpe_studio.gui.widgets.rank_plot import RankPlot
from bpe_studio.gui.widgets.words import counted

WIDE = 760  # from here on the plots stand beside each other
WAITING = "Here stands every token of both tables by its rank in each."
NO_REGION = "Drag to select"
RANKS_TIP = "Drag to select a region, click for a token; a double click shows all again."
OVERLAP_TIP = "The share of the first k tokens that merges make which is the same in both."


class ComparePlotsPage(QWidget):
    """Two plots of two tables.

    Signals
    -------
    tokenChosen(object, int)
        A point was chosen: the `OpenTable` and the id of the token, for each side.
    rowChosen(int)
        The same, as the row of the comparison.
    tableAsked()
        The tokens in the region are to be seen in the table.
    runningChanged()
        Never: the tables are compared by `ComparedTables`.
    """

    tokenChosen = Signal(object, int)
    rowChosen = Signal(int)
    tableAsked = Signal()
    runningChanged = Signal()
    running = False

    def __init__(self, compared: ComparedTables) -> None:
        super().__init__()
        self._compared = compared
        self._shown: CompareRows | None = None
        self._by_hand = False
        self.ranks, self.overlap = RankPlot(), OverlapPlot()
        self.ranks_title, self.overlap_title = SteadyLabel(), SteadyLabel()
        self.hint = label(NO_REGION, role="muted")
        self.show_button = Button("Show", tip="Show the tokens of the region in the table")
        self.clear_button = IconButton("close", "Select no region (Delete)")
        self.empty = EmptyState(WAITING)
        self._arrange()
        self._wire()
        self._show()
        self._show_picked()

    def _arrange(self) -> None:
        self.ranks_title.setToolTip(RANKS_TIP)
        self.overlap_title.setToolTip(OVERLAP_TIP)
        above = QHBoxLayout()
        above.setSpacing(theme.GAP)
        above.addWidget(self.ranks_title, 1)
        above.addWidget(self.hint)
        above.addWidget(self.show_button)
        above.addWidget(self.clear_button)
        above.addStrut(self.show_button.sizeHint().height())
        other = QHBoxLayout()  # as high, so that the plots begin on one line
        other.addWidget(self.overlap_title)
        other.addStrut(self.show_button.sizeHint().height())
        self.split = QSplitter(Qt.Orientation.Vertical)
        self.split.setChildrenCollapsible(False)
        self.split.addWidget(_titled(above, self.ranks))
        self.split.addWidget(_titled(other, self.overlap))
        self.split.splitterMoved.connect(self._on_split_moved)
        self.views = QStackedWidget()
        self.views.addWidget(self.empty)
        self.views.addWidget(self.split)
        column = lines(margin=0)
        column.addWidget(self.views, 1)
        self.setLayout(column)

    def _wire(self) -> None:
        self._compared.changed.connect(self._show)
        self._compared.pickedChanged.connect(self._show_picked)
        self.ranks.regionChosen.connect(self._compared.pick)
        self.ranks.pointed.connect(self._tell_point)
        self.ranks.rowChosen.connect(self._on_row)
        self.overlap.pointed.connect(self._tell_overlap)
        self.show_button.clicked.connect(lambda _: self.tableAsked.emit())
        self.clear_button.clicked.connect(lambda _: self._compared.pick(None))

    def set_sides(self, a: OpenTable | None, b: OpenTable | None) -> None:
        """The tables come with `ComparedTables`."""

    def stop(self) -> None:
        """Nothing runs here."""

    def follow(self, row: int) -> None:
        """Ring the token of a row of the comparison; -1 rings none."""
        self.ranks.show_row(row)

    # What is shown

    def _show(self) -> None:
        rows = self._shown = self._compared.rows
        known = rows is not None and len(rows.cloud) > 0
        self.ranks.show_cloud(rows.cloud if known else None)
        self.overlap.show_curve(rows.overlap if known else None)
        self.views.setCurrentIndex(1 if known else 0)
        self.empty.set_text(WAITING if rows is None else no_ranks(rows))
        self._tell_point(-1)
        self._tell_overlap(0)

    def _show_picked(self) -> None:
        picked = self._compared.picked
        self.ranks.show_picked(picked)
        self.hint.setVisible(picked is None)
        for button in (self.show_button, self.clear_button):
            button.setVisible(picked is not None)
        if picked is not None:
            self.show_button.setText(f"Show {counted(len(picked), 'token')}")

    def _tell_point(self, row: int) -> None:
        """The token that is pointed at, or what all of them come to."""
        rows = self._shown
        if rows is not None and len(rows.cloud):
            self.ranks_title.setText(point_words(rows, row) if row >= 0 else ranks_title(rows))

    def _tell_overlap(self, k: int) -> None:
        rows = self._shown
        if rows is not None and len(rows.overlap):
            self.overlap_title.setText(overlap_words(rows.overlap, k or len(rows.overlap)))

    def _on_row(self, row: int) -> None:
        self.rowChosen.emit(row)
        for table, token in self._compared.tokens_of(row):
            self.tokenChosen.emit(table, token)

    # Qt's questions

    def _on_split_moved(self) -> None:
        self._by_hand = True

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Beside each other where there is room, until somebody has moved their border."""
        super().resizeEvent(event)
        wide = self.width() >= WIDE
        wanted = Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical
        if wanted != self.split.orientation():
            self.split.setOrientation(wanted)
            self._by_hand = False
        if not self._by_hand:
            room = self.width() if wide else self.height()
            self.split.setSizes([13 * room // 20, 7 * room // 20])


def _titled(title: QHBoxLayout, plot: QWidget) -> QWidget:
    """A plot below a line that says what it shows, or what is pointed at."""
    column = lines(title, margin=0, gap=theme.GRID)
    column.addWidget(plot, 1)
    made = QWidget()
    made.setLayout(column)
    return made

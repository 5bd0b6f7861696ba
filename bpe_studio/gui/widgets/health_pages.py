"""What was found, in pages: the table beside the kinds, plots, embeddings, corpus, two states."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from bpe_studio.analysis.flags import SEVERITIES
from bpe_studio.analysis.health import KINDS, HealthReport
from bpe_studio.gui import theme
from bpe_studio.gui.models.health_check import Checked
from bpe_studio.gui.models.health_words import share
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.widgets.basics import IconButton, lines
from bpe_studio.gui.widgets.change_page import ChangePage
from bpe_studio.gui.widgets.corpus_page import CorpusPage
from bpe_studio.gui.widgets.flag_detail import Find
from bpe_studio.gui.widgets.flag_table import FlagTable
from bpe_studio.gui.widgets.kind_list import KindEntry, KindList
from bpe_studio.gui.widgets.page_switch import PageSwitch

if TYPE_CHECKING:
    from bpe_studio.analysis.undertrained import UnderTrained
    from bpe_studio.bpe.tokenizer import Tokenizer
    from bpe_studio.gui.widgets.health_plots import HealthPlots
    from bpe_studio.gui.widgets.indicator_view import IndicatorView

TABLE, PLOTS, EMBEDDINGS, CORPUS, CHANGE = range(5)
PAGES = (
    ("Table", "The tokens with flags (Ctrl+Alt+4)"),
    ("Plots", "Flags of each category, and rank against uses (Ctrl+Alt+5)"),
    ("Embeddings", "Under-trained tokens by the embeddings of a model (Ctrl+Alt+6)"),
    ("Corpus", "Specials in the data, scripts, problems of reading (Ctrl+Alt+7)"),
    ("Change", "This table beside another that is open (Ctrl+Alt+8)"),
)
KINDS_WIDTH = 168
MOST_KINDS_WIDTH = 280
KINDS_SHARE = 0.27


class HealthPages(QWidget):
    """A switch, and the page that it chooses. Pages with plots are made when first looked at.

    Signals
    -------
    tokenChosen(int)
        A token was selected in one of the pages.
    filesAsked(), thresholdsAsked(), saveAsked()
        A button was pressed: to check on files, to set limits, to save a report.
    embeddingsFound()
        Embeddings say something new of the current table.
    runningChanged()
        Embeddings are being read, or no longer.
    """

    tokenChosen = Signal(int)
    filesAsked = Signal()
    thresholdsAsked = Signal()
    saveAsked = Signal()
    embeddingsFound = Signal()
    runningChanged = Signal()

    def __init__(self, tables: OpenTables, *, find: Find | None = None) -> None:
        super().__init__()
        self._checked: Checked | None = None
        self._table: OpenTable | None = None
        self._token: int | None = None
        self._by_hand = False
        self.plots: HealthPlots | None = None
        self.embeddings: IndicatorView | None = None
        self.switch = PageSwitch(PAGES)
        self.thresholds_button = IconButton("details", "Thresholds … (Ctrl+Alt+H)")
        self.save_button = IconButton("save", "Save a report … (Ctrl+Alt+R)")
        self.kinds = KindList()
        self.table = FlagTable(find=find)
        self.corpus = CorpusPage()
        self.change = ChangePage(tables)
        self._build()
        self.kinds.kindChosen.connect(self._on_kind)
        self.switch.pageChosen.connect(self._show_page)
        self.table.tokenChosen.connect(self.tokenChosen)
        self.corpus.filesAsked.connect(self.filesAsked)
        self.thresholds_button.clicked.connect(lambda _: self.thresholdsAsked.emit())
        self.save_button.clicked.connect(lambda _: self.saveAsked.emit())

    def _build(self) -> None:
        split = self._split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        for part in (self.table, self.kinds):  # the last one comes first for Tab
            split.insertWidget(0, part)
        split.setStretchFactor(1, 1)
        split.splitterMoved.connect(self._on_split_moved)
        self._late = {page: _holder() for page in (PLOTS, EMBEDDINGS)}
        self.views = QStackedWidget()
        for view in (split, *self._late.values(), self.corpus, self.change):
            self.views.addWidget(view)
        row = QHBoxLayout()
        row.setSpacing(theme.GRID)
        row.addWidget(self.switch)
        row.addStretch(1)
        row.addWidget(self.thresholds_button)
        row.addWidget(self.save_button)
        column = lines(row, margin=0)
        column.addWidget(self.views, 1)
        self.setLayout(column)

    def show_checked(self, table: OpenTable | None, checked: Checked | None) -> None:
        """Show what was found; the page stays, the kind is "all" again."""
        self._table, self._checked = table, checked
        self.table.show_checked(checked)
        self.kinds.set_entries(self._entries())
        self.corpus.show_checked(checked)
        if self.plots is not None:
            self.plots.show_checked(checked, self._entries())
        self._tell_embeddings()

    def follow(self, token: int | None) -> None:
        """Select a token that was selected elsewhere."""
        self._token = token
        self.table.follow(token)
        if self.plots is not None:
            self.plots.set_token(token)
        if self.embeddings is not None:
            self.embeddings.follow(token)

    def show_page(self, page: int) -> None:
        """Bring a page to the front."""
        self.switch.choose(page)

    def open_embeddings(self) -> None:
        """Let the user choose the embeddings of a model."""
        self.show_page(EMBEDDINGS)
        self._embeddings().ask_open()

    @property
    def running(self) -> bool:
        """Whether embeddings are being read."""
        return self.embeddings is not None and self.embeddings.running

    def cancel(self) -> None:
        """Read embeddings no longer."""
        if self.embeddings is not None:
            self.embeddings.cancel()

    def undertrained_of(self, tokenizer: Tokenizer) -> UnderTrained | None:
        """What embeddings say of a tokenizer, where they were opened for it."""
        view = self.embeddings
        return view.undertrained if view is not None and view.tokenizer is tokenizer else None

    def _entries(self) -> list[KindEntry]:
        return entries(self._checked.report) if self._checked is not None else []

    def _show_page(self, page: int) -> None:
        if page == PLOTS:
            self._plots()
        elif page == EMBEDDINGS:
            self._embeddings()
        self.views.setCurrentIndex(page)

    def _on_kind(self, kind: str | None) -> None:
        self.table.set_kind(kind)
        if self.plots is not None:
            self.plots.set_kind(kind)

    def _on_split_moved(self) -> None:
        self._by_hand = True

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The kinds get more room in a wide window, until somebody has moved their border."""
        super().resizeEvent(event)
        if not self._by_hand:
            kinds = round(min(max(KINDS_SHARE * self.width(), KINDS_WIDTH), MOST_KINDS_WIDTH))
            self._split.setSizes([kinds, max(1, self.width() - kinds)])

    # Pages that are made late: pyqtgraph is a third of the start of a program

    def _plots(self) -> HealthPlots:
        if self.plots is None:
            from bpe_studio.gui.widgets.health_plots import HealthPlots

            self.plots = HealthPlots()
            self.plots.tokenChosen.connect(self.tokenChosen)
            self.plots.kindChosen.connect(self.kinds.choose)
            self.plots.filesAsked.connect(self.filesAsked)
            self._late[PLOTS].layout().addWidget(self.plots)
            self.plots.show_checked(self._checked, self._entries())
            self.plots.set_kind(self.kinds.chosen())
            self.plots.set_token(self._token)
        return self.plots

    def _embeddings(self) -> IndicatorView:
        if self.embeddings is None:
            from bpe_studio.gui.widgets.indicator_view import IndicatorView

            self.embeddings = IndicatorView()
            self.embeddings.tokenChosen.connect(self.tokenChosen)
            self.embeddings.found.connect(self._on_found)
            self.embeddings.runningChanged.connect(self.runningChanged)
            self._late[EMBEDDINGS].layout().addWidget(self.embeddings)
            self._tell_embeddings()
            self.embeddings.follow(self._token)
        return self.embeddings

    def _tell_embeddings(self) -> None:
        if self.embeddings is not None:
            table, checked = self._table, self._checked
            tokenizer = table.tokenizer if table is not None else None
            known = checked.undertrained if checked is not None else None
            self.embeddings.set_table(tokenizer, table.name if table is not None else "", known)
            self.embeddings.show_flags(checked.report.flags if checked is not None else None)

    def _on_found(self, found: object) -> None:
        if found is not None:  # what is forgotten for another table stays known of this one
            self.embeddingsFound.emit()


def _holder() -> QWidget:
    """An empty place for a page."""
    held = QWidget()
    QVBoxLayout(held).setContentsMargins(0, 0, 0, 0)
    return held


def entries(report: HealthReport) -> list[KindEntry]:
    """Every kind that was looked for, with count and share; those that were found come first."""
    found: list[KindEntry] = []
    for name, kind in KINDS.items():
        if name in report.counts:
            count = report.counts[name]
            found.append(
                KindEntry(
                    name,
                    kind.title,
                    count,
                    sentence=kind.meaning,
                    severity=SEVERITIES.get(name, "info"),
                    share=share(count, report.tokens),
                    advice=kind.advice,
                )
            )
    found.sort(key=lambda entry: not entry.count)
    return [KindEntry(None, "All flags", len(report.flags)), *found]

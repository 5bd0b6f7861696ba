"""What is compared, in pages: the tables, plots of them, one text, a corpus."""

from __future__ import annotations

import threading
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.models.compared_tables import ComparedTables
from bpe_studio.gui.state.corpus import CorpusState
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.text import TextState
from bpe_studio.gui.widgets.basics import lines
from bpe_studio.gui.widgets.compare_tables_page import CompareTablesPage
from bpe_studio.gui.widgets.compare_text_page import CompareTextPage
from bpe_studio.gui.widgets.page_switch import PageSwitch

TABLES, PLOTS, TEXT, CORPUS = range(4)
PAGES = (
    ("Tables", "The tokens of both tables, and where they part"),
    ("Plots", "Rank against rank, and what the first merges share"),
    ("Text", "One text under both tables"),
    ("Corpus", "What both make of files"),
)


class ComparePages(QWidget):
    """A switch, and the page that it chooses. Pages with plots are made when first looked at.

    Signals
    -------
    tokenChosen(object, int)
        A token was chosen in a page: the `OpenTable` and its id there.
    spanChosen(str, int, int)
        Characters of a text were chosen.
    sidesAsked(object, object)
        Two of the open tables are to be A and B.
    partnerAsked()
        A table of another kind is to be trained beside A.
    pageShown(int)
        Another page is in front.
    runningChanged()
        A page has begun or ended something.
    """

    tokenChosen = Signal(object, int)
    spanChosen = Signal(str, int, int)
    sidesAsked = Signal(object, object)
    partnerAsked = Signal()
    pageShown = Signal(int)
    runningChanged = Signal()

    def __init__(
        self,
        *,
        compared: ComparedTables,
        tables: OpenTables,
        text: TextState,
        corpus: CorpusState,
        ready: threading.Event | None = None,
    ) -> None:
        super().__init__()
        self._compared, self._open, self._corpus_state = compared, tables, corpus
        self._ready = ready
        self._sides: tuple[OpenTable | None, OpenTable | None] = (None, None)
        self.switch = PageSwitch(PAGES)
        self.tables = CompareTablesPage(compared)
        self.text = CompareTextPage(text=text, ready=ready)
        self.plots: Any = None
        self.corpus: Any = None
        self._late = {page: _holder() for page in (PLOTS, CORPUS)}
        self.views = QStackedWidget()
        for view in (self.tables, self._late[PLOTS], self.text, self._late[CORPUS]):
            self.views.addWidget(view)
        self.row = QHBoxLayout()
        self.row.setSpacing(theme.GRID)
        self.row.addWidget(self.switch)
        self.row.addStretch(1)
        column = lines(self.row, margin=0)
        column.addWidget(self.views, 1)
        self.setLayout(column)
        self.switch.pageChosen.connect(self._show_page)
        self.text.spanChosen.connect(self.spanChosen)
        for page in (self.tables, self.text):
            self._wire(page)

    @property
    def running(self) -> bool:
        """Whether a page does something that takes a while."""
        return any(page.running for page in self._made())

    def stop(self) -> None:
        """End what the pages do."""
        for page in self._made():
            if page.running:
                page.stop()

    def set_sides(self, a: OpenTable | None, b: OpenTable | None) -> None:
        """Take the tables that are compared, as they are now."""
        self._sides = (a, b)
        for page in self._made():
            page.set_sides(a, b)

    @property
    def page(self) -> int:
        """The number of the page in front."""
        return self.views.currentIndex()

    def show_page(self, page: int) -> None:
        """Bring a page to the front."""
        self.switch.choose(page)

    def _made(self) -> list[Any]:
        every = (self.tables, self.plots, self.text, self.corpus)
        return [page for page in every if page is not None]

    def _wire(self, page: Any) -> None:
        page.tokenChosen.connect(self.tokenChosen)
        page.runningChanged.connect(self.runningChanged)

    def _show_page(self, page: int) -> None:
        if page == PLOTS and self.plots is None:
            self.plots = self._settled(PLOTS, self._make_plots())
        elif page == CORPUS and self.corpus is None:
            self.corpus = self._settled(CORPUS, self._make_corpus())
        self.views.setCurrentIndex(page)
        self.pageShown.emit(page)

    # Pages that are made late: pyqtgraph is a third of the start of a program

    def _make_plots(self) -> QWidget:
        from bpe_studio.gui.widgets.compare_plots_page import ComparePlotsPage

        return ComparePlotsPage(self._compared)

    def _make_corpus(self) -> QWidget:
        from bpe_studio.gui.widgets.compare_corpus_page import CompareCorpusPage

        page = CompareCorpusPage(tables=self._open, corpus=self._corpus_state, ready=self._ready)
        page.spanChosen.connect(self.spanChosen)
        page.sidesAsked.connect(self.sidesAsked)
        page.partnerAsked.connect(self.partnerAsked)
        return page

    def _settled(self, place: int, page: Any) -> Any:
        self._late[place].layout().addWidget(page)
        self._wire(page)
        page.set_sides(*self._sides)
        return page


def _holder() -> QWidget:
    """An empty place for a page."""
    held = QWidget()
    QVBoxLayout(held).setContentsMargins(0, 0, 0, 0)
    return held

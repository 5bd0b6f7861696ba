"""What is compared, in pages: the tables, plots of them, one text, a corpus."""

from __future__ import annotations

import threading
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.models.compare_rows import CompareRows
from bpe_studio.gui.models.compare_saving import SeenTables
from bpe_studio.gui.models.compared_tables import ComparedTables
from bpe_studio.gui.models.corpus_question import ComparedCorpus
from bpe_studio.gui.state.corpus import CorpusState
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.text import TextState
from bpe_studio.gui.widgets.basics import IconButton, lines
from bpe_studio.gui.widgets.compare_tables_page import CompareTablesPage
from bpe_studio.gui.widgets.compare_text_page import CompareTextPage
from bpe_studio.gui.widgets.page_switch import PageSwitch

TABLES, PLOTS, TEXT, CORPUS = range(4)
PAGES = (
    ("Tables", "The tokens of both tables, and where they part (Alt+1)"),
    ("Plots", "Rank against rank, and what the first merges share (Alt+2)"),
    ("Text", "One text under both tables (Alt+3)"),
    ("Corpus", "What both make of files (Alt+4)"),
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
    explainAsked(int)
        The token of the row that is selected is to be explained under A (0), under B (1), or under
        the table that is current (-1).
    saveAsked()
        A report is to be saved.
    pageShown(int)
        Another page is in front.
    runningChanged()
        A page has begun or ended something.
    """

    tokenChosen = Signal(object, int)
    spanChosen = Signal(str, int, int)
    sidesAsked = Signal(object, object)
    partnerAsked = Signal()
    explainAsked = Signal(int)
    saveAsked = Signal()
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
        self._row = -1
        self.switch = PageSwitch(PAGES)
        self.tables = CompareTablesPage(compared)
        self.text = CompareTextPage(text=text, ready=ready)
        self.plots: Any = None
        self.corpus: Any = None
        self._late = {page: _holder() for page in (PLOTS, CORPUS)}
        self.views = QStackedWidget()
        for view in (self.tables, self._late[PLOTS], self.text, self._late[CORPUS]):
            self.views.addWidget(view)
        self.save_button = IconButton("save", "Save a report … (Ctrl+Alt+W)")
        self.save_button.clicked.connect(lambda _: self.saveAsked.emit())
        self.top = QHBoxLayout()
        self.top.setSpacing(theme.GRID)
        self.top.addWidget(self.switch)
        self.top.addStretch(1)
        self.top.addWidget(self.save_button)
        column = lines(self.top, margin=0)
        column.addWidget(self.views, 1)
        self.setLayout(column)
        self.switch.pageChosen.connect(self._show_page)
        self.text.spanChosen.connect(self.spanChosen)
        self.tables.explainAsked.connect(self.explainAsked)
        self.tables.rowChosen.connect(self.follow)
        compared.changed.connect(lambda: self.follow(-1))
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
    def row(self) -> int:
        """The row of the comparison that was chosen last in the tables or the plots, or -1."""
        return self._row

    @property
    def page(self) -> int:
        """The number of the page in front."""
        return self.views.currentIndex()

    def show_page(self, page: int) -> None:
        """Bring a page to the front."""
        self.switch.choose(page)

    def follow(self, row: int) -> None:
        """Show the token of a row of the comparison, which was selected anywhere."""
        self._row = row
        self.tables.follow(row)
        if self.plots is not None:
            self.plots.follow(row)

    def clear_region(self) -> None:
        """Select no region of the plot of ranks."""
        self._compared.pick(None)

    def seen(self, rows: CompareRows, names: tuple[str, str]) -> SeenTables:
        """What the pages know of two tables as they are now."""
        pair = (rows.a, rows.b)
        text = self.text.seen(pair)
        result = self.corpus.result if self.corpus is not None else None
        known = result is not None and result.question.tokenizers[:2] == pair
        return SeenTables(names, rows, text, result if known else None)

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

        made = ComparePlotsPage(self._compared)
        made.tableAsked.connect(lambda: self.show_page(TABLES))
        made.rowChosen.connect(self.follow)
        made.follow(self._row)
        return made

    def _make_corpus(self) -> QWidget:
        from bpe_studio.gui.widgets.compare_corpus_page import CompareCorpusPage

        page = CompareCorpusPage(tables=self._open, corpus=self._corpus_state, ready=self._ready)
        page.spanChosen.connect(self.spanChosen)
        page.sidesAsked.connect(self.sidesAsked)
        page.partnerAsked.connect(self.partnerAsked)
        page.resultChanged.connect(lambda: self._tell_corpus(page.result))
        return page

    def _tell_corpus(self, result: ComparedCorpus | None) -> None:
        """How often the corpus uses each token belongs into the table of tokens."""
        if result is None:
            self._compared.set_corpus(None, None)
        else:
            a, b, *_ = result.question.tokenizers
            self._compared.set_corpus((a, b), result.comparison)

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

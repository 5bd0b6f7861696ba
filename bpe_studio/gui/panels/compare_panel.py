"""The Compare panel: two open tables side by side, in themselves, on one text and on files."""

from __future__ import annotations

import threading
from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.models.compare_rows import CompareRows
from bpe_studio.gui.models.compare_saving import SeenTables
from bpe_studio.gui.models.compare_words import FIGURES, figures
from bpe_studio.gui.models.compared_tables import ComparedTables
from bpe_studio.gui.state.corpus import CorpusState
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.selection import Selection
from bpe_studio.gui.state.size import SizeState
from bpe_studio.gui.state.text import TextState
from bpe_studio.gui.widgets.basics import EmptyState, IconButton, label, lines
from bpe_studio.gui.widgets.clamped_label import ClampedLabel
from bpe_studio.gui.widgets.compare_pages import CORPUS, PAGES, TEXT, ComparePages
from bpe_studio.gui.widgets.notice import NoticeBar
from bpe_studio.gui.widgets.table_chooser import TableChooser
from bpe_studio.gui.widgets.words import plain_tip

WAIT_MS = 200
BUSY = "Comparing …"
NO_TOKEN = "Select a token on the page Tables of Compare first."
NO_DIFFERENCE = "Go to a difference of the text first (F7)."
WHOLE = (
    "Whole tables are compared, whatever size the slider stands at. To compare a size, open it as "
    "a table of its own (Ctrl+Alt+O)."
)
HINT = (
    "Sets two tables side by side: the tokens they share, those that only one has, how ranks "
    "moved, and what both make of a text and of files. Open or train a second table."
)


class ComparePanel(QWidget):
    """Chooses A and B of the open tables; pages show how they differ.

    Signals
    -------
    openAsked()
        The user wants another table opened.
    partnerAsked()
        A table of another kind is to be trained beside A.
    explainAsked()
        The token that is selected now is to be explained.
    saveAsked()
        A report is to be saved.
    told(str)
        Why nothing happened.
    runningChanged()
        Something is being compared, or no longer.
    """

    title = "Compare"
    openAsked = Signal()
    partnerAsked = Signal()
    explainAsked = Signal()
    saveAsked = Signal()
    told = Signal(str)
    runningChanged = Signal()

    def __init__(
        self,
        *,
        text: TextState,
        tables: OpenTables,
        selection: Selection,
        corpus: CorpusState | None = None,
        size: SizeState | None = None,
        ready: threading.Event | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("comparePanel")
        self._tables = tables
        self._selection = selection
        self._size = size or SizeState(tables, self)
        self._known: list[OpenTable] = []
        self._first_page: int | None = None
        self.compared = ComparedTables(self)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(WAIT_MS)
        self.pages = ComparePages(
            compared=self.compared,
            tables=tables,
            text=text,
            corpus=corpus or CorpusState(self),
            ready=ready,
        )
        self._build()
        self._wire()
        self._on_tables()

    @property
    def rows(self) -> CompareRows | None:
        """What is known of the two tables."""
        return self.compared.rows

    @property
    def seen(self) -> SeenTables | None:
        """All that is known of the two tables, for a report."""
        rows, sides = self.compared.rows, self.compared.sides
        if rows is None or sides is None:
            return None
        return self.pages.seen(rows, (sides[0].name, sides[1].name))

    @property
    def running(self) -> bool:
        """Whether a text or a corpus is being compared; two tables are, in a moment."""
        return self.pages.running

    def stop(self) -> None:
        """End what runs."""
        self.pages.stop()

    @property
    def filter_edit(self) -> QWidget:
        """What Ctrl+F goes to."""
        return self.pages.tables.filter_edit

    def state(self) -> dict[str, Any]:
        """What is to be remembered: the page in front, and whether rules are shown."""
        page = self.pages.page if self._first_page is None else self._first_page
        return {"page": page, "rules": self.pages.tables.rules.button.isChecked()}

    def restore(self, state: dict[str, Any]) -> None:
        """Take what was remembered; what makes no sense is passed over."""
        page = state.get("page")
        if isinstance(page, int) and 0 <= page < len(PAGES):
            self._first_page = page  # made when it is looked at: plots take long to be imported
        self.pages.tables.rules.set_open(state.get("rules") is True)

    # Construction

    def _build(self) -> None:
        self.chooser_a = TableChooser(tables=self._tables, name="Table A", follows_current=False)
        self.chooser_b = TableChooser(tables=self._tables, name="Table B", follows_current=False)
        self.swap_button = IconButton("swap", "Swap A and B")
        self.figures = ClampedLabel(most=3)
        self.figures.setAccessibleName("Figures of the two tables")
        self.whole = label(WHOLE, role="muted", wrap=True)
        self.notice = NoticeBar()
        self.empty = EmptyState(HINT, action="Open a tokenizer …")
        self.views = QStackedWidget()
        self.views.addWidget(self.empty)
        self.views.addWidget(self._page())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.views)

    def _page(self) -> QWidget:
        top = QHBoxLayout()
        top.setSpacing(theme.GAP)
        top.addWidget(label("A", role="muted"))
        top.addWidget(self.chooser_a, 1)
        top.addWidget(self.swap_button)
        top.addWidget(label("B", role="muted"))
        top.addWidget(self.chooser_b, 1)
        column = lines(top, self.figures, self.whole, self.notice, margin=0)
        column.setContentsMargins(theme.MARGIN, theme.GAP, theme.MARGIN, theme.GAP)
        column.addWidget(self.pages, 1)
        page = QWidget()
        page.setLayout(column)
        return page

    def _wire(self) -> None:
        self.empty.asked.connect(self.openAsked)
        self.chooser_a.tableChosen.connect(lambda _: self._changed())
        self.chooser_b.tableChosen.connect(lambda _: self._changed())
        self.swap_button.clicked.connect(lambda _: self.swap())
        self.compared.changed.connect(self._tell)
        self.compared.failed.connect(self.notice.tell)
        self.pages.tokenChosen.connect(self._on_token)
        self.pages.spanChosen.connect(self._selection.select_span)
        self.pages.pageShown.connect(lambda page: self.figures.setVisible(page != CORPUS))
        self.pages.sidesAsked.connect(self.choose)
        self.pages.partnerAsked.connect(self.partnerAsked)
        self.pages.pageShown.connect(self._forget_first_page)
        self.pages.explainAsked.connect(self.explain_under)
        self.pages.saveAsked.connect(self.saveAsked)
        self._selection.tokenSelected.connect(lambda _: self._follow())
        self.pages.runningChanged.connect(self.runningChanged)
        self._tables.changed.connect(self._on_tables)
        self._tables.tokenizerChanged.connect(self._on_tokenizer)
        self._timer.timeout.connect(self.compared.look)
        self._size.changed.connect(self._tell_whole)
        self._tell_whole()

    # What is compared

    def swap(self) -> None:
        """Exchange A and B."""
        self.choose(self.chooser_b.chosen, self.chooser_a.chosen)

    def choose(self, a: OpenTable | None, b: OpenTable | None) -> None:
        """Compare two of the open tables."""
        self.chooser_a.choose(a)
        self.chooser_b.choose(b)

    def _on_tables(self) -> None:
        tables = self._tables.tables
        others = tables != self._known
        self._known = tables
        enough = len(tables) > 1
        self.views.setCurrentIndex(1 if enough else 0)
        a, b = self.chooser_a.chosen, self.chooser_b.chosen
        # Two that are chosen stay: a table that comes, as when a training begins, waits its turn.
        if enough and (a is None or b is None or (a is b and others)):
            first = a or tables[0]
            self.choose(first, next(table for table in reversed(tables) if table is not first))
        self._changed()

    def _tell_whole(self) -> None:
        self.whole.setVisible(self._size.merges is not None)

    def _on_tokenizer(self, table: OpenTable) -> None:
        if table in (self.chooser_a.chosen, self.chooser_b.chosen):
            self._changed()

    def _changed(self) -> None:
        a, b = self.chooser_a.chosen, self.chooser_b.chosen
        if len(self._tables) < 2:
            a = b = None
        self.compared.set_sides(a, b)
        self.pages.set_sides(a, b)
        if self.isVisible() and not self._timer.isActive():
            self._timer.start()

    def _tell(self) -> None:
        rows = self.compared.rows
        if rows is not None:
            self.notice.hide()
        busy = BUSY if self.compared.sides is not None else ""
        words = figures(rows) if rows is not None else busy
        self.figures.setText(words)
        self.figures.setToolTip(plain_tip(f"{words}. {FIGURES}") if rows is not None else "")

    def _forget_first_page(self) -> None:
        self._first_page = None

    # What is chosen

    def explain_under(self, side: int) -> None:
        """Explain what is chosen under A (0) or B (1), whose table becomes current.

        That is the difference of a text in front, or the token that is selected. With -1 the table
        stays, if it is one of the two.
        """
        sides = self.compared.sides
        if self.pages.page == TEXT and sides is not None and side >= 0:
            self._explain_difference(sides[side])
            return
        tokens = self.compared.tokens_of(self.pages.row)
        if not tokens or sides is None:
            self.told.emit(NO_TOKEN)
            return
        wanted = sides[side] if side >= 0 else self._tables.current
        found = [each for each in tokens if each[0] is wanted] or (tokens if side < 0 else [])
        if not found:
            self.told.emit(f"{'AB'[side]} has no such token.")
            return
        table, token = found[0]
        self._tables.set_current(table)
        self._selection.select_token(token)
        self.explainAsked.emit()

    def _explain_difference(self, table: OpenTable) -> None:
        found = self.pages.text.difference
        if found is None:
            self.told.emit(NO_DIFFERENCE)
            return
        self._tables.set_current(table)
        self._selection.select_span(*found)
        self.explainAsked.emit()

    def _on_token(self, table: OpenTable, token: int) -> None:
        """An id means something only in its own table."""
        if table is self._tables.current:
            self._selection.select_token(token)

    def _follow(self) -> None:
        """Show what is selected elsewhere, where one of the two tables is current."""
        row = self.compared.row_of(self._tables.current, self._selection.token)
        if row >= 0:
            self.pages.follow(row)

    # Qt's questions

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._first_page is not None:
            self.pages.show_page(self._first_page)
        self._timer.start(0)

"""What a corpus shows that is of no single token: specials in its text, scripts, problems."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QScrollArea, QStackedWidget, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.models.array_table import ArrayTable
from bpe_studio.gui.models.corpus_findings import Listing, corpus_figures, failures, listings
from bpe_studio.gui.models.health_check import Checked
from bpe_studio.gui.widgets.array_view import ArrayView
from bpe_studio.gui.widgets.basics import EmptyState, SectionHeader, label, lines, row_height

NO_CORPUS = (
    "Here stand the control tokens that the data spells, characters per token of each script, "
    "documents that decoding does not give back, and what could not be read, as soon as the table "
    "is checked on a corpus."
)
MOST_ROWS = 8


class CorpusPage(QWidget):
    """Figures, and three small tables.

    Signals
    -------
    filesAsked()
        The user wants to choose a corpus to check on.
    """

    filesAsked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.figures = label(wrap=True)
        self.failures = label(wrap=True)
        self.parts = [ListingView(name) for name in ("Specials", "Scripts", "Problems")]
        self.empty = EmptyState(NO_CORPUS, action="Check on files …")
        self.empty.asked.connect(self.filesAsked)
        content = QWidget()
        column = lines(self.figures, self.failures, *self.parts, margin=0, gap=theme.MARGIN)
        column.addStretch(1)
        content.setLayout(column)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setAccessibleName("What the corpus shows")
        scroll.setWidget(content)
        self.views = QStackedWidget()
        self.views.addWidget(self.empty)
        self.views.addWidget(scroll)
        self.setLayout(lines(self.views, margin=0))

    def show_checked(self, checked: Checked | None) -> None:
        """Show what was found on a corpus, or what would stand here."""
        if checked is None or checked.use is None:
            self.views.setCurrentIndex(0)
            return
        self.figures.setText(corpus_figures(checked))
        self.failures.setText(failures(checked.use))
        for part, listing in zip(self.parts, listings(checked), strict=True):
            part.show_listing(listing)
        self.views.setCurrentIndex(1)


class ListingView(QWidget):
    """A title over a table that is as high as its rows, or over a sentence."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.title = SectionHeader(name)
        self.none = label(role="muted", wrap=True)
        self.model = ArrayTable(mono_font=theme.table_font(), parent=self)
        self.view = ArrayView(self.model, name=name)
        self.view.setAlternatingRowColors(False)
        self.setLayout(lines(self.title, self.none, self.view, margin=0, gap=theme.GRID))

    def show_listing(self, listing: Listing) -> None:
        """Show other rows."""
        self.title.setText(listing.title)
        self.view.setAccessibleName(listing.title)
        self.none.setText(listing.none)
        self.none.setVisible(not listing.rows)
        self.view.setVisible(listing.rows > 0)
        self.model.set_data(listing.columns, listing.rows)
        rows = min(listing.rows, MOST_ROWS)
        head = self.view.horizontalHeader().sizeHint().height()
        self.view.setFixedHeight(head + rows * row_height(self.view) + theme.GAP)

"""What a corpus shows that is of no single token: specials in its text, scripts, problems."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from bpe_studio.gui.models.corpus_findings import corpus_figures, failures, listings
from bpe_studio.gui.models.health_check import Checked
from bpe_studio.gui.widgets.basics import EmptyState, label, lines
from bpe_studio.gui.widgets.listing_view import ListingView, scrolled

NO_CORPUS = (
    "Here stand the control tokens that the data spells, characters per token of each script, "
    "documents that decoding does not give back, and what could not be read, as soon as the table "
    "is checked on a corpus."
)


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
        scroll = scrolled("What the corpus shows", self.figures, self.failures, *self.parts)
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

"""How A and B cut numbers, how often they cut otherwise, and what reading the corpus has met."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from bpe_studio.gui.models.corpus_question import ComparedCorpus
from bpe_studio.gui.models.cut_rows import (
    number_listing,
    reading_listing,
    reading_words,
    span_listing,
)
from bpe_studio.gui.widgets.basics import SectionHeader, label, lines
from bpe_studio.gui.widgets.listing_view import ListingView, scrolled


class CutsPage(QWidget):
    """Small tables."""

    def __init__(self) -> None:
        super().__init__()
        self.numbers, self.spans = ListingView("Numbers"), ListingView("Stretches")
        self.setLayout(lines(scrolled("How the tables cut", self.numbers, self.spans), margin=0))

    def show_compared(self, compared: ComparedCorpus | None) -> None:
        """Show another comparison."""
        if compared is not None:
            self.numbers.show_listing(number_listing(compared.comparison))
            self.spans.show_listing(span_listing(compared.comparison))


class NotesPage(QWidget):
    """What was read, what of the figures is not exact, and problems of reading."""

    def __init__(self) -> None:
        super().__init__()
        self.figures = label(wrap=True)
        self.title = SectionHeader("What is not exact")
        self.notes = label(wrap=True)
        self.problems = ListingView("Problems of reading")
        parts = (self.figures, self.title, self.notes, self.problems)
        self.setLayout(lines(scrolled("Notes on the comparison", *parts), margin=0))

    def show_compared(self, compared: ComparedCorpus | None) -> None:
        """Show another comparison."""
        if compared is None:
            return
        notes = compared.comparison.notes
        self.figures.setText(reading_words(compared))
        self.notes.setText("\n".join(notes))
        self.title.setVisible(bool(notes))
        self.notes.setVisible(bool(notes))
        self.problems.show_listing(reading_listing(compared))

"""What is shown of tables on a corpus, a section at a time."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QStackedWidget, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.models.corpus_figure_rows import TableRow
from bpe_studio.gui.models.corpus_question import ComparedCorpus
from bpe_studio.gui.widgets.basics import lines
from bpe_studio.gui.widgets.costly_page import CostlyPage
from bpe_studio.gui.widgets.curves_page import CurvesPage
from bpe_studio.gui.widgets.cuts_page import CutsPage, NotesPage
from bpe_studio.gui.widgets.figures_page import FiguresPage
from bpe_studio.gui.widgets.page_switch import PageSwitch
from bpe_studio.gui.widgets.parts_page import PartsPage
from bpe_studio.gui.widgets.words import number

FIGURES, PARTS, CURVE, COSTLY, CUTS, NOTES = range(6)
SECTIONS = (
    ("Figures", "All tables, and A against B in figures"),
    ("Parts", "By kind of file, by script, by file, and between parallel files"),
    ("Curve", "Characters per token over vocabulary size"),
    ("Pieces", "Pieces that cost most under one against the other"),
    ("Cuts", "How numbers are cut, and how often the two cut otherwise"),
    ("Notes", "What was read, what is not exact, problems of reading"),
)
EQUAL = "Equal size"
EQUAL_TIP = "Figures and parts as if both had {} tokens, the size of the smaller table"
NO_EQUAL = "Both have one size already, or one cannot be cut to that of the other"


class CompareSections(QWidget):
    """A switch with a box for equal size, and the section that it chooses.

    Signals
    -------
    sideAsked(int, int), partAsked(int, bool)
        As of the list of tables.
    textChosen(str, int)
        A piece was chosen.
    sizeChanged()
        `at_equal_size` may be another.
    """

    sideAsked = Signal(int, int)
    partAsked = Signal(int, bool)
    textChosen = Signal(str, int)
    sizeChanged = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._compared: ComparedCorpus | None = None
        self.switch = PageSwitch(SECTIONS)
        self.equal = QCheckBox(EQUAL)
        self.figures, self.parts, self.curves = FiguresPage(), PartsPage(), CurvesPage()
        self.costly, self.cuts, self.notes = CostlyPage(), CutsPage(), NotesPage()
        self.views = QStackedWidget()
        for view in (
            self.figures,
            self.parts,
            self.curves,
            self.costly,
            self.cuts,
            self.notes,
        ):
            self.views.addWidget(view)
        row = QHBoxLayout()
        row.setSpacing(theme.GAP)
        row.addWidget(self.switch)
        row.addStretch(1)
        row.addWidget(self.equal)
        column = lines(row, margin=0)
        column.addWidget(self.views, 1)
        self.setLayout(column)
        self.switch.pageChosen.connect(self._show_section)
        self.equal.toggled.connect(lambda _: self._show_sides())
        self.figures.sideAsked.connect(self.sideAsked)
        self.figures.partAsked.connect(self.partAsked)
        self.costly.textChosen.connect(self.textChosen)
        self.show_compared(None)

    @property
    def at_equal_size(self) -> bool:
        """Whether what is in front are figures of A and B at equal size."""
        chosen = self.equal.isChecked() and self.equal.isEnabled()
        return chosen and self.section in (FIGURES, PARTS)

    @property
    def section(self) -> int:
        """The number of the section in front."""
        return self.views.currentIndex()

    def show_section(self, section: int) -> None:
        """Bring a section to the front."""
        self.switch.choose(section)

    def show_tables(self, rows: Sequence[TableRow], compared: ComparedCorpus | None) -> None:
        """Show the open tables, with their figures where they are known."""
        self.figures.show_tables(rows, None if compared is None else compared.comparison)

    def show_compared(self, compared: ComparedCorpus | None) -> None:
        """Show another comparison; the section stays."""
        self._compared = compared
        equal = compared.comparison.equal if compared is not None else None
        self.equal.setEnabled(equal is not None)
        tip = NO_EQUAL if equal is None else EQUAL_TIP.format(number(equal.vocab_size))
        self.equal.setToolTip(tip)
        self.equal.setAccessibleDescription(tip)
        for section in range(1, len(SECTIONS)):
            self.switch.button(section).setEnabled(compared is not None)
        if compared is None and self.section != FIGURES:
            self.show_section(FIGURES)
        for view in (self.curves, self.costly, self.cuts, self.notes):
            view.show_compared(compared)
        self._show_sides()

    def _show_sides(self) -> None:
        equal = self.equal.isChecked() and self.equal.isEnabled()
        for view in (self.figures, self.parts):
            view.show_compared(self._compared, equal=equal)
        self.sizeChanged.emit()

    def _show_section(self, section: int) -> None:
        self.views.setCurrentIndex(section)
        self.equal.setVisible(section in (FIGURES, PARTS))
        self.sizeChanged.emit()

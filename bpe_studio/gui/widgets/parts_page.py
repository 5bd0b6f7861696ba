"""A corpus by kind of file, script or file, and parallel files beside each other, under A and B."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.models.array_table import ArrayTable
from bpe_studio.gui.models.corpus_parallel import parallel_files
from bpe_studio.gui.models.corpus_part_rows import (
    BARS,
    GROUPINGS,
    Grouping,
    Parts,
    only,
    part_columns,
    parts_of,
)
from bpe_studio.gui.models.corpus_question import ComparedCorpus
from bpe_studio.gui.widgets.array_view import ArrayView
from bpe_studio.gui.widgets.basics import label, lines
from bpe_studio.gui.widgets.elided_combo import ElidedCombo
from bpe_studio.gui.widgets.elided_label import ElidedLabel
from bpe_studio.gui.widgets.pair_bars import PairBars
from bpe_studio.gui.widgets.side_key import SideKey

MOST_REFERENCES = 1000
PARITY = "How many tokens a file takes over those of the reference."
PARITY_TIP = PARITY + " It tells what a language costs where all files say the same."
ONE_FILE = "One file alone has nothing to be parallel to."


class PartsPage(QWidget):
    """A choice of what the parts are, and a table with bars."""

    def __init__(self) -> None:
        super().__init__()
        self._compared: ComparedCorpus | None = None
        self._parts: Parts | None = None
        self._equal = False
        self.grouping = QComboBox()
        self.grouping.setAccessibleName("Parts of the corpus")
        for name, title in GROUPINGS.items():
            self.grouping.addItem(title, name)
        self.reference = ElidedCombo()
        self.reference.setAccessibleName("Reference file")
        self.reference.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.reference.setMinimumContentsLength(8)
        self.reference_label = label("Reference", role="muted")
        self.reference_label.setBuddy(self.reference)
        self.key = SideKey()
        self.remark = ElidedLabel(role="muted")
        self.remark.setToolTip(PARITY_TIP)
        self.model = ArrayTable(mono_font=theme.table_font(), parent=self)
        self.view = ArrayView(self.model, name="Parts of the corpus under A and B")
        self.view.setAlternatingRowColors(False)
        self.view.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.view.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.view.setItemDelegateForColumn(BARS, PairBars(self.view, self._lengths))
        row = QHBoxLayout()
        row.setSpacing(theme.GAP)
        row.addWidget(self.grouping)
        row.addWidget(self.reference_label)
        row.addWidget(self.reference, 1)
        row.addWidget(self.key, 2)
        column = lines(row, self.remark, margin=0)
        column.addWidget(self.view, 1)
        self.setLayout(column)
        self.grouping.currentIndexChanged.connect(lambda _: self._show())
        self.reference.activated.connect(lambda _: self._show())
        self._show()

    @property
    def chosen(self) -> Grouping:
        """What the parts are."""
        return self.grouping.currentData()

    @property
    def parts(self) -> Parts | None:
        """The parts that are shown."""
        return self._parts

    def choose(self, grouping: Grouping) -> None:
        """Show other parts."""
        self.grouping.setCurrentIndex(list(GROUPINGS).index(grouping))

    def show_compared(self, compared: ComparedCorpus | None, *, equal: bool) -> None:
        """Show another comparison, as the tables are or at equal size."""
        another = compared is not self._compared
        self._compared, self._equal = compared, equal
        if another:
            self._fill_references()
        self._show()

    def _fill_references(self) -> None:
        compared = self._compared
        kept = self.reference.currentText()
        self.reference.clear()
        if compared is None:
            return
        for file in parallel_files(compared)[:MOST_REFERENCES]:
            self.reference.addItem(compared.comparison.files[file], file)
        self.reference.setCurrentIndex(max(0, self.reference.findText(kept)))

    def _show(self) -> None:
        compared, parity = self._compared, self.chosen == "parity"
        self.reference.setVisible(parity)
        self.reference_label.setVisible(parity)
        few = compared is not None and len(compared.comparison.files) < 2
        self.remark.setText(ONE_FILE if few else PARITY)
        self.remark.setVisible(parity)
        self.key.tell(() if compared is None else compared.names)
        if compared is None:
            self._parts = None
            self.model.set_data((), 0)
            return
        reference = self.reference.currentData() or 0
        parts = parts_of(compared, self.chosen, equal=self._equal, reference=reference)
        if parity:
            parts = only(parts, parallel_files(compared))
        self._parts = parts
        self.model.set_data(part_columns(parts), len(parts))

    def _lengths(self, view_row: int) -> tuple[float, float]:
        assert self._parts is not None
        row, most = self.model.source_row(view_row), self._parts.largest or 1.0
        return float(self._parts.values_a[row]) / most, float(self._parts.values_b[row]) / most

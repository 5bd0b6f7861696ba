"""The curves of A and B on a corpus, with what they read."""

from __future__ import annotations

from PySide6.QtWidgets import QStackedWidget, QWidget

from bpe_studio.gui.models.corpus_figures import NONE, decimal, ratio
from bpe_studio.gui.models.corpus_question import ComparedCorpus
from bpe_studio.gui.models.curve_pair import CurvePair, curve_pair
from bpe_studio.gui.widgets.basics import label, lines
from bpe_studio.gui.widgets.pair_plot import PairPlot
from bpe_studio.gui.widgets.side_key import SideKey
from bpe_studio.gui.widgets.words import number

NO_CURVES = (
    "A curve needs merges that can be cut off, one after another: neither table has them, or both "
    "edit the text first."
)
ONE_CURVE = "{} has no curve: its merges cannot be cut off, or it edits the text first."


class CurvesPage(QWidget):
    """A legend that reads the values at the cross-hair, over the plot."""

    def __init__(self) -> None:
        super().__init__()
        self._compared: ComparedCorpus | None = None
        self._pair: CurvePair | None = None
        self.key = SideKey()
        self.plot = PairPlot()
        self.remark = label(role="muted", wrap=True)
        self.none = label(NO_CURVES, role="muted", wrap=True)
        shown = QWidget()
        column = lines(self.key, margin=0)
        column.addWidget(self.plot, 1)
        column.addWidget(self.remark)
        shown.setLayout(column)
        empty = QWidget()
        column = lines(self.none, margin=0)
        column.addStretch(1)
        empty.setLayout(column)
        self.views = QStackedWidget()
        self.views.addWidget(shown)
        self.views.addWidget(empty)
        self.setLayout(lines(self.views, margin=0))
        self.plot.pointed.connect(self._read)

    def show_compared(self, compared: ComparedCorpus | None) -> None:
        """Draw the curves of another comparison."""
        self._compared, self._pair = compared, None
        if compared is None:
            self.plot.set_pair(None, None)
            return
        found = compared.comparison
        self._pair = curve_pair(*(table.curve for table in found.tables[:2]))
        without = [
            name
            for name, curve in zip(compared.names, self._pair.curves, strict=False)
            if curve is None
        ]
        self.views.setCurrentIndex(1 if len(without) == 2 else 0)
        self.remark.setText(ONE_CURVE.format(without[0]) if without else "")
        self.remark.setVisible(bool(without))
        self.plot.set_pair(self._pair, self._equal())

    def _equal(self) -> int | None:
        """The size of the smaller table, where both have that size."""
        assert self._compared is not None
        found = self._compared.comparison
        return None if found.equal is None else found.equal.vocab_size

    def _read(self, size: float) -> None:
        """Say what both are at a size; without a cross-hair, at equal size or as they are."""
        compared, pair = self._compared, self._pair
        if compared is None or pair is None:
            self.key.tell(())
            return
        if size != size:
            equal = self._equal()
            if equal is None:
                found = compared.comparison
                per = [ratio(found.characters, table.tokens) for table in found.tables[:2]]
                self.key.tell(compared.names, tuple(decimal(value, 2) for value in per))
                return
            size = float(equal)
        values = tuple(decimal(value, 2) for value in pair.values_at(size))
        where = f"at {number(size)} tokens" if any(v != NONE for v in values) else ""
        self.key.tell(compared.names, values, where)

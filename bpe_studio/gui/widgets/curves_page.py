"""The curves of A and B on a corpus, with what they read."""

from __future__ import annotations

from PySide6.QtWidgets import QStackedWidget, QWidget

from bpe_studio.gui.models.corpus_figures import decimal, ratio
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
ONE_CURVE = (
    "{} has no curve, only a point: its merges cannot be cut off, or it edits the text first."
)


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
        whole = [(side, table) for side, table in enumerate(found.tables[:2])]
        if found.equal is not None:
            whole += [(0, found.equal.a), (1, found.equal.b)]
        points = [
            (side, float(table.vocab_size), ratio(found.characters, table.tokens))
            for side, table in whole
        ]
        equal = found.equal.vocab_size if found.equal is not None else None
        self.plot.set_pair(self._pair, equal, points)

    def _read(self, size: float) -> None:
        """Say what both are at a size; without a cross-hair, at equal size or as they are."""
        compared, pair = self._compared, self._pair
        if compared is None or pair is None:
            self.key.tell(())
            return
        found, where = compared.comparison, ""
        if size == size:
            values, where = pair.values_at(size), f"at {number(size)} tokens"
        else:
            sides = found.tables[:2]
            if found.equal is not None:
                sides = (found.equal.a, found.equal.b)
                where = f"at {number(found.equal.vocab_size)} tokens"
            a, b = (ratio(found.characters, table.tokens) for table in sides)
            values = (a, b)
        self.key.tell(compared.names, tuple(decimal(value, 2) for value in values), where)

"""What embeddings say: sentences, the scatter of two indicators, and the candidates."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.models.indicator_rows import IndicatorRows
from bpe_studio.gui.models.indicator_words import AXES, HINTS, matrices_words, point_words
from bpe_studio.gui.widgets.basics import Button, label, lines, set_role
from bpe_studio.gui.widgets.candidate_table import CandidateTable
from bpe_studio.gui.widgets.elided_label import ElidedLabel
from bpe_studio.gui.widgets.form_fields import combo_box
from bpe_studio.gui.widgets.indicator_plot import IndicatorPlot
from bpe_studio.gui.widgets.words import plain_tip

WIDE = 720  # pixels from which the table has room beside the plot
HIGH = 480  # and from which it has room below it
POINT_HINT = (
    "Filled: most indicators agree. Hollow: lowest by an axis. Orange: specials and reference rows."
)
MOUSE_HINT = "Click a point to select its token; drag to move, turn the wheel to zoom."
FIRST = ("input-norm", "output-cosine")


class IndicatorPage(QWidget):
    """The result of a judgement.

    Signals
    -------
    tokenChosen(int)
        A token was clicked in the plot or chosen in the table.
    openAsked()
        Another file is to be chosen.
    """

    tokenChosen = Signal(int)
    openAsked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._rows: IndicatorRows | None = None
        self.matrices = ElidedLabel(role="muted")
        self.confidence = label(wrap=True)
        self.open_button = Button("Open other…", tip="Open other embeddings")
        self.x_combo = combo_box({}, name="Indicator of the horizontal axis")
        self.y_combo = combo_box({}, name="Indicator of the vertical axis")
        self.plot = IndicatorPlot()
        self.table = CandidateTable()
        self.plot.setToolTip(MOUSE_HINT)
        self.point = ElidedLabel(POINT_HINT, role="muted")
        self.split = QSplitter(Qt.Orientation.Horizontal)
        self.split.setChildrenCollapsible(False)
        self.split.addWidget(self._plot_side())
        self.split.addWidget(self.table)
        self.split.setStretchFactor(0, 3)
        self.split.setStretchFactor(1, 2)
        self._build()
        self.open_button.clicked.connect(self.openAsked)
        for combo in (self.x_combo, self.y_combo):
            combo.currentIndexChanged.connect(lambda _: self._draw())
        for part in (self.plot, self.table):
            part.tokenChosen.connect(self._on_chosen)
        self.plot.pointed.connect(self._on_pointed)

    def show_rows(self, rows: IndicatorRows | None) -> None:
        """Show what was found; the axes stay where they can."""
        same = rows is not None and self._rows is not None and rows.found is self._rows.found
        self._rows = rows
        self.table.show_rows(rows)
        if same:
            return
        self.point.setText(POINT_HINT)
        if rows is None:
            self.plot.show_found(None)
            return
        found = rows.found
        self.matrices.setText(matrices_words(found))
        self.matrices.setToolTip(plain_tip(self.matrices.text()))
        self.confidence.setText(found.confidence)
        set_role(self.confidence, "role", "warning" if found.low_confidence else "")
        self._offer([indicator.name for indicator in found.indicators])
        self._draw()

    def follow(self, token: int | None) -> None:
        """Mark a token that was selected elsewhere."""
        self.plot.select(token)
        self.table.follow(token)

    # Construction

    def _plot_side(self) -> QWidget:
        side = QWidget()
        column = lines(margin=0, gap=theme.GRID)
        column.addWidget(self.plot, 1)
        column.addWidget(self.point)
        side.setLayout(column)
        return side

    def _build(self) -> None:
        words = lines(self.matrices, self.confidence, margin=0, gap=theme.GRID)
        top = QHBoxLayout()
        top.setSpacing(theme.GAP)
        top.addLayout(words, 1)
        top.addWidget(self.open_button, 0, Qt.AlignmentFlag.AlignTop)
        axes = QHBoxLayout()
        axes.setSpacing(theme.GAP)
        for name, combo in (("Across", self.x_combo), ("Up", self.y_combo)):
            axes.addWidget(label(name, role="muted"))
            axes.addWidget(combo, 1)
        column = lines(top, axes, margin=0)
        column.addWidget(self.split, 1)
        self.setLayout(column)

    # What is drawn

    def _offer(self, names: list[str]) -> None:
        """Fill the boxes with the indicators that there are; what was chosen stays."""
        for place, combo in enumerate((self.x_combo, self.y_combo)):
            wanted = combo.currentData() or FIRST[place]
            combo.blockSignals(True)
            combo.clear()
            for row, name in enumerate(names):
                combo.addItem(AXES[name], name)
                combo.setItemData(row, plain_tip(HINTS[name]), Qt.ItemDataRole.ToolTipRole)
            combo.setCurrentIndex(max(0, combo.findData(wanted)))
            combo.blockSignals(False)

    def _draw(self) -> None:
        if self._rows is None:
            return
        for combo in (self.x_combo, self.y_combo):
            combo.setToolTip(plain_tip(HINTS[combo.currentData()]))
        self.plot.show_found(self._rows.found, *self._axes())

    def _axes(self) -> tuple[str, str]:
        return self.x_combo.currentData(), self.y_combo.currentData()

    def _on_chosen(self, token: int) -> None:
        self.follow(token)
        self.tokenChosen.emit(token)

    def _on_pointed(self, place: int) -> None:
        if self._rows is None or place < 0:
            self.point.setText(POINT_HINT)
            return
        words = point_words(self._rows.tokenizer, self._rows.found, place, *self._axes())
        self.point.setText(words)

    # Qt's questions

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.width() >= WIDE or self.height() < HIGH
        across = Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical
        if self.split.orientation() != across:
            self.split.setOrientation(across)
            room = self.split.width() if wide else self.split.height()
            self.split.setSizes([3 * room // 5, 2 * room // 5])

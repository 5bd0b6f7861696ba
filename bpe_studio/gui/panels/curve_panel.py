"""The Curve panel: compression against vocabulary size, live while a table trains."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.trainer import MergeBatch
from bpe_studio.gui import theme
from bpe_studio.gui.models.curve_data import (
    Curves,
    LiveCurve,
    OtherCurve,
    curve_of,
    curves_of,
    held_of,
)
from bpe_studio.gui.models.curve_table import csv_of
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.selection import Selection
from bpe_studio.gui.state.size import SizeState
from bpe_studio.gui.state.training import TrainingState
from bpe_studio.gui.widgets.basics import Button, EmptyState
from bpe_studio.gui.widgets.curve_legend import CurveLegend
from bpe_studio.gui.widgets.curve_saver import CurveSaver
from bpe_studio.gui.widgets.notice import NoticeBar

if TYPE_CHECKING:
    from bpe_studio.gui.widgets.curve_plot import CurvePlot

DRAW_MS = 100  # while it grows; a drawing takes 8 ms
TRAIN = "Train on the standard library"
EXAMPLE = "Open an example"
MOST_OTHERS = 6
HINT = (
    "Here stands how many characters and bytes one token holds at every vocabulary size. "
    "Train a table, or open one that was trained here."
)
NO_RECORD = (
    "This table keeps no training record, so how it does on what it was trained on is not known. "
    "Here stands how it does on the text, as soon as there is one."
)

BEGINS = "The curve appears with the first merges."


class CurvePanel(QWidget):
    """Draws the curve of the current table; a click on it selects the merge of that rank.

    Signals
    -------
    trainAsked()
        The user wants a table trained.
    exampleAsked()
        The user wants to see a table that comes with the program.
    told(str)
        Something was done, for the status bar.
    """

    title = "Curve"
    trainAsked = Signal()
    exampleAsked = Signal()
    told = Signal(str)

    def __init__(
        self,
        *,
        tables: OpenTables,
        training: TrainingState,
        selection: Selection,
        size: SizeState,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("curvePanel")
        self._tables = tables
        self._training = training
        self._selection = selection
        self._size = size
        self._trained: LiveCurve | None = None
        self._held: LiveCurve | None = None
        self._curves: Curves | None = None
        self._waiting: list[MergeBatch] = []  # learned, and not yet part of the curve
        self._kept: dict[OpenTable, tuple[Tokenizer, LiveCurve | None]] = {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DRAW_MS)
        self._timer.timeout.connect(self._draw)
        self._plot: CurvePlot | None = None
        self._build()
        self._wire()
        self._load(tables.current)

    @property
    def plot(self) -> CurvePlot:
        """The plot, made when it is first needed."""
        return self._plot if self._plot is not None else self.make_plot()

    @property
    def plot_is_made(self) -> bool:
        """Whether the next curve can be drawn at once."""
        return self._plot is not None

    def make_plot(self) -> CurvePlot:
        """Make the plot, if there is none: pyqtgraph is a third of the start of a program."""
        if self._plot is None:
            from bpe_studio.gui.widgets.curve_plot import CurvePlot

            self._plot = CurvePlot()
            self._plot.pointed.connect(self._tell)
            self._plot.pointChosen.connect(self._choose)
            self._column.addWidget(self._plot, 1)
        return self._plot

    @property
    def curve(self) -> LiveCurve | None:
        """The curve of the training, with all that was learned."""
        self._take_waiting()
        return self._trained

    @property
    def curves(self) -> Curves | None:
        """What is drawn of the current table."""
        return self._curves

    def save(self, path: Path) -> None:
        """Save the plot as PNG or SVG, or its numbers as CSV, by the suffix."""
        self.save_button.save(path)

    def _content_of(self, suffix: str) -> bytes | None:
        self._draw()
        if self._curves is None:
            return None
        if suffix == ".csv":
            return csv_of(self._curves)
        from bpe_studio.gui.widgets.curve_picture import curve_picture

        return curve_picture(
            suffix,
            self._curves,
            self._others(),
            name=self._name(),
            log=self.log_button.isChecked(),
        )

    def _name(self) -> str:
        current = self._tables.current
        return current.name if current is not None else "curve"

    # Construction

    def _build(self) -> None:
        self.legend = CurveLegend()
        self.log_button = Button("Log", look="quiet", tip="Vocabulary sizes on a logarithmic axis")
        self.log_button.setCheckable(True)
        self.save_button = CurveSaver(content=self._content_of, name=self._name)
        self.notice = NoticeBar()
        self.empty = EmptyState(HINT, action=TRAIN, other=EXAMPLE)
        top = QHBoxLayout()
        top.setSpacing(theme.GAP)
        top.addWidget(self.legend, 1)
        top.addWidget(self.log_button)
        top.addWidget(self.save_button)
        page = QWidget()
        self._column = QVBoxLayout(page)
        self._column.setContentsMargins(theme.MARGIN, theme.GRID, theme.MARGIN, theme.GAP)
        self._column.setSpacing(theme.GRID)
        self._column.addLayout(top)
        self._column.addWidget(self.notice)
        self.pages = QStackedWidget()
        self.pages.addWidget(self.empty)
        self.pages.addWidget(page)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self.pages)

    def _wire(self) -> None:
        self.empty.asked.connect(self.trainAsked)
        self.empty.otherAsked.connect(self.exampleAsked)
        self.save_button.saved.connect(self.told)
        self.save_button.failed.connect(self.notice.tell)
        self.log_button.toggled.connect(lambda log: self.plot.set_log(log))
        self._tables.currentChanged.connect(self._load)
        self._tables.tokenizerChanged.connect(self._on_tokenizer)
        self._tables.changed.connect(self._draw_soon)
        self._tables.growing.connect(self._grow)
        self._size.curveChanged.connect(self._draw_soon)
        self._size.changed.connect(self._mark)

    # The curve

    def _load(self, table: OpenTable | None) -> None:
        self._waiting.clear()
        self._trained = curve_of(table.tokenizer) if table is not None else None
        self._held = held_of(table.tokenizer) if table is not None else None
        self._gather(table)
        self._show_page(table)
        self._draw()

    def _gather(self, table: OpenTable | None) -> None:
        """Put together what is known of a table."""
        if table is None:
            self._curves = None
        else:
            self._curves = curves_of(
                self._trained, self._held, self._size.curve, table.tokenizer.training
            )

    def _show_page(self, table: OpenTable | None) -> None:
        if self._curves is not None and len(self._curves.own) > 1:
            self.pages.setCurrentIndex(1)
            return
        if table is None:
            self.empty.set_text(HINT, action=TRAIN, other=EXAMPLE)
        else:
            self.empty.set_text(NO_RECORD if self._curves is None else BEGINS)
        self.pages.setCurrentIndex(0)

    def _on_tokenizer(self, table: OpenTable) -> None:
        """A newer tokenizer holds what was shown, and perhaps more."""
        if table is not self._tables.current:
            return
        fresh, known = curve_of(table.tokenizer), self.curve
        if fresh is None or known is None:
            self._load(table)
        elif len(fresh) >= len(known):
            self._trained, self._held = fresh, held_of(table.tokenizer)
            self._draw_soon()

    def _grow(self, batch: MergeBatch) -> None:
        self._waiting.append(batch)
        self._draw_soon()

    def _take_waiting(self) -> None:
        """Add what was learned to the curve; what does not follow it is told by a tokenizer."""
        batches, self._waiting = self._waiting, []
        current = self._tables.current
        for batch in batches:
            if self._trained is None and current is not None:
                self._trained = curve_of(current.tokenizer)
            if self._trained is not None:
                self._trained.append(batch)

    def _draw_soon(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def _draw(self) -> None:
        self._timer.stop()
        self._take_waiting()
        self._gather(self._tables.current)
        self._show_page(self._tables.current)
        if self._curves is None:
            return
        self.plot.set_curves(self._curves, self._others())
        self._mark()
        self._tell(self.plot.point)

    def _mark(self) -> None:
        if self._plot is not None:
            self._plot.set_mark(self._size.merges)
            self._tell(self._plot.point)

    def _others(self) -> list[OtherCurve]:
        found = []
        for table in self._tables:
            if table is self._tables.current or len(found) == MOST_OTHERS:
                continue
            curve = self._kept_curve(table)
            if curve is not None:
                found.append(OtherCurve(table.name, curve))
        return found

    def _kept_curve(self, table: OpenTable) -> LiveCurve | None:
        """Return the curve of another table, computed once for each of its tokenizers."""
        self._kept = {t: v for t, v in self._kept.items() if self._tables.index(t) >= 0}
        if table not in self._kept or self._kept[table][0] is not table.tokenizer:
            self._kept[table] = (table.tokenizer, curve_of(table.tokenizer))
        return self._kept[table][1]

    def _tell(self, point: int) -> None:
        """Read the values at the cross-hair, or else where the slider stands, or else the last."""
        if self._curves is None:
            return
        last = len(self._curves.own) - 1
        standing = last if self._size.merges is None else min(self._size.merges, last)
        self.legend.tell(self._curves, standing if point < 0 else point)

    def _choose(self, point: int) -> None:
        current = self._tables.current
        if current is None or self._curves is None:
            return
        rank = self._curves.own.rank_at(point)
        merges = current.tokenizer.table.merges
        if rank is not None and rank < len(merges):
            self._selection.select_token(int(merges[rank, 2]))

    # Qt's questions: constant, so that no dock moves when a page changes

    def sizeHint(self) -> QSize:
        return QSize(480, 240)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, 160)

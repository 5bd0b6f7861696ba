"""The Curve panel: compression against vocabulary size, live while a table trains."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QWidget

from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.trainer import MergeBatch
from bpe_studio.gui import theme
from bpe_studio.gui.models.curve_data import Curves, LiveCurve, OtherCurve, curve_of
from bpe_studio.gui.models.curve_table import csv_of
from bpe_studio.gui.models.growing_curves import GrowingCurves
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.selection import Selection
from bpe_studio.gui.state.size import SizeState
from bpe_studio.gui.state.training import TrainingState
from bpe_studio.gui.widgets.basics import Button, EmptyState, lines
from bpe_studio.gui.widgets.curve_legend import CurveLegend
from bpe_studio.gui.widgets.curve_saver import CurveSaver
from bpe_studio.gui.widgets.notice import NoticeBar
from bpe_studio.gui.widgets.sizing_view import SizingView

if TYPE_CHECKING:
    from bpe_studio.gui.widgets.curve_plot import CurvePlot

DRAW_MS = 100  # while it grows; a drawing takes 8 ms
TRAIN = "Train on the standard library"
EXAMPLE = "Open an example"
MOST_OTHERS = 6
HINT = (
    "Here stands how many characters and bytes one token holds at every vocabulary size. "
    "Train a table, or open one: of one from elsewhere it shows how it does on the text."
)
NO_RECORD = (
    "This table keeps no training record, so how it does on what it was trained on is not known."
)
NO_TEXT = "Here stands how it does on the text, as soon as there is one."
ONE_SIZE = "The {kind} model of this table has no merges: it has one size, and no curve over sizes."
SIZING_TIP = "What a model would have of every vocabulary size (Ctrl+Shift+A)"
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
    sizingShown(bool)
        It asks which size, or draws the curve.
    """

    title = "Curve"
    trainAsked = Signal()
    exampleAsked = Signal()
    told = Signal(str)
    sizingShown = Signal(bool)

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
        self._growing = GrowingCurves()
        self._curves: Curves | None = None
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
            self._column.addWidget(self._plot.key)
            self._column.addWidget(self._plot, 1)
        return self._plot

    @property
    def curve(self) -> LiveCurve | None:
        """The curve of the training, with all that was learned."""
        return self._growing.trained

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
        self.sizing_button = Button("Which size?", look="quiet", tip=SIZING_TIP)
        self.sizing_button.setCheckable(True)
        self.notice = NoticeBar()
        self.empty = EmptyState(HINT, action=TRAIN, other=EXAMPLE)
        self.sizing = SizingView()
        top = QHBoxLayout()
        top.setSpacing(theme.GAP)
        top.addWidget(self.sizing_button)
        top.addStretch(1)
        top.addWidget(self.log_button)
        top.addWidget(self.save_button)
        drawn = QWidget()
        self._column = lines(self.legend, margin=0, gap=theme.GRID)
        drawn.setLayout(self._column)
        self.views = QStackedWidget()
        self.views.addWidget(drawn)
        self.views.addWidget(self.sizing)
        page = QWidget()
        column = lines(top, self.notice, margin=0, gap=theme.GRID)
        column.setContentsMargins(theme.MARGIN, theme.GRID, theme.MARGIN, theme.GAP)
        column.addWidget(self.views, 1)
        page.setLayout(column)
        self.pages = QStackedWidget()
        self.pages.addWidget(self.empty)
        self.pages.addWidget(page)
        self.setLayout(lines(self.pages, margin=0))

    def _wire(self) -> None:
        self.empty.asked.connect(self.trainAsked)
        self.empty.otherAsked.connect(self.exampleAsked)
        self.save_button.saved.connect(self.told)
        self.save_button.failed.connect(self.notice.tell)
        self.log_button.toggled.connect(self._set_log)
        self.sizing_button.toggled.connect(self._show_sizing)
        self.sizing.pointChosen.connect(self._choose)
        self._tables.currentChanged.connect(self._load)
        self._tables.tokenizerChanged.connect(self._on_tokenizer)
        self._tables.changed.connect(self._draw_soon)
        self._tables.growing.connect(self._grow)
        self._size.curveChanged.connect(self._draw_soon)
        self._size.changed.connect(self._mark)

    def show_sizing(self, shown: bool) -> None:
        """Ask which size, or draw the curve."""
        self.sizing_button.setChecked(shown)

    def _show_sizing(self, shown: bool) -> None:
        self.views.setCurrentIndex(1 if shown else 0)
        self.save_button.setVisible(not shown)
        self._show_page(self._tables.current)
        self.sizingShown.emit(shown)

    def _set_log(self, log: bool) -> None:
        self.plot.set_log(log)
        self.sizing.set_log(log)

    # The curve

    def _load(self, table: OpenTable | None) -> None:
        self._growing.load(table.tokenizer if table is not None else None)
        self._tell_sizing(table, anew=True)
        self._draw()

    def _tell_sizing(self, table: OpenTable | None, *, anew: bool = False) -> None:
        tokenizer = table.tokenizer if table is not None else None
        why = self._why_nothing(table)
        self.sizing.set_table(tokenizer, self._size.curve, why=why, anew=anew)

    def _why_nothing(self, table: OpenTable | None) -> str:
        """Why nothing is known of a table's sizes, in sentences."""
        if table is not None and table.tokenizer.outside is not None:
            return ONE_SIZE.format(kind=table.tokenizer.outside.kind)
        return f"{NO_RECORD} {self._size.why_no_curve or NO_TEXT}"

    def _show_page(self, table: OpenTable | None) -> None:
        if self._curves is not None and len(self._curves.own) > 1:
            self.pages.setCurrentIndex(1)
            return
        if table is not None and self.sizing_button.isChecked():
            self.pages.setCurrentIndex(1)  # it says itself what it does not know
            return
        if table is None:
            self.empty.set_text(HINT, action=TRAIN, other=EXAMPLE)
        else:
            self.empty.set_text(self._why_nothing(table) if self._curves is None else BEGINS)
        self.pages.setCurrentIndex(0)

    def _on_tokenizer(self, table: OpenTable) -> None:
        if table is self._tables.current:
            self._growing.renew(table.tokenizer)
            self._draw_soon()

    def _grow(self, batch: MergeBatch) -> None:
        self._growing.grow(batch)
        self._draw_soon()

    def _draw_soon(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def _draw(self) -> None:
        self._timer.stop()
        self._tell_sizing(self._tables.current)
        self._curves = self._growing.together(self._size.curve, text_is_old=self._size.curve_is_old)
        self._show_page(self._tables.current)
        if self._curves is None:
            return
        self.plot.set_curves(self._curves, self._others())
        self._mark()
        self._tell(self.plot.point)

    def _mark(self) -> None:
        self.sizing.set_mark(self._size.merges)
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
                found.append(OtherCurve(f"{table.name}, its training", curve))
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

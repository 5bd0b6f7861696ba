"""The plots of a check: flags of each kind, and the tokens by rank and uses."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QStackedWidget, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.models.health_check import Checked
from bpe_studio.gui.widgets.basics import EmptyState, lines
from bpe_studio.gui.widgets.cloud_plot import CloudPlot
from bpe_studio.gui.widgets.elided_label import SteadyLabel
from bpe_studio.gui.widgets.kind_bars import KindBars
from bpe_studio.gui.widgets.kind_list import KindEntry

BARS_WIDTH = 230
BARS_SHARE = 0.34
NO_CORPUS = (
    "Here stands every token by its rank and its uses, where a scaffold or a glitch stands out, "
    "as soon as the table is checked on a corpus."
)
HINT = "A click selects the token everywhere;\na double click shows all again."


class HealthPlots(QWidget):
    """Bars on the left, which also choose a kind; the cloud of tokens on the right.

    Signals
    -------
    tokenChosen(int), kindChosen(object)
        A point, or a bar, was clicked.
    filesAsked()
        The user wants to choose a corpus to check on.
    """

    tokenChosen = Signal(int)
    kindChosen = Signal(object)
    filesAsked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.bars = KindBars()
        self.cloud = CloudPlot()
        self.pointed = tuple(SteadyLabel(line, role="muted") for line in HINT.split("\n"))
        self._by_hand = False
        self.empty = EmptyState(NO_CORPUS, action="Check on files …")
        drawn = QWidget()
        column = lines(margin=0, gap=theme.GRID)
        column.addWidget(self.cloud, 1)
        for line in self.pointed:
            column.addWidget(line)
        drawn.setLayout(column)
        self.views = QStackedWidget()
        self.views.addWidget(self.empty)
        self.views.addWidget(drawn)
        split = self._split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        split.addWidget(self.bars)
        split.addWidget(self.views)
        split.setStretchFactor(1, 1)
        split.setSizes([BARS_WIDTH, 2 * BARS_WIDTH])
        split.splitterMoved.connect(self._on_split_moved)
        self.setLayout(lines(split, margin=0))
        self.bars.kindChosen.connect(self.kindChosen)
        self.cloud.tokenChosen.connect(self.tokenChosen)
        self.cloud.pointed.connect(self._tell_pointed)
        self.empty.asked.connect(self.filesAsked)

    def show_checked(self, checked: Checked | None, entries: Sequence[KindEntry]) -> None:
        """Draw what was found."""
        self.bars.set_entries(entries)
        self.cloud.show_checked(checked)
        self.views.setCurrentIndex(0 if checked is None or checked.cloud is None else 1)

    def set_kind(self, kind: str | None) -> None:
        """Give colour to one kind, or to all."""
        self.bars.set_kind(kind)
        self.cloud.set_kind(kind)

    @property
    def pointed_words(self) -> str:
        """What stands below the cloud: the token under the pointer, or what a click does."""
        return "\n".join(line.text() for line in self.pointed)

    def set_token(self, token: int | None) -> None:
        """Ring the token that is selected."""
        self.cloud.set_token(token)

    def _tell_pointed(self, words: str) -> None:
        for line, part in zip(self.pointed, (words or HINT).split("\n"), strict=True):
            line.setText(part)

    def _on_split_moved(self) -> None:
        self._by_hand = True

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The bars get more room in a wide window, until somebody has moved their border."""
        super().resizeEvent(event)
        if not self._by_hand:
            bars = max(BARS_WIDTH, round(BARS_SHARE * self.width()))
            self._split.setSizes([bars, max(1, self.width() - bars)])

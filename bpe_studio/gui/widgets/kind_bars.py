"""How many flags there are of each kind, as bars on an axis of logarithms."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QResizeEvent

from bpe_studio.gui import theme
from bpe_studio.gui.widgets.kind_list import KindEntry
from bpe_studio.gui.widgets.plot_axes import dress_axes, set_up_axes
from bpe_studio.gui.widgets.power_axis import NOTHING, PowerAxis
from bpe_studio.gui.widgets.words import number

THICK = 0.62
COUNT_WIDTH = 52  # pixels
LEAST_ROOM = 9  # kinds; a few bars are not to be fat


class KindBars(pg.PlotWidget):
    """One bar a kind that was found, the most serious on top.

    Signals
    -------
    kindChosen(object)
        A bar was clicked; its kind, or None beside them.
    """

    kindChosen = Signal(object)

    def __init__(self) -> None:
        super().__init__(axisItems={"bottom": PowerAxis("bottom")})
        self._entries: list[KindEntry] = []
        self._kind: str | None = None
        self._reach = 1.0
        plot = self.getPlotItem()
        set_up_axes(plot)
        plot.setMouseEnabled(x=False, y=False)
        plot.setLabel("bottom", "flags (log)")
        self._bars = pg.BarGraphItem(x0=[], y=[], width=[], height=THICK)
        plot.addItem(self._bars)
        self._bars.setZValue(1)  # above the grid
        self._counts: list[pg.TextItem] = []
        self.setAccessibleName("Flags of each kind")
        self.scene().sigMouseClicked.connect(self._on_clicked)
        self.dress()

    def set_entries(self, entries: Sequence[KindEntry]) -> None:
        """Draw those that were found."""
        self._entries = [entry for entry in entries if entry.kind is not None and entry.count]
        self._draw()

    def set_kind(self, kind: str | None) -> None:
        """Give colour to the bar of one kind alone, or to all."""
        self._kind = kind
        self._draw()

    def _draw(self) -> None:
        plot, colours, entries = self.getPlotItem(), theme.colours(self), self._entries
        for item in self._counts:
            plot.removeItem(item)
        heights = [math.log10(entry.count) - NOTHING for entry in entries]
        places = list(range(len(entries)))
        inks = {"error": colours.danger, "warning": colours.warning}
        shown = [
            inks.get(entry.severity, colours.accent)
            if self._kind in (None, entry.kind)
            else colours.strong
            for entry in entries
        ]
        self._bars.setOpts(
            x0=[NOTHING] * len(entries),
            y=places,
            width=heights,
            height=THICK,
            brushes=[pg.mkBrush(ink) for ink in shown],
            pen=pg.mkPen(None),
        )
        self._counts = []
        for place, entry, height in zip(places, entries, heights, strict=True):
            item = pg.TextItem(number(entry.count), color=colours.muted, anchor=(0, 0.5))
            item.setFont(theme.small_font())
            item.setPos(NOTHING + height, place)
            plot.addItem(item, ignoreBounds=True)
            self._counts.append(item)
        plot.getAxis("left").setTicks(
            [[(p, e.title) for p, e in zip(places, entries, strict=True)]]
        )
        self._reach = max(heights, default=1.0)
        self._make_room()
        self.setYRange(-0.6, max(len(entries), LEAST_ROOM) - 0.4, padding=0)
        self._fit()

    def _make_room(self) -> None:
        """Room for the count at the longest bar, whatever the width."""
        room = max(float(self.getPlotItem().getViewBox().width()), 2 * COUNT_WIDTH)
        whole = self._reach * room / (room - COUNT_WIDTH)
        self.setXRange(NOTHING, NOTHING + whole, padding=0)

    def _fit(self) -> None:
        """Room for the longest title."""
        titles = [entry.title for entry in self._entries]
        widest = max(titles, key=len, default="Special look-alike")
        metrics = QFontMetricsF(theme.small_font())
        width = round(max(metrics.horizontalAdvance(title) for title in [*titles, widest]))
        self.getPlotItem().getAxis("left").setStyle(tickTextWidth=width, autoExpandTextSpace=False)
        self.getPlotItem().getAxis("left").setWidth(width + theme.MARGIN)

    def dress(self) -> None:
        """Take the colours of the theme."""
        colours = theme.colours(self)
        self.setBackground(colours.base)
        dress_axes(self.getPlotItem(), colours)
        self.getPlotItem().showGrid(x=True, y=False, alpha=0.12)
        self.getPlotItem().getViewBox().invertY(True)
        self._draw()

    def _on_clicked(self, event: object) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        box = self.getPlotItem().getViewBox()
        place = round(box.mapSceneToView(event.scenePos()).y())
        inside = 0 <= place < len(self._entries)
        kind = self._entries[place].kind if inside else None
        self.kindChosen.emit(None if kind == self._kind else kind)

    # Qt's questions

    def sizeHint(self) -> QSize:
        return QSize(240, 240)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if hasattr(self, "_reach"):
            self._make_room()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_counts"):
            self.dress()

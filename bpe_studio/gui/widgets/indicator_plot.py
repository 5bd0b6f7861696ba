"""Two indicators of under-training against each other: a point a token, candidates in colour."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal

from bpe_studio.analysis.undertrained import UnderTrained
from bpe_studio.gui import theme
from bpe_studio.gui.models.indicator_words import AXES
from bpe_studio.gui.widgets.plot_axes import dress_axes, set_up_axes
from bpe_studio.gui.widgets.point_cloud import PointCloud
from bpe_studio.gui.widgets.power_axis import ValueAxis

DOT, RING = 7, 15
REACH = 12  # pixels between the pointer and a point that it still means
LOG_FROM = 30.0  # how many times the lowest value the highest is


class IndicatorPlot(pg.PlotWidget):
    """The scatter of two indicators.

    Signals
    -------
    pointed(int)
        The pointer is near the token at this place of `UnderTrained.ids`, -1 for none.
    tokenChosen(int)
        The token with this id was clicked.
    """

    pointed = Signal(int)
    tokenChosen = Signal(int)

    def __init__(self) -> None:
        super().__init__(axisItems={side: ValueAxis(side) for side in ("bottom", "left")})
        self._found: UnderTrained | None = None
        self._axes = ("", "")
        self._x = self._y = np.empty(0)
        self._selected = self._pointed = -1
        plot = self.getPlotItem()
        set_up_axes(plot)
        plot.setMouseEnabled(x=True, y=True)
        self._cloud, self._reference = PointCloud(), PointCloud()
        self._others = pg.ScatterPlotItem(size=DOT)
        self._flagged = pg.ScatterPlotItem(size=DOT)
        self._ring = pg.ScatterPlotItem(size=RING)
        self._limits = [pg.InfiniteLine(angle=angle, movable=False) for angle in (90, 0)]
        for item in (self._cloud, self._reference):
            plot.addItem(item)
        for item in (*self._limits, self._others, self._flagged, self._ring):
            plot.addItem(item, ignoreBounds=True)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # for keys there is the table beside it
        self.setAccessibleName("Two indicators of under-training, a point for each token")
        self.setMinimumSize(160, 120)
        self.scene().sigMouseMoved.connect(self._on_moved)
        self.scene().sigMouseClicked.connect(self._on_clicked)
        self.dress()

    def show_found(self, found: UnderTrained | None, x: str = "", y: str = "") -> None:
        """Draw two indicators, by their names."""
        self._found, self._axes = found, (x, y)
        self._pointed = -1
        if found is None:
            self._x = self._y = np.empty(0)
            self._draw()
            return
        plot = self.getPlotItem()
        made = []
        for side, line, name in zip(("bottom", "left"), self._limits, (x, y), strict=True):
            indicator = found.indicator(name)
            log = _spreads(indicator.values)
            values = np.log10(indicator.values) if log else indicator.values
            made.append(values)
            plot.getAxis(side).setLogMode(log)
            plot.setLabel(side, AXES[name])
            line.setPos(np.log10(indicator.limit) if log else indicator.limit)
        self._x, self._y = made
        self._draw()
        plot.getViewBox().enableAutoRange()

    def select(self, token: int | None) -> None:
        """Mark a token with a ring."""
        place = None if self._found is None or token is None else self._found.index(token)
        self._selected = -1 if place is None else place
        self._draw_ring()

    def dress(self) -> None:
        """Take the colours of the theme."""
        colours = theme.colours(self)
        self.setBackground(colours.base)
        dress_axes(self.getPlotItem(), colours, widest="0.0000")
        self._cloud.set_colour(colours.faint)
        self._reference.set_colour(colours.second)
        outline = pg.mkPen(colours.accent, width=1)
        self._others.setPen(outline)
        self._others.setBrush(pg.mkBrush(colours.base))
        self._flagged.setPen(pg.mkPen(colours.base, width=1))
        self._flagged.setBrush(pg.mkBrush(colours.accent))
        self._ring.setPen(pg.mkPen(colours.text, width=2))
        self._ring.setBrush(pg.mkBrush(None))
        for line in self._limits:
            line.setPen(pg.mkPen(colours.strong, width=1, style=Qt.PenStyle.DashLine))

    # Drawing

    def _draw(self) -> None:
        found = self._found
        for line in self._limits:
            line.setVisible(found is not None)
        if found is None:
            for item in (self._cloud, self._reference):
                item.set_points(np.empty(0), np.empty(0))
            for item in (self._others, self._flagged, self._ring):
                item.setData([], [])
            return
        judged = found.judged
        self._cloud.set_points(self._x[judged], self._y[judged])
        self._reference.set_points(self._x[~judged], self._y[~judged])
        flagged = np.searchsorted(found.ids, found.agreeing())
        for item, places in (
            (self._flagged, flagged),
            (self._others, np.setdiff1d(self._pointed_to(), flagged)),
        ):
            item.setData(self._x[places], self._y[places])
        self._draw_ring()

    def _pointed_to(self) -> NDArray[np.int64]:
        """The places of the candidates by one of the two axes."""
        assert self._found is not None
        both = [self._found.indicator(name).candidates for name in self._axes]
        return np.searchsorted(self._found.ids, np.unique(np.concatenate(both)))

    def _draw_ring(self) -> None:
        shown = 0 <= self._selected < len(self._x)
        at = [self._selected] if shown else []
        self._ring.setData(self._x[at], self._y[at])

    # The mouse

    def place_at(self, scene: QPointF) -> int:
        """The place of the token nearest to a point of the scene, -1 where none is near."""
        box = self.getPlotItem().getViewBox()
        if self._found is None or not box.sceneBoundingRect().contains(scene):
            return -1
        here, (across, down) = box.mapSceneToView(scene), box.viewPixelSize()
        far = np.hypot((self._x - here.x()) / across, (self._y - here.y()) / down)
        if not len(far):
            return -1
        # Candidates are drawn larger and above the others, so they are meant first.
        flagged = np.searchsorted(self._found.ids, self._found.agreeing())
        drawn = np.concatenate((flagged, self._pointed_to()))
        for some, reach in ((drawn, DOT), (np.arange(len(far)), REACH)):
            near = some[far[some] <= reach]
            if len(near):
                return int(near[np.argmin(far[near])])
        return -1

    def _on_moved(self, scene: QPointF) -> None:
        place = self.place_at(scene)
        if place != self._pointed:
            self._pointed = place
            self.pointed.emit(place)

    def _on_clicked(self, event: object) -> None:
        if event.double():
            self.getPlotItem().getViewBox().enableAutoRange()
        elif event.button() == Qt.MouseButton.LeftButton:
            place = self.place_at(event.scenePos())
            if place >= 0 and self._found is not None:
                self.tokenChosen.emit(int(self._found.ids[place]))

    # Qt's questions

    def sizeHint(self) -> QSize:
        return QSize(360, 280)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        if self._pointed >= 0:
            self._pointed = -1
            self.pointed.emit(-1)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_ring"):
            self.dress()


def _spreads(values: NDArray[np.float64]) -> bool:
    """Whether a logarithmic axis fits: all values are above 0, and far apart."""
    return bool(len(values)) and bool(values.min() > 0) and values.max() > LOG_FROM * values.min()

"""Rank against uses, both on axes of logarithms: where a scaffold or a glitch stands out."""

from __future__ import annotations

import math

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor

from bpe_studio.bpe.decoder import readable
from bpe_studio.gui import theme
from bpe_studio.gui.models.health_check import Checked
from bpe_studio.gui.models.health_cloud import ERROR, WARNING, thinned
from bpe_studio.gui.models.legible import legible
from bpe_studio.gui.models.token_details import shorten
from bpe_studio.gui.widgets.plot_axes import dress_axes, set_up_axes
from bpe_studio.gui.widgets.power_axis import NOTHING, PowerAxis
from bpe_studio.gui.widgets.words import counted, number

REDRAW_MS = 60
CELL = 2  # pixels of a point that stands for those below it
FLAGGED_CELL = 4


class CloudPlot(pg.PlotWidget):
    """One point a token; those with flags have an outline and a colour.

    Signals
    -------
    tokenChosen(int)
        A point was clicked; the id of its token.
    pointed(str)
        What the token under the pointer is, in words; empty for none.
    """

    tokenChosen = Signal(int)
    pointed = Signal(str)

    def __init__(self) -> None:
        across, up = PowerAxis("bottom", one_more=True), PowerAxis("left", nothing=True)
        axes = {"bottom": across, "left": up}
        super().__init__(axisItems=axes)
        self._checked: Checked | None = None
        self._mask = np.zeros(0, np.bool_)
        self._token: int | None = None
        plot = self.getPlotItem()
        set_up_axes(plot)
        plot.setMouseEnabled(x=True, y=True)
        plot.setLabel("bottom", "rank (log)")
        plot.setLabel("left", "uses (F1, log)")
        self._plain = pg.ScatterPlotItem(size=3, pen=None)
        self._flagged = pg.ScatterPlotItem(size=7)
        self._chosen = pg.ScatterPlotItem(size=13)
        for item in (self._plain, self._flagged, self._chosen):
            plot.addItem(item, ignoreBounds=True)
        self.setAccessibleName("Rank against uses, one point a token")
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(REDRAW_MS)
        self._timer.timeout.connect(self._draw)
        plot.getViewBox().sigRangeChanged.connect(lambda *_: self._timer.start())
        self.scene().sigMouseMoved.connect(self._on_moved)
        self.scene().sigMouseClicked.connect(self._on_clicked)
        self.dress()

    def show_checked(self, checked: Checked | None) -> None:
        """Draw the tokens of a check that was made with a corpus."""
        self._checked = checked if checked is not None and checked.cloud is not None else None
        self.set_kind(None)
        self.reset_range()

    def set_kind(self, kind: str | None) -> None:
        """Give colour to tokens with flags of one kind, or with serious ones."""
        checked = self._checked
        if checked is not None and checked.cloud is not None:
            self._mask = checked.cloud.of_kind(checked.rows, kind)
        self._draw()

    def set_token(self, token: int | None) -> None:
        """Ring the token that is selected."""
        self._token = token
        self._ring()

    def reset_range(self) -> None:
        """Show all of it."""
        cloud = self._checked.cloud if self._checked is not None else None
        if cloud is not None and len(cloud):
            right, top = float(cloud.x.max()), float(cloud.y.max())
            self.setXRange(0, max(right, 1), padding=0.02)
            self.setYRange(NOTHING, max(top, 1), padding=0.04)

    @property
    def drawn(self) -> tuple[int, int]:
        """How many points are drawn: without a colour, and with one."""
        return len(self._plain.points()), len(self._flagged.points())

    def _draw(self) -> None:
        self._timer.stop()
        cloud = self._checked.cloud if self._checked is not None else None
        if cloud is None:
            for item in (self._plain, self._flagged, self._chosen):
                item.setData([], [])
            return
        box = self.getPlotItem().getViewBox()
        (left, right), (bottom, top) = box.viewRange()
        bounds = (left, right, bottom, top)
        width, height = max(1, int(box.width())), max(1, int(box.height()))
        for item, mask, cell in (
            (self._plain, ~self._mask, CELL),
            (self._flagged, self._mask, FLAGGED_CELL),
        ):
            among = np.flatnonzero(mask)
            cells = (width // cell + 1, height // cell + 1)
            at = among[thinned(cloud.x[among], cloud.y[among], bounds=bounds, cells=cells)]
            more = {"brush": self._brushes(at)} if item is self._flagged else {}
            item.setData(cloud.x[at], cloud.y[at], **more)
        self._ring()

    def _brushes(self, at: np.ndarray) -> list[object]:
        assert self._checked is not None and self._checked.cloud is not None
        colours = theme.colours(self)
        inks = [pg.mkBrush(ink) for ink in (colours.accent, colours.accent)]
        inks += [pg.mkBrush(colours.warning), pg.mkBrush(colours.danger)]
        return [inks[level] for level in self._checked.cloud.severity[at].tolist()]

    def _ring(self) -> None:
        cloud = self._checked.cloud if self._checked is not None else None
        place = -1
        if cloud is not None and self._token is not None:
            found = int(np.searchsorted(cloud.ids, self._token))
            place = found if found < len(cloud) and cloud.ids[found] == self._token else -1
        at = [] if place < 0 or cloud is None else [place]
        self._chosen.setData(cloud.x[at] if at else [], cloud.y[at] if at else [])

    def dress(self) -> None:
        """Take the colours of the theme."""
        colours = theme.colours(self)
        self.setBackground(colours.base)
        faint = QColor(colours.muted)
        faint.setAlpha(150)
        self._plain.setBrush(pg.mkBrush(faint))
        self._flagged.setPen(pg.mkPen(colours.base, width=1))
        self._chosen.setPen(pg.mkPen(colours.accent, width=2))
        self._chosen.setBrush(pg.mkBrush(None))
        dress_axes(self.getPlotItem(), colours, widest="1,000")
        self._draw()

    # The pointer

    def words_of(self, place: int) -> str:
        """What a token is, in two lines: its text and id, its rank and uses."""
        assert self._checked is not None and self._checked.cloud is not None
        cloud, rows = self._checked.cloud, self._checked.rows
        token = int(cloud.ids[place])
        shown = shorten(readable(rows.tokenizer.token_bytes(token)))
        uses = counted(int(cloud.uses[place]), "use")
        flags = {WARNING: ", a warning", ERROR: ", an error"}.get(int(cloud.severity[place]), "")
        rank = number(int(cloud.ranks[place]))
        return legible(f"{shown}  ·  id {number(token)}\nrank {rank}  ·  {uses}{flags}")

    def place_at(self, scene: QPointF) -> int:
        """The token near a place on the scene, -1 for none."""
        box = self.getPlotItem().getViewBox()
        cloud = self._checked.cloud if self._checked is not None else None
        if cloud is None or not box.sceneBoundingRect().contains(scene):
            return -1
        place = box.mapSceneToView(scene)
        width, height = box.viewPixelSize()
        if not all(math.isfinite(side) and side > 0 for side in (width, height)):
            return -1
        return cloud.nearest(place.x(), place.y(), width=width, height=height)

    def _on_moved(self, scene: QPointF) -> None:
        place = self.place_at(scene)
        self.pointed.emit(self.words_of(place) if place >= 0 else "")

    def _on_clicked(self, event: object) -> None:
        if event.double():
            self.reset_range()
        elif event.button() == Qt.MouseButton.LeftButton:
            place = self.place_at(event.scenePos())
            if place >= 0 and self._checked is not None and self._checked.cloud is not None:
                self.tokenChosen.emit(int(self._checked.cloud.ids[place]))

    # Qt's questions

    def sizeHint(self) -> QSize:
        return QSize(320, 240)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.pointed.emit("")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_timer"):
            self.dress()

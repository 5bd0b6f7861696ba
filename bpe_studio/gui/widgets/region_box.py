"""A plot area in which dragging marks a region; the wheel zooms, the right button stretches."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal

from bpe_studio.gui.models.rank_cloud import Region

SMALL = 4  # pixels; a drag of less is a click with an unsteady hand


class RegionBox(pg.ViewBox):
    """Tells the region between where the left button went down and where the pointer is.

    Signals
    -------
    dragged(object, bool)
        The `Region`, and whether the button was let go.
    """

    dragged = Signal(object, bool)

    def mouseDragEvent(self, event: object, axis: int | None = None) -> None:
        if event.button() != Qt.MouseButton.LeftButton or axis is not None:
            super().mouseDragEvent(event, axis)
            return
        event.accept()
        down, here = event.buttonDownPos(), event.pos()
        if max(abs(down.x() - here.x()), abs(down.y() - here.y())) < SMALL:
            return
        one, other = self.mapToView(down), self.mapToView(here)
        region = Region.between((one.x(), one.y()), (other.x(), other.y()))
        self.dragged.emit(region, event.isFinish())

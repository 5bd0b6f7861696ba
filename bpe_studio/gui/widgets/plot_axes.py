"""The axes of a plot over vocabulary sizes, in the colours and fonts of the theme."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtGui import QColor, QFontMetricsF

from bpe_studio.gui import theme


def set_up_axes(plot: pg.PlotItem) -> None:
    """No menu, no buttons; the mouse moves along the sizes only."""
    plot.setMenuEnabled(False)
    plot.hideButtons()
    plot.setMouseEnabled(x=True, y=False)
    plot.getViewBox().setDefaultPadding(0.02)
    for side in ("bottom", "left"):
        plot.getAxis(side).enableAutoSIPrefix(False)
        plot.getAxis(side).setStyle(maxTickLevel=0)


def dress_axes(plot: pg.PlotItem, colours: theme.Colours, *, widest: str = "00.00") -> None:
    """Take the colours of a theme; `widest` is the longest number beside the left axis."""
    metrics = QFontMetricsF(theme.small_font())
    for side in ("bottom", "left"):
        axis = plot.getAxis(side)
        axis.setPen(pg.mkPen(colours.strong))
        axis.setTextPen(pg.mkPen(colours.muted))
        axis.setTickFont(theme.small_font())
        axis.setStyle(  # of one size, or every new number would lay all out again
            autoExpandTextSpace=False,
            tickTextWidth=round(metrics.horizontalAdvance(widest)),
            tickTextHeight=round(metrics.height()),
        )
        axis.label.setFont(theme.small_font())
        axis.label.setDefaultTextColor(QColor(colours.muted))
    plot.showGrid(x=True, y=True, alpha=0.12)

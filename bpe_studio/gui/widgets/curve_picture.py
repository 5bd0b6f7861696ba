"""The curve as a picture of its own size, to be printed and shown elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt

from bpe_studio.gui.models.curve_data import Curves, OtherCurve
from bpe_studio.gui.widgets.curve_legend import CurveLegend
from bpe_studio.gui.widgets.curve_plot import CurvePlot
from bpe_studio.gui.widgets.pictures import SCALE, png, svg

WIDTH, HEIGHT = 960, 520
LINE_WIDTH = 2.0


def curve_picture(
    suffix: str,
    curves: Curves,
    others: Sequence[OtherCurve] = (),
    *,
    name: str,
    log: bool = False,
) -> bytes:
    """Draw a whole curve with its legend and the name of its table, as ".png" or ".svg".

    What is on screen does not matter: not its size, not what of the curve is in view.
    """
    ratio = 1.0 if suffix == ".svg" else float(SCALE)  # lines are measured in device pixels
    plot, legend = CurvePlot(line_width=LINE_WIDTH, ratio=ratio), CurveLegend()
    try:
        key = plot.key
        rows = [(row, row.sizeHint().height()) for row in (legend, key)]
        for part, height in ((plot, HEIGHT), *rows):
            part.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
            part.resize(WIDTH, height)
            part.show()  # a view is laid out when it is shown
        parts = (legend, key, plot) if others else (legend, plot)
        plot.set_title(name)
        plot.set_log(log)
        plot.set_curves(curves, others)
        legend.tell(curves, len(curves.own) - 1)
        plot.settle()
        title = f"Compression curve of {name}"
        return svg(parts, title=title) if suffix == ".svg" else png(parts)
    finally:
        for part in (plot, key, legend):
            part.close()
            part.deleteLater()

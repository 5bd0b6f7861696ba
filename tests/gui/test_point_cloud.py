"""A cloud draws its points where the axes say, at every size and ratio."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from bpe_studio.gui.widgets.point_cloud import PointCloud, _counted

PLACES = st.lists(st.tuples(st.integers(-5, 12), st.integers(-5, 12)), max_size=20)


@given(PLACES, st.integers(1, 8), st.integers(1, 8), st.integers(1, 3))
def test_pixels_hold_the_number_of_squares_over_them(
    places: list[tuple[int, int]], wide: int, high: int, across: int
) -> None:
    x, y = np.array(places, dtype=float).reshape(-1, 2).T
    offset = (across - 1) / 2
    expected = np.zeros((high, wide))
    for column, row in places:
        for r in range(high):
            for c in range(wide):
                expected[r, c] += column <= c < column + across and row <= r < row + across
    assert np.array_equal(_counted(x + offset, y + offset, wide, high, across), expected)


@pytest.mark.parametrize("view", [((0, 10), (0, 10)), ((-100, 100), (2, 4))])
def test_a_point_is_where_the_axes_say(
    qtbot: QtBot, view: tuple[tuple[float, float], tuple[float, float]]
) -> None:
    plot = pg.PlotWidget()
    qtbot.addWidget(plot)
    plot.resize(300, 200)
    plot.setBackground("#ffffff")
    cloud = PointCloud()
    cloud.set_colour("#ff0000")
    plot.addItem(cloud)
    x, y = np.array([3.0, np.nan, 4.0, 1000.0]), np.array([3.0, 1.0, np.inf, 3.0])
    cloud.set_points(x, y)
    plot.setRange(xRange=view[0], yRange=view[1], padding=0)
    plot.show()
    qtbot.waitExposed(plot)
    image = plot.grab().toImage()
    red = [
        (column, row)
        for row in range(image.height())
        for column in range(image.width())
        if _is_reddish(image.pixelColor(column, row))
    ]
    at = plot.mapFromScene(plot.getPlotItem().getViewBox().mapViewToScene(QPointF(3, 3)))
    assert red
    assert all(abs(c - at.x()) <= 2 and abs(r - at.y()) <= 2 for c, r in red)


def _is_reddish(colour: QColor) -> bool:
    return colour.red() > colour.green() + 40 and colour.red() > colour.blue() + 40


def test_no_points_are_nothing(qtbot: QtBot) -> None:
    plot = pg.PlotWidget()
    qtbot.addWidget(plot)
    cloud = PointCloud()
    plot.addItem(cloud)
    cloud.set_points(np.array([np.nan]), np.array([1.0]))
    plot.grab()
    assert cloud.boundingRect().isEmpty()

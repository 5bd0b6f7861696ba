"""Numbers beside an axis do not overlap."""

from __future__ import annotations

import math

import pytest
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication

from bpe_studio.gui import theme
from bpe_studio.gui.widgets.size_ticks import linear_ticks, log_ticks
from bpe_studio.gui.widgets.words import number


@pytest.mark.parametrize("width", [160.0, 320.0, 480.0, 1_000.0])
@pytest.mark.parametrize("highest", [1_000, 8_000, 200_000])
def test_numbers_stand_apart(qapp: QApplication, width: float, highest: int) -> None:
    low, high = math.log10(256), math.log10(highest)
    ticks = log_ticks(low, high, width)
    assert ticks
    metrics = QFontMetricsF(theme.small_font())
    ends = -math.inf
    for tick in ticks:
        half = metrics.horizontalAdvance(number(round(10**tick))) / 2
        place = (tick - low) / (high - low) * width
        assert place - half > ends
        ends = place + half


def test_more_room_holds_more_numbers(qapp: QApplication) -> None:
    counts = [len(log_ticks(2.0, 5.0, width)) for width in (120.0, 400.0, 2_000.0)]
    assert counts == sorted(set(counts))
    assert [round(10**tick) for tick in log_ticks(2.0, 4.0, 120.0)] == [100, 1_000, 10_000]


@pytest.mark.parametrize("width", [60.0, 160.0, 320.0, 1_000.0])
@pytest.mark.parametrize("highest", [300, 1_000, 8_000, 200_000])
def test_numbers_of_a_linear_axis_are_round_and_apart(
    qapp: QApplication, width: float, highest: int
) -> None:
    ticks = linear_ticks(262.0, float(highest), width)
    widest = QFontMetricsF(theme.small_font()).horizontalAdvance(number(highest))
    assert all(262 <= tick <= highest for tick in ticks)
    steps = {later - tick for tick, later in zip(ticks, ticks[1:], strict=False)}
    assert len(steps) <= 1
    for step in steps:
        assert step / (highest - 262) * width > widest
        assert number(step).rstrip("0,") in {"1", "2", "5"}


def test_nothing_to_tick(qapp: QApplication) -> None:
    assert linear_ticks(262.0, 262.0, 300.0) == []
    assert linear_ticks(262.0, 8_000.0, 10.0) == []

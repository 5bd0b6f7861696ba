"""Axes of logarithms: numbers that say what stands there, each with room beside the next."""

from __future__ import annotations

import math

import pytest
from pytestqt.qtbot import QtBot

from bpe_studio.gui.widgets.power_axis import ROOM, PowerAxis, ValueAxis


def test_ranks_count_from_0(qtbot: QtBot) -> None:
    axis = PowerAxis("bottom", one_more=True)
    ((_, values),) = axis.tickValues(-0.1, math.log10(2_001), 300)
    assert axis.tickStrings(values, 1, 1) == ["0", "1", "10", "100", "1,000"]
    assert [round(10**value - 1) for value in values] == [0, 1, 10, 100, 1_000]


@pytest.mark.parametrize(("size", "told"), [(600, 6), (98, 2)])
def test_powers_are_left_out_where_they_would_overlap(size: int, told: int, qtbot: QtBot) -> None:
    ((_, values),) = PowerAxis("bottom").tickValues(-0.3, 5.9, size)
    assert len(values) == told and values[0] == 0


@pytest.mark.parametrize(
    ("low", "high", "size"), [(-1.2, 1.1, 680), (-3, 1, 130), (-8, 2, 100), (0.5, 0.9, 300)]
)
def test_labels_have_room_and_are_plain(low: float, high: float, size: float, qtbot: QtBot) -> None:
    axis = ValueAxis("bottom")
    axis.setLogMode(True)
    ((_, values),) = axis.tickValues(low, high, size)
    words = axis.tickStrings(values, 1, 1)
    assert len(words) >= 2 and len(set(words)) == len(words)
    assert [float(word) for word in words] == pytest.approx([10**v for v in values])
    places = [value / (high - low) * size for value in values]
    apart = [after - before for before, after in zip(places, places[1:], strict=False)]
    assert min(apart) >= ROOM / 2 and values == sorted(values)


def test_a_plain_axis_stays_plain(qtbot: QtBot) -> None:
    axis = ValueAxis("left")
    levels = axis.tickValues(0, 1, 300)
    assert 0.5 in [round(value, 6) for _, values in levels for value in values]

"""Rates and times left."""

from __future__ import annotations

import pytest

from bpe_studio.gui.state.pace import Pace


def test_nothing_is_known_at_first() -> None:
    pace = Pace()
    assert pace.rate == 0 and pace.seconds_left(10) is None
    pace.note(5, 1.0)
    assert pace.rate == 0 and pace.seconds_left(10) is None


def test_the_rate_is_that_of_the_last_seconds() -> None:
    pace = Pace()
    for second in range(100):
        pace.note(10 * second if second < 50 else 500 + 100 * (second - 50), float(second))
    assert pace.rate == pytest.approx(100)
    assert pace.seconds_left(500 + 100 * 49 + 300) == pytest.approx(3)


def test_no_time_left_is_told_in_the_first_second() -> None:
    pace = Pace()
    pace.note(0, 0.0)
    pace.note(10, 1.0)
    assert pace.rate == 10 and pace.seconds_left(100) is None


def test_time_left_is_never_negative() -> None:
    pace = Pace()
    pace.note(0, 0.0)
    pace.note(10, 2.0)
    assert pace.seconds_left(5) == 0

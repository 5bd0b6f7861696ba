"""Where values lie on an axis, its ticks, and one point for many."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.reports.axes import AT_ZERO, Axis, thinned, tick_words

numbers = st.floats(-1e6, 1e6, allow_nan=False)
shares = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=300)


@given(st.lists(numbers, min_size=1, max_size=30))
def test_values_lie_between_the_ends(values: list[float]) -> None:
    found = Axis("", min(values), max(values)).shares(np.array(values))
    assert all(0 <= share <= 1 for share in found)
    pairs = sorted(zip(values, found.tolist(), strict=True))
    assert [share for _, share in pairs] == sorted(share for _, share in pairs)


def test_a_scale_of_logarithms() -> None:
    axis = Axis("", 1, 1_000, log=True)
    assert axis.shares(np.array([0.0, 1, 10, 100, 1_000])).tolist() == pytest.approx(
        [AT_ZERO, 0, 1 / 3, 2 / 3, 1]
    )
    assert axis.ticks() == [1, 10, 100, 1_000]
    assert Axis("", 0.5, 20, log=True).ticks() == [1, 10]


@given(numbers, st.floats(1e-3, 1e6))
def test_ticks_are_a_few_round_numbers_inside(low: float, span: float) -> None:
    ticks = Axis("", low, low + span).ticks()
    assert 2 <= len(ticks) <= 8
    assert all(low - span * 1e-6 <= tick <= low + span * (1 + 1e-6) for tick in ticks)
    steps = np.diff(ticks)
    assert np.allclose(steps, steps[0], rtol=1e-6, atol=abs(low) * 1e-12)
    mantissa = steps[0] / 10 ** math.floor(math.log10(steps[0]) + 1e-9)
    assert any(math.isclose(mantissa, factor, rel_tol=1e-4) for factor in (1, 2, 5, 10))


def test_an_axis_of_one_value() -> None:
    axis = Axis("", 3, 3)
    assert axis.ticks() == [3] and axis.shares(np.array([3.0])).tolist() == [0.5]
    assert [tick_words(value) for value in (3.0, 0.25, 12_000.0)] == ["3", "0.25", "12,000"]


@given(shares, st.integers(1, 50))
def test_thinning_keeps_a_point_near_every_point(
    points: list[tuple[float, float]], most: int
) -> None:
    x, y = (np.array(values) for values in zip(*points, strict=True))
    kept = thinned(x, y, most, wide=100, high=100, cell=2)
    assert 1 <= len(kept) <= most and kept.tolist() == sorted(set(kept.tolist()))
    again = thinned(x, y, most, wide=100, high=100, cell=2)
    assert kept.tolist() == again.tolist()
    if most >= len(points):
        for place in range(len(points)):
            near = np.maximum(abs(x[kept] - x[place]), abs(y[kept] - y[place])).min()
            assert near * 100 <= 2


def test_no_points() -> None:
    nothing = np.zeros(0)
    assert thinned(nothing, nothing, 5, wide=10, high=10, cell=2).tolist() == []


def test_a_span_of_next_to_nothing_has_one_tick() -> None:
    assert Axis("t", 0.0, 5e-324).ticks() == [0.0]

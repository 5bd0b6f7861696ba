"""Sizes along a line: every one is found again where it is."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.gui.models.size_scale import SizeScale


@given(
    more=st.lists(st.integers(1, 900), min_size=1, max_size=40),
    log=st.booleans(),
    left=st.floats(0, 300),
    width=st.floats(10, 2_000),
)
def test_every_size_is_found_again(more: list[int], log: bool, left: float, width: float) -> None:
    sizes = np.cumsum([262, *more])
    scale = SizeScale(sizes, left, width, log)
    places = scale.places(sizes)
    assert abs(places[0] - left) < 1e-6 and abs(places[-1] - left - width) < 1e-6
    assert [scale.nearest(place) for place in places.tolist()] == list(range(len(sizes)))
    assert scale.nearest(left - 9) == scale.nearest(left + width + 9) == -1


def test_one_size_and_none() -> None:
    assert SizeScale(np.array([262]), 10.0, 90.0, log=True).nearest(20.0) == 0
    assert SizeScale(np.zeros(0, np.int64), 10.0, 90.0, log=False).nearest(20.0) == -1

"""Fewer points that draw the same line."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.gui.models.thinning import thinned


@given(first=st.integers(1, 400), count=st.integers(1, 30_000), most=st.integers(64, 4_000))
def test_ends_stay_and_no_gap_is_wide(first: int, count: int, most: int) -> None:
    sizes = np.arange(first, first + count)
    places = thinned(sizes, most)
    assert len(places) <= max(most, 1) or count <= most
    assert (places[0], places[-1]) == (0, count - 1)
    assert (np.diff(places) > 0).all()
    if count > 1:
        even = np.diff(sizes[places]).max() / (count - 1)
        close = np.diff(np.log(sizes[places])).max() / np.log(sizes[-1] / sizes[0])
        single = np.log1p(1 / first) / np.log(sizes[-1] / sizes[0])  # two sizes side by side
        assert even < 5 / most or count <= most
        assert close < max(5 / most, 1.01 * single) or count <= most

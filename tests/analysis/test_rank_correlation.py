"""Ranks, shares and Spearman's correlation against the slow definitions."""

from __future__ import annotations

import doctest
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.analysis import rank_correlation
from bpe_studio.analysis.rank_correlation import ranks, shares, spearman

VALUES = st.lists(st.integers(-5, 5).map(float), min_size=1, max_size=30)


def test_the_examples() -> None:
    assert doctest.testmod(rank_correlation).failed == 0


@given(VALUES)
def test_ranks_and_shares(values: list[float]) -> None:
    below = [sum(other < value for other in values) for value in values]
    equal = [values.count(value) for value in values]
    places = [b + (e + 1) / 2 for b, e in zip(below, equal, strict=True)]
    assert ranks(np.array(values)).tolist() == places
    assert shares(np.array(values)).tolist() == [
        (b + e) / len(values) for b, e in zip(below, equal, strict=True)
    ]


@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=2, max_size=30))
def test_spearman_is_the_correlation_of_ranks(pairs: list[tuple[int, int]]) -> None:
    first, second = (np.array(values, dtype=float) for values in zip(*pairs, strict=True))
    found = spearman(first, second)
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert math.isnan(found)
    else:
        assert found == pytest.approx(np.corrcoef(ranks(first), ranks(second))[0, 1])
        assert spearman(first, np.exp(first)) == pytest.approx(1)
        assert spearman(first, -first) == pytest.approx(-1)

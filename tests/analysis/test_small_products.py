"""Products in pieces equal products at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.analysis import small_products
from bpe_studio.analysis.small_products import times, transposed_times


@given(st.integers(1, 40), st.integers(1, 9), st.integers(1, 9), st.integers(1, 400))
def test_pieces_change_nothing(rows: int, columns: int, width: int, least: int) -> None:
    random = np.random.default_rng(rows)
    some, vectors = random.normal(size=(rows, columns)), random.normal(size=(columns, width))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(small_products, "_LEAST_SHARED", least)
        products = times(some, vectors)
        assert products.dtype == some.dtype
        assert np.allclose(products, some @ vectors)
        assert np.allclose(transposed_times(some, products), products.T @ some)

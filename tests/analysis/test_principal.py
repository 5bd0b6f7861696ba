"""The first principal component against a singular value decomposition of the whole."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.analysis.principal import principal_direction
from bpe_studio.bpe.generators import result_of
from tests.analysis.made_matrices import Held


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("columns", [1, 2, 7, 8, 9, 40, 300])
def test_it_is_that_of_the_whole_matrix(columns: int, dtype: type) -> None:
    random = np.random.default_rng(columns)
    scales = 0.97 ** np.arange(columns)
    made = (random.normal(size=(500, columns)) * scales + 3).astype(dtype)
    centred = made.astype("f8") - made.astype("f8").mean(axis=0)
    values, directions = np.linalg.svd(centred, full_matrices=False)[1:]
    found = result_of(principal_direction(Held(made), made.astype("f8").mean(axis=0)))
    assert np.linalg.norm(found) == pytest.approx(1)
    assert np.linalg.norm(centred @ found) == pytest.approx(values[0], rel=1e-6)
    assert abs(found @ directions[0]) > 0.999


@given(st.integers(1, 12), st.integers(1, 12), st.integers(0, 3), st.integers(0, 1000))
def test_rows_of_any_rank_give_a_unit_vector_of_most_variation(
    rows: int, columns: int, rank: int, seed: int
) -> None:
    random = np.random.default_rng(seed)
    made = random.normal(size=(rows, rank)) @ random.normal(size=(rank, columns))
    mean = made.mean(axis=0)
    found = result_of(principal_direction(Held(made), mean))
    most = np.linalg.norm(made - mean, ord=2)
    assert np.linalg.norm(found) == pytest.approx(1)
    assert np.linalg.norm((made - mean) @ found) == pytest.approx(most, rel=1e-6, abs=1e-9)

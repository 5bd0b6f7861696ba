"""Sorting 16 bits at a time gives the order that one sort gives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.gui.models import stable_order as module
from bpe_studio.gui.models.stable_order import stable_order

LEAST, MOST = -(2**63), 2**63 - 1


@given(
    st.lists(st.one_of(st.integers(-3, 3), st.sampled_from([LEAST, MOST, 2**16, -(2**31)])))
)  # fmt: skip
def test_it_is_the_order_of_one_sort(values: list[int]) -> None:
    keys = np.array(values, np.int64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "FEW", 1)
        found = stable_order(keys)
    assert found.tolist() == sorted(range(len(values)), key=values.__getitem__)


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.int32, np.uint16, np.bool_, np.float64])
def test_every_kind_of_number_is_sorted(kind: type) -> None:
    keys = (np.random.default_rng(1).integers(0, 9_000, 5_000) % 120).astype(kind)
    assert stable_order(keys).tolist() == np.argsort(keys, kind="stable").tolist()

from __future__ import annotations

import numpy as np
import pytest

from bpe_studio.kernels.pages import filled


@pytest.mark.parametrize("size", [1, 1000, 1 << 17, (1 << 19) + 3])
@pytest.mark.parametrize("dtype", [np.int32, np.uint64])
def test_an_array_of_equal_values_on_the_bounds_of_cache_lines(size: int, dtype: type) -> None:
    array = filled(size, 7, dtype)
    assert array.shape == (size,)
    assert array.dtype == dtype
    assert array.flags.c_contiguous
    assert array.ctypes.data % 64 == 0
    assert bool((array == 7).all())

"""Arrays for access at random places, in large pages of memory where the system has such."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

# numpy asks the system for large pages from this size on.
_LARGE = 1 << 22
# What is smaller than this fits the processor's memory of page addresses as it is.
_SMALL = 1 << 20
_LINE = 64


def filled(size: int, value: int | np.integer[Any], dtype: DTypeLike) -> NDArray[Any]:
    """An array of so many equal values that begins where a cache line does."""
    item = np.dtype(dtype).itemsize
    room = size + _LINE // item
    # Memory beyond what is written costs nothing.
    array = np.empty(max(room, _LARGE // item) if size * item > _SMALL else room, dtype=dtype)
    skip = -(array.ctypes.data // item) % (_LINE // item)
    part = array[skip : skip + size]
    part[:] = value
    return part

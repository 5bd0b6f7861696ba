"""Arrays that belong to a value, which nobody changes, and those that grow."""

from __future__ import annotations

from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = ["Scalar", "longer", "read_only"]

_MORE: Final = 1 << 14
Scalar = TypeVar("Scalar", bound=np.generic)


def read_only(array: NDArray[Scalar]) -> NDArray[Scalar]:
    """The array, contiguous, through a view that cannot be written to."""
    view = np.ascontiguousarray(array)
    view = view.view() if view is array else view
    view.flags.writeable = False
    return view


def longer(array: NDArray[Scalar], wanted: int) -> NDArray[Scalar]:
    """The array, or a longer copy of it that has room for so many."""
    if len(array) >= wanted:
        return array
    copy = np.zeros(max(wanted, 2 * len(array), _MORE), dtype=array.dtype)
    copy[: len(array)] = array
    return copy

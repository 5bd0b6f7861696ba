"""Arrays that belong to a value, which nobody changes."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = ["Scalar", "read_only"]

Scalar = TypeVar("Scalar", bound=np.generic)


def read_only(array: NDArray[Scalar]) -> NDArray[Scalar]:
    """The array, contiguous, through a view that cannot be written to."""
    view = np.ascontiguousarray(array)
    view = view.view() if view is array else view
    view.flags.writeable = False
    return view

"""Embedding matrices as analysis sees them: rows that are read a few at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["Matrices", "Matrix", "chunks", "rows_at_once"]

Rows = NDArray[np.float32] | NDArray[np.float64]

_NUMBERS_AT_ONCE: Final = 1 << 20  # some milliseconds of work, and a few megabytes


class Matrix(Protocol):
    """A row for each id."""

    @property
    def name(self) -> str: ...

    @property
    def dtype(self) -> str: ...

    @property
    def rows(self) -> int: ...

    @property
    def columns(self) -> int: ...

    def read(self, first: int, last: int) -> Rows:
        """Rows from `first` up to `last`, in an array of the caller's own."""


class Matrices(Protocol):
    """The matrices of a model; `output` is None where the input matrix is that too."""

    @property
    def input(self) -> Matrix: ...

    @property
    def output(self) -> Matrix | None: ...


def rows_at_once(matrix: Matrix) -> int:
    """How many rows a chunk has."""
    return max(1, _NUMBERS_AT_ONCE // matrix.columns)


def chunks(matrix: Matrix) -> Iterator[tuple[int, Rows]]:
    """All rows, some at a time, each time with the number of the first."""
    step = rows_at_once(matrix)
    for first in range(0, matrix.rows, step):
        yield first, matrix.read(first, min(first + step, matrix.rows))

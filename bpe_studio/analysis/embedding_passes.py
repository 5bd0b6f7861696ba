"""Passes over embedding matrices: norms, means, and how far each row is from some of them.

Rows are read in chunks of a few megabytes, so that a matrix may be larger than the memory.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.matrices import Matrix, chunks
from bpe_studio.analysis.principal import principal_direction
from bpe_studio.analysis.small_products import times
from bpe_studio.bpe.generators import retold

__all__ = ["Distances", "EmbeddingProgress", "Means", "distances", "measure_rows"]

Array = NDArray[np.float64]

_NOTHING: Final = 1e-13  # of a square: what rounding may leave of one that is zero
_LONGEST: Final = 1e60  # of a row; products of longer ones would overflow
_SINGLE: Final = 1e12  # up to which single precision does for the principal component


@dataclass(frozen=True, slots=True)
class EmbeddingProgress:
    """What is done, and how much of it: mostly rows of a matrix."""

    phase: str
    done: int
    total: int
    unit: str = "rows"


@dataclass(frozen=True, eq=False)
class Means:
    """What one pass over a matrix gives.

    Attributes
    ----------
    norms : float64 array, shape (rows,)
    mean : float64 array, shape (columns,)
        Of all rows.
    reference : float64 array, shape (columns,), or None
        Of the reference rows, where there are any.
    alignment : float
        The length of the mean of the reference rows when each has length 1: 1 where all point in
        one direction, near 0 where they point in any.
    """

    norms: Array
    mean: Array
    reference: Array | None = None
    alignment: float = 1.0


@dataclass(frozen=True, eq=False)
class Distances:
    """How far each row is from the mean of the reference rows.

    None stands for what cannot be said, since that mean is zero there.

    Attributes
    ----------
    cosine : float64 array, shape (rows,)
        1 − cos of the row and the mean; 1 for a row of zeros.
    centred : float64 array
        The same after the mean of all rows is taken from both.
    without_pc : float64 array
        The same after the first principal component is taken from both.
    distance : float64 array
        The length of the difference.
    """

    cosine: Array | None
    centred: Array | None
    without_pc: Array | None
    distance: Array


def measure_rows(
    matrix: Matrix, phase: str, reference: NDArray[np.int64] | None = None
) -> Generator[EmbeddingProgress, None, Means]:
    """Norms and means.

    Raises
    ------
    ValueError
        A row holds NaN or an infinite value.
    """
    norms = np.zeros(matrix.rows)
    total, chosen, directions = (np.zeros(matrix.columns) for _ in range(3))
    is_reference = np.zeros(matrix.rows, np.bool_)
    if reference is not None:
        is_reference[reference] = True
    for first, some in chunks(matrix):
        rows = some.astype(np.float64, copy=False)
        last = first + len(rows)
        lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
        norms[first:last] = lengths
        if not (lengths < _LONGEST).all():
            bad = first + int(np.flatnonzero(~(lengths < _LONGEST))[0])
            raise ValueError(
                f"{matrix.name}: row {bad:,} holds NaN or values too large, so the file is damaged."
            )
        total += rows.sum(axis=0)
        mine = is_reference[first:last]
        if mine.any():
            chosen += rows[mine].sum(axis=0)
            long = mine & (lengths > 0)
            directions += (rows[long] / lengths[long, None]).sum(axis=0)
        yield EmbeddingProgress(phase, last, matrix.rows)
    mean = total / max(matrix.rows, 1)
    if reference is None or not len(reference):
        return Means(norms, mean)
    pointing = np.count_nonzero(norms[reference])
    alignment = float(np.linalg.norm(directions)) / pointing if pointing else 0.0
    return Means(norms, mean, chosen / np.count_nonzero(is_reference), alignment)


def distances(matrix: Matrix, means: Means) -> Generator[EmbeddingProgress, None, Distances]:
    """How far each row is from the mean of the reference rows, in four ways."""
    goal, mean = means.reference, means.mean
    assert goal is not None
    steps = principal_direction(matrix, mean, double=bool(means.norms.max() > _SINGLE))
    phase = "Finding the first principal component"
    main = yield from retold(steps, lambda done: EmbeddingProgress(phase, done, matrix.rows))
    products = np.zeros((matrix.rows, 3))
    vectors = np.asfortranarray(np.column_stack((goal, mean, main)))
    for first, rows in chunks(matrix):
        last = first + len(rows)
        products[first:last] = times(rows.astype(np.float64, copy=False), vectors)
        yield EmbeddingProgress("Comparing with the reference rows", last, matrix.rows)
    return _from_products(means.norms**2, products, goal, mean, main)


def _from_products(
    squares: Array, products: Array, goal: Array, mean: Array, main: Array
) -> Distances:
    """Everything follows from a row's square and its products with three vectors."""
    to_goal, to_mean, to_main = products.T
    along = float(goal @ main)
    return Distances(
        cosine=_from_cosine(to_goal, squares, goal, squares),
        centred=_from_cosine(
            to_goal - to_mean - float(mean @ goal) + float(mean @ mean),
            squares - 2 * to_mean + float(mean @ mean),
            goal - mean,
            squares + float(mean @ mean),
        ),
        without_pc=_from_cosine(
            to_goal - along * to_main, squares - to_main**2, goal - along * main, squares
        ),
        distance=np.sqrt(np.maximum(squares - 2 * to_goal + float(goal @ goal), 0.0)),
    )


def _from_cosine(products: Array, squares: Array, goal: Array, scale: Array) -> Array | None:
    """1 − cos from products and squared lengths; what is tiny beside `scale` is rounding."""
    square = float(goal @ goal)
    if square <= _NOTHING * float(scale.mean()):
        return None
    lengths = np.sqrt(np.maximum(squares, 0.0) * square)
    cosine = np.zeros(len(products))
    np.divide(products, lengths, out=cosine, where=squares > _NOTHING * scale)
    return np.maximum(1.0 - cosine, 0.0)

"""The direction in which the rows of a matrix vary most, without ever holding all of them.

The covariance of rows with thousands of columns is larger than it is worth. So a few directions are
multiplied with it, chunk by chunk, and the products span the space (a block Krylov space) in which
the best direction is looked for; a handful of passes over the rows are enough.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.matrices import Matrix, chunks
from bpe_studio.analysis.small_products import times, transposed_times

__all__ = ["principal_direction"]

Array = NDArray[np.float64]

_DIRECTIONS: Final = 8  # multiplied in one pass
_MOST_PASSES: Final = 16
_GOOD_ENOUGH: Final = 1e-5  # of the largest eigenvalue; single precision gives no more


def principal_direction(
    matrix: Matrix, mean: Array, *, double: bool = False
) -> Generator[int, None, Array]:
    """The first principal component of the rows about their mean, a unit vector (columns,).

    Yields the number of rows that a pass has seen. Where two directions are equally good, one in
    the plane of both. `double` computes in double precision also where the rows are in single.
    """
    wide = matrix.columns
    fresh = _orthonormal(np.random.default_rng(0).normal(size=(wide, min(_DIRECTIONS, wide))))
    basis, images = np.empty((wide, 0)), np.empty((wide, 0))
    best = fresh[:, 0]
    for _ in range(_MOST_PASSES):
        image = yield from _multiplied(matrix, mean, fresh, double)
        basis, images = np.hstack((basis, fresh)), np.hstack((images, image))
        small = basis.T @ images
        values, vectors = np.linalg.eigh((small + small.T) / 2)
        best = basis @ vectors[:, -1]
        rest = np.linalg.norm(images @ vectors[:, -1] - values[-1] * best)
        if rest <= _GOOD_ENOUGH * abs(values[-1]):
            break
        fresh = _beyond(basis, image)
        if not fresh.shape[1]:
            break
    return best / np.linalg.norm(best)


def _multiplied(
    matrix: Matrix, mean: Array, vectors: Array, double: bool
) -> Generator[int, None, Array]:
    """The covariance of the rows (times their number) times some vectors."""
    product = np.zeros(vectors.shape)
    for first, stored in chunks(matrix):
        rows = stored.astype(np.float64, copy=False) if double else stored
        rows -= mean.astype(rows.dtype)
        small = np.asfortranarray(vectors, rows.dtype)
        product += transposed_times(rows, times(rows, small)).T
        yield first + len(rows)
    return product


def _beyond(basis: Array, vectors: Array) -> Array:
    """What of some vectors no direction of the basis has, as further directions; maybe none."""
    room = len(basis) - basis.shape[1]
    scale = np.linalg.norm(vectors, axis=0)
    vectors = vectors[:, scale > 0] / scale[scale > 0]
    for _ in range(2):  # once is not enough in floating point
        vectors = vectors - basis @ (basis.T @ vectors)
    vectors = vectors[:, np.linalg.norm(vectors, axis=0) > 1e-8]
    found = _orthonormal(vectors[:, :room])
    return found - basis @ (basis.T @ found)


def _orthonormal(vectors: Array) -> Array:
    if not vectors.shape[1]:
        return vectors
    found, _ = np.linalg.qr(vectors)
    return found

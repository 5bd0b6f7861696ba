"""The tokens of two tables by their ranks in both: what a plot of them draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from bpe_studio.analysis.compare import TableComparison

REACH = 12  # pixels between a place and a point that it still means


@dataclass(frozen=True, slots=True)
class Region:
    """A part of the plot, in its own coordinates; edges belong to it."""

    left: float
    right: float
    bottom: float
    top: float

    @classmethod
    def between(cls, one: tuple[float, float], other: tuple[float, float]) -> Region:
        """The region with these corners.

        >>> Region.between((3, 1), (2, 5))
        Region(left=2, right=3, bottom=1, top=5)
        """
        (x, y), (u, v) = one, other
        return cls(min(x, u), max(x, u), min(y, v), max(y, v))


@dataclass(frozen=True, slots=True, eq=False)
class RankCloud:
    """Tokens that merges make in both tables, in ascending `rows` of the comparison.

    `x` is log10 of the rank in A + 1, `y` that of the rank in B.
    """

    rows: NDArray[np.int64]
    x: NDArray[np.float64]
    y: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def bounds(self) -> Region:
        """From rank 0 to the highest; of nothing, the first ten ranks."""
        x, y = (float(side.max(initial=1.0)) for side in (self.x, self.y))
        return Region(0.0, x, 0.0, y)

    def inside(self, region: Region) -> NDArray[np.int64]:
        """The rows of the tokens in a region."""
        across = (self.x >= region.left) & (self.x <= region.right)
        return self.rows[across & (self.y >= region.bottom) & (self.y <= region.top)]

    def nearest(self, x: float, y: float, *, width: float, height: float) -> int:
        """The place of the token nearest to (x, y), where a pixel is `width` by `height`; or -1."""
        if not len(self):
            return -1
        away = ((self.x - x) / width) ** 2 + ((self.y - y) / height) ** 2
        place = int(np.argmin(away))
        return place if away[place] <= REACH**2 else -1

    def place_of(self, row: int) -> int:
        """The place of a row, -1 where it has no rank in one of the tables."""
        place = int(np.searchsorted(self.rows, row))
        return place if place < len(self) and self.rows[place] == row else -1

    def places_of(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The places of those of `rows` that are here."""
        return np.flatnonzero(np.isin(self.rows, rows, assume_unique=True))


def rank_cloud(found: TableComparison) -> RankCloud:
    """Lay out the tokens of a comparison."""
    rows = np.flatnonzero(found.has_shift)
    return RankCloud(rows, np.log10(found.rank_a[rows] + 1.0), np.log10(found.rank_b[rows] + 1.0))

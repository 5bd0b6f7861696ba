"""Every token of a table by its rank and its uses: what a plot of a check draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bpe_studio.gui.models.health_rows import KIND_NAMES, SEVERITY_OF_KIND, HealthRows, first_ranks

if TYPE_CHECKING:
    from bpe_studio.analysis.corpus_use import CorpusUse

UNUSED = 0.5  # where a token that is not used stands on an axis of logarithms
LEVEL_NAMES = ("", "info", "warning", "error")
NONE, INFO, WARNING, ERROR = range(len(LEVEL_NAMES))


@dataclass(frozen=True, slots=True, eq=False)
class Cloud:
    """Tokens that merges make: `x` is log10 of rank + 1, `y` log10 of F1, or of 0.5 for none.

    `severity` is that of the worst flag of each, 0 without one.
    """

    ids: NDArray[np.int64]
    ranks: NDArray[np.int64]
    uses: NDArray[np.int64]
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    severity: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.ids)

    def of_kind(self, rows: HealthRows, kind: str | None) -> NDArray[np.bool_]:
        """bool (tokens,): which have a flag of a kind; with None a serious one."""
        if kind is None:
            return self.severity >= WARNING
        mask = np.zeros(len(self), np.bool_)
        wanted = rows.ids[rows.kinds == KIND_NAMES.index(kind)]
        mask[_known(self.ids, wanted)] = True
        return mask

    def nearest(self, x: float, y: float, *, width: float, height: float) -> int:
        """The token nearest to a place, where `width` and `height` are one pixel; -1 far off."""
        if not len(self):
            return -1
        away = ((self.x - x) / width) ** 2 + ((self.y - y) / height) ** 2
        place = int(np.argmin(away))
        return place if away[place] <= 12**2 else -1


def cloud_of(rows: HealthRows, use: CorpusUse) -> Cloud:
    """Lay out the tokens of a report that was made with a corpus."""
    every = use.ids.astype(np.int64)
    ranks = first_ranks(rows.tokenizer, every)
    made = np.flatnonzero(ranks >= 0)
    ids, ranks, uses = every[made], ranks[made], use.final[made]
    severity = np.zeros(len(ids), np.int8)
    worst = SEVERITY_OF_KIND[rows.kinds]
    for level in (INFO, WARNING, ERROR):
        severity[_known(ids, rows.ids[worst == level])] = level
    return Cloud(
        ids=ids,
        ranks=ranks,
        uses=uses,
        x=np.log10(ranks + 1.0),
        y=np.log10(np.maximum(uses, UNUSED)),
        severity=severity,
    )


def thinned(
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    *,
    bounds: tuple[float, float, float, float],
    cells: tuple[int, int],
) -> NDArray[np.int64]:
    """Places of the points inside (left, right, bottom, top), one for each cell of a grid."""
    left, right, bottom, top = bounds
    inside = np.flatnonzero((x >= left) & (x <= right) & (y >= bottom) & (y <= top))
    if not len(inside) or right <= left or top <= bottom:
        return inside
    across, up = cells
    column = np.minimum((x[inside] - left) / (right - left) * across, across - 1).astype(np.int64)
    row = np.minimum((y[inside] - bottom) / (top - bottom) * up, up - 1).astype(np.int64)
    first = np.full(across * up, -1, np.int64)
    first[(row * across + column)[::-1]] = inside[::-1]
    return np.sort(first[first >= 0])


def _known(ids: NDArray[np.int64], wanted: NDArray[np.int64]) -> NDArray[np.int64]:
    """Places of ids in a sorted array; those that it lacks are left out."""
    if not len(ids):
        return np.zeros(0, np.int64)
    places = np.minimum(np.searchsorted(ids, wanted), len(ids) - 1)
    return places[ids[places] == wanted]

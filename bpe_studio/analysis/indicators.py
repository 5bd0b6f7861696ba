"""Indicators of under-training: values with a limit, candidates, and whether they agree."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.rank_correlation import correlation, ranks, shares

__all__ = [
    "LEAST_CORRELATION",
    "TITLES",
    "Agreement",
    "Indicator",
    "agreement",
    "make_indicator",
    "vote",
]

LEAST_CORRELATION: Final = 0.7
"""Two indicators whose ranks correlate less than this give low confidence."""

TITLES: Final = {
    "input-norm": "input norm",
    "output-cosine": "cosine distance",
    "output-cosine-centred": "centred cosine distance",
    "output-cosine-without-pc": "cosine distance without first component",
    "output-distance": "distance",
}
"""Name to title: the length of the input row, and how far the output row is from the mean of the
reference rows."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """Spearman's rank correlation of two indicators, by their names; NaN where one is constant."""

    first: str
    second: str
    correlation: float

    @property
    def low(self) -> bool:
        return not self.correlation >= LEAST_CORRELATION


@dataclass(frozen=True, eq=False)
class Indicator:
    """One way to see how little a token was trained; the lower the value, the less.

    Attributes
    ----------
    name : str
        A key of `TITLES`.
    title : str
        A few words for an axis or a column.
    values : float64 array, shape (n,)
        In the order of `UnderTrained.ids`.
    shares : float64 array, shape (n,)
        The share of the judged tokens that have at most this value; NaN for the others.
    limit : float
        The percentile up to which a token is a candidate.
    candidates : int32 array
        The ids of the judged tokens at or below the limit, the lowest value first.
    """

    name: str
    title: str
    values: NDArray[np.float64]
    shares: NDArray[np.float64]
    limit: float
    candidates: NDArray[np.int32]

    def points_to(self, place: int) -> bool:
        """Whether the token at a place of the arrays is a candidate."""
        return bool(len(self.candidates)) and bool(self.values[place] <= self.limit)


def make_indicator(
    name: str,
    values: NDArray[np.float64],
    ids: NDArray[np.int32],
    judged: NDArray[np.bool_],
    percentile: float,
) -> Indicator:
    """An indicator of the values of all ids; one that is equal for all points to none."""
    known = values[judged]
    share = np.full(len(values), np.nan)
    share[judged] = shares(known)
    limit = float(np.percentile(known, percentile)) if len(known) else float("nan")
    lowest = np.flatnonzero(judged & (values <= limit))
    if len(known) and known.min() == known.max():
        lowest = lowest[:0]
    lowest = lowest[np.argsort(values[lowest], kind="stable")]
    return Indicator(name, TITLES[name], values, share, limit, ids[lowest])


def agreement(
    indicators: tuple[Indicator, ...], judged: NDArray[np.bool_]
) -> Generator[int, None, tuple[Agreement, ...]]:
    """Of each two indicators. Yields how many are ranked."""
    placed: dict[str, NDArray[np.float64]] = {}
    for indicator in indicators:
        placed[indicator.name] = ranks(indicator.values[judged])
        yield len(placed)
    return tuple(
        Agreement(a, b, correlation(placed[a], placed[b])) for a, b in combinations(placed, 2)
    )


def vote(
    indicators: tuple[Indicator, ...], ids: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The candidates of all indicators, and how many point to each: most votes first, and of as
    many votes that with the lowest shares.
    """
    votes = np.zeros(len(ids), np.int64)
    for indicator in indicators:
        votes[np.searchsorted(ids, indicator.candidates)] += 1
    found = np.flatnonzero(votes)
    means = np.sum([indicator.shares[found] for indicator in indicators], axis=0)
    order = found[np.lexsort((means, -votes[found]))]
    return ids[order], votes[order]

"""Tokens that a model has hardly learned, as its embedding matrices show (values, and their flags).

A token that training never meets keeps the embedding that it began with, or is only pushed away
from every answer, so its row lies near those of tokens that are known to be unused. How to find
them so: Land and Bartolo 2024, arXiv 2405.05417.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.flags import Flag, flag
from bpe_studio.analysis.naming import listed

__all__ = [
    "LEAST_CORRELATION",
    "Agreement",
    "Indicator",
    "ReferenceSort",
    "UnderTrained",
    "undertrained_flags",
]

LEAST_CORRELATION: Final = 0.7
"""Two indicators whose ranks correlate less than this give low confidence."""


@dataclass(frozen=True, slots=True)
class ReferenceSort:
    """Rows of one sort that no text can have trained, such as padding.

    Attributes
    ----------
    title : str
        ``"rows beyond the vocabulary"``
    rows : tuple of int
        Ascending.
    """

    title: str
    rows: tuple[int, ...]


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
        ``"input-norm"``, ``"output-cosine"``, ``"output-cosine-centred"``,
        ``"output-cosine-without-pc"`` or ``"output-distance"``.
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


@dataclass(frozen=True, eq=False)
class UnderTrained:
    """What the embedding matrices of a model say about the tokens of a table.

    Attributes
    ----------
    ids : int32 array, shape (n,)
        Every id of the table, specials included, ascending.
    judged : bool array, shape (n,)
        Whether candidates are looked for among them: not specials, not reference rows.
    indicators : tuple of Indicator
        The norm of the input row first; the others only where there are reference rows.
    candidates : int32 array, shape (c,)
        Ids that one indicator or more point to: those first that most of them point to, and of
        these the one that is lowest in all.
    votes : int64 array, shape (c,)
        How many indicators point to each.
    agreement : tuple of Agreement
        Of each two indicators, over the judged tokens.
    confidence : str
        How far the indicators can be believed, a sentence.
    reference : tuple of ReferenceSort
        The rows that others are compared with, by sort; empty where there are none.
    tied : bool
        Whether one matrix is both input and output.
    input_name, output_name : str
        The names of the two tensors; equal where tied.
    dtype : str
        How the input matrix is stored, such as ``"BF16"``.
    rows, columns : int
        Of the input matrix.
    percentile : float
    notes : tuple of str
        What else a reader should know, sentences.
    """

    ids: NDArray[np.int32]
    judged: NDArray[np.bool_]
    indicators: tuple[Indicator, ...]
    candidates: NDArray[np.int32]
    votes: NDArray[np.int64]
    agreement: tuple[Agreement, ...]
    confidence: str
    reference: tuple[ReferenceSort, ...]
    tied: bool
    input_name: str
    output_name: str
    dtype: str
    rows: int
    columns: int
    percentile: float = 2.0
    notes: tuple[str, ...] = ()

    @property
    def low_confidence(self) -> bool:
        """Whether two of the indicators disagree, or there is only one of them."""
        return len(self.indicators) < 2 or any(pair.low for pair in self.agreement)

    @property
    def reference_rows(self) -> int:
        """How many different rows the others are compared with."""
        return len({row for sort in self.reference for row in sort.rows})

    def index(self, token: int) -> int | None:
        """The place of a token in the arrays; None for an id that the table lacks."""
        place = int(np.searchsorted(self.ids, token))
        return place if place < len(self.ids) and self.ids[place] == token else None

    def indicator(self, name: str) -> Indicator:
        """An indicator by its name; KeyError where it was not computed."""
        found = {indicator.name: indicator for indicator in self.indicators}
        return found[name]

    def agreeing(self) -> NDArray[np.int32]:
        """The candidates that more than half of the indicators point to, in their order."""
        return self.candidates[2 * self.votes > len(self.indicators)]


def undertrained_flags(found: UnderTrained) -> Iterator[Flag]:
    """A flag for each candidate that more than half of the indicators point to."""
    total = len(found.indicators)
    votes = dict(zip(found.candidates.tolist(), found.votes.tolist(), strict=True))
    for token in found.agreeing().tolist():
        yield flag(token, "under-trained", _evidence(found, token, votes[token], total))


def _evidence(found: UnderTrained, token: int, votes: int, total: int) -> str:
    """``Its input norm 0.31 is in the lowest 0.4 %; 3 of 4 indicators agree.``"""
    place = found.index(token)
    assert place is not None
    lowest = min(found.indicators, key=lambda indicator: indicator.shares[place])
    share = max(100 * float(lowest.shares[place]), 0.01)
    sentence = f"Its {lowest.title} {lowest.values[place]:.3g} is in the lowest {share:.2g} %"
    if total == 1:
        return f"{sentence}; no other indicator is known."
    missing = [i.title for i in found.indicators if not i.shares[place] * 100 <= found.percentile]
    but = f" (not: {listed(missing)})" if missing and votes < total else ""
    return f"{sentence}; {votes} of {total} indicators agree{but}."

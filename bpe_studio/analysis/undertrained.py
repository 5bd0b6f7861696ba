"""Tokens that a model has hardly learned, as its embedding matrices show.

A token that training never meets keeps the embedding that it began with, or is only pushed away
from every answer, so its row lies near those of tokens that are known to be unused. How to find
them so: Land and Bartolo 2024, arXiv 2405.05417.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.embedding_passes import (
    Distances,
    EmbeddingProgress,
    Means,
    distances,
    measure_rows,
)
from bpe_studio.analysis.flags import SEVERITIES, Flag, Severity
from bpe_studio.analysis.indicators import (
    LEAST_CORRELATION,
    TITLES,
    Agreement,
    Indicator,
    agreement,
    make_indicator,
    vote,
)
from bpe_studio.analysis.matrices import Matrices, Matrix
from bpe_studio.analysis.reference_rows import CHOSEN, check_rows, find_reference, never_valid
from bpe_studio.analysis.undertrained_words import LEAST_ALIGNMENT, confidence, evidence
from bpe_studio.bpe.generators import retold
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = [
    "LEAST_ALIGNMENT",
    "LEAST_CORRELATION",
    "Agreement",
    "EmbeddingProgress",
    "Indicator",
    "ReferenceSort",
    "UnderTrained",
    "iter_undertrained",
    "severity_of",
    "undertrained_flags",
]

_COMPARED: Final = 64  # rows that tell whether two matrices are one

_LARGEST_ID: Final = (1 << 31) - 1


@dataclass(frozen=True, slots=True)
class ReferenceSort:
    """Rows of one sort that no text can have trained.

    Attributes
    ----------
    title : str
        ``"rows beyond the vocabulary"``
    rows : tuple of int
        Ascending.
    """

    title: str
    rows: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class UnderTrained:
    """What the embedding matrices of a model say about the tokens of a table.

    Attributes
    ----------
    ids : int32 array, shape (n,)
        Every id of the table, specials included, ascending.
    judged : bool array, shape (n,)
        Whether candidates are looked for among them: not specials, not reference rows, not what no
        UTF-8 text has.
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
        The names of the two tensors; equal where there is one.
    dtype : str
        How the input matrix is stored, such as ``"BF16"``.
    rows, columns : int
        Of the input matrix.
    percentile : float
    alignment : float
        How far the reference rows point in one direction, from 0 to 1.
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
    alignment: float = 1.0

    @property
    def low_confidence(self) -> bool:
        """Whether two of the indicators disagree, or there is not enough to compare."""
        return (
            len(self.indicators) < 2
            or self.alignment < LEAST_ALIGNMENT
            or any(pair.low for pair in self.agreement)
        )

    @property
    def reference_rows(self) -> int:
        """How many rows the others are compared with."""
        return sum(len(sort.rows) for sort in self.reference)

    def index(self, token: int) -> int | None:
        """The place of a token in the arrays; None for an id that the table lacks."""
        if not 0 <= token <= _LARGEST_ID:
            return None
        # Asked for a number of another type, numpy copies the whole array.
        place = int(self.ids.searchsorted(np.int32(token)))
        return place if place < len(self.ids) and self.ids[place] == token else None

    def indicator(self, name: str) -> Indicator:
        """An indicator by its name; KeyError where it was not computed."""
        return {indicator.name: indicator for indicator in self.indicators}[name]

    def agreeing(self) -> NDArray[np.int32]:
        """The candidates that more than half of the indicators point to, in their order."""
        return self.candidates[2 * self.votes > len(self.indicators)]


def iter_undertrained(
    tokenizer: Tokenizer,
    matrices: Matrices,
    *,
    reference: Collection[int] | None = None,
    percentile: float = 2.0,
) -> Generator[EmbeddingProgress, None, UnderTrained]:
    """Judge every token by the embeddings of a model, a few megabytes at a time.

    Parameters
    ----------
    matrices : Matrices
        With at least `id_bound` rows each; they are read while this runs.
    reference : collection of int, optional
        The rows of tokens that no text has. None looks for them: rows beyond the vocabulary, ids
        without a token, reserved specials, and bytes that UTF-8 never has.
    percentile : float
        The share of the judged tokens, in percent, that each indicator takes for candidates.

    Raises
    ------
    ValueError
        A reference row that is not there, or a matrix with NaN.
    """
    if not 0 < percentile <= 50:
        raise ValueError(f"The percentile must be above 0 and at most 50, not {percentile:g}.")
    source = matrices.input
    target = source if matrices.output is None else matrices.output
    for matrix in (source, target):
        if matrix.rows < tokenizer.id_bound:
            raise ValueError(
                f"{matrix.name} has {matrix.rows:,} rows, and the table needs "
                f"{tokenizer.id_bound:,}."
            )
    sorts = _reference(tokenizer, target.rows, reference)
    rows = np.array(sorted({row for sort in sorts for row in sort.rows}), np.int64)
    tied = target is source or _are_equal(source, target)
    phase = "Reading the rows" if target is source else "Reading the output rows"
    means = yield from measure_rows(target, phase, rows)
    norms = means.norms
    if target is not source:
        norms = (yield from measure_rows(source, "Reading the input rows")).norms
    found = (yield from distances(target, means)) if len(rows) else None
    return (
        yield from _judge(tokenizer, source, target, tied, sorts, means, norms, found, percentile)
    )


def _reference(
    tokenizer: Tokenizer, rows: int, asked: Collection[int] | None
) -> tuple[ReferenceSort, ...]:
    if asked is not None:
        check_rows(asked, rows)
        return (ReferenceSort(CHOSEN, tuple(sorted(set(asked)))),) if asked else ()
    found = find_reference(tokenizer, rows)
    return tuple(ReferenceSort(title, tuple(ids.tolist())) for title, ids in found.items())


def _are_equal(one: Matrix, other: Matrix) -> bool:
    """Whether two matrices are the same, by a sample of rows."""
    if (one.rows, one.columns) != (other.rows, other.columns):
        return False
    sample = np.linspace(0, one.rows - 1, _COMPARED).astype(np.int64)
    return all(np.array_equal(one.read(r, r + 1), other.read(r, r + 1)) for r in sample.tolist())


def _judge(
    tokenizer: Tokenizer,
    source: Matrix,
    target: Matrix,
    tied: bool,
    sorts: tuple[ReferenceSort, ...],
    means: Means,
    norms: NDArray[np.float64],
    found: Distances | None,
    percentile: float,
) -> Generator[EmbeddingProgress, None, UnderTrained]:
    specials = np.array([*tokenizer.special_ids.values()], np.int32)
    ids = np.union1d(tokenizer.table.ids, specials).astype(np.int32)
    known = np.array([row for sort in sorts for row in sort.rows], np.int64)
    judged = ~np.isin(ids, np.concatenate((specials, known, never_valid(tokenizer))))
    values = {"input-norm": norms}
    if found is not None:
        more = (found.cosine, found.centred, found.without_pc, found.distance)
        named = zip(list(TITLES)[1:], more, strict=True)
        values |= {name: array for name, array in named if array is not None}
    phase, made = "Comparing the indicators", []
    for name, array in values.items():
        made.append(make_indicator(name, array[ids], ids, judged, percentile))
        yield EmbeddingProgress(phase, len(made), 2 * len(values), "steps")
    indicators = tuple(made)
    total = 2 * len(values)
    agreed = yield from retold(
        agreement(indicators, judged),
        lambda done: EmbeddingProgress(phase, len(values) + done, total, "steps"),
    )
    candidates, votes = vote(indicators, ids)
    return UnderTrained(
        ids=ids,
        judged=judged,
        indicators=indicators,
        candidates=candidates,
        votes=votes,
        agreement=agreed,
        confidence=confidence(agreed, means.alignment, len(known)),
        reference=sorts,
        tied=tied,
        input_name=source.name,
        output_name=target.name,
        dtype=source.dtype,
        rows=source.rows,
        columns=source.columns,
        percentile=percentile,
        alignment=means.alignment,
    )


def undertrained_flags(found: UnderTrained) -> Iterator[Flag]:
    """A flag for each candidate that more than half of the indicators point to."""
    severity = severity_of(found)
    for token in found.agreeing().tolist():
        yield Flag(token, "under-trained", severity, evidence(found, token))


def severity_of(found: UnderTrained) -> Severity:
    """Of its flags: indicators that do not agree warn of nothing."""
    return "info" if found.low_confidence else SEVERITIES["under-trained"]

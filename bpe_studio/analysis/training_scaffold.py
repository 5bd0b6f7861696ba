"""Tokens that training used up at once: one merge took nearly all of them into a longer token.

How much a merge takes is the intersection over self of Picky BPE (Chizhov and others 2024, arXiv
2409.04599): the count of the pair over the count of a part right before the merge. The record of a
training tells both, so no corpus is needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.compression import last_disorder
from bpe_studio.analysis.flags import Flag, Thresholds, flag
from bpe_studio.analysis.naming import merge_name
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["TakenParts", "intermediate_flags", "taken_parts"]


@dataclass(frozen=True, eq=False)
class TakenParts:
    """Learned tokens as parts of merges; a merge of a token with itself has one row.

    Attributes
    ----------
    tokens : int64 array, shape (n,)
        By dense number.
    ranks : int64 array, shape (n,)
        Of the merges, ascending.
    pairs : int64 array, shape (n,)
        The count of the pair when it was merged.
    before : int64 array, shape (n,)
        How often the token was there right before.
    """

    tokens: NDArray[np.int64]
    ranks: NDArray[np.int64]
    pairs: NDArray[np.int64]
    before: NDArray[np.int64]

    @property
    def shares(self) -> NDArray[np.float64]:
        """IoS, from 0 to 1; 0 for a token that was not there."""
        found = np.zeros(len(self.tokens))
        np.divide(self.pairs, self.before, out=found, where=self.before > 0)
        return found


def taken_parts(tokenizer: Tokenizer) -> TakenParts | None:
    """What each merge took in training; None where no training is recorded.

    Of a continued table, only from the merges on that `compression.last_disorder` tells.
    """
    record = tokenizer.training
    if record is None or len(record.applied) != len(tokenizer.table.merges):
        return None
    table, applied = tokenizer.table, record.applied
    merges = len(applied)
    left, right, made = table.dense_merges.astype(np.int64).T
    ranks = np.arange(merges, dtype=np.int64)
    # The changes of every token, in the order in which they happened.
    keys = np.concatenate([left, right, made]) * (merges + 1) + np.concatenate([ranks] * 3)
    changes = np.concatenate([-applied, -applied, applied])
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    totals = np.concatenate([[0], np.cumsum(changes[order])])

    tokens = np.concatenate([left, right])
    rows = np.flatnonzero(
        (table.made_at[tokens] > 0) & _asked(table.dense_merges, last_disorder(table))
    )
    rows = rows[np.argsort(rows % max(merges, 1), kind="stable")]
    tokens, ranks = tokens[rows], rows % max(merges, 1)
    now = np.searchsorted(keys, tokens * (merges + 1) + ranks)
    begin = np.searchsorted(keys, tokens * (merges + 1))
    return TakenParts(tokens, ranks, record.counts[ranks], totals[now] - totals[begin])


def _asked(dense_merges: NDArray[np.int32], first: int) -> NDArray[np.bool_]:
    """Of the left parts, then the right ones: known merges, and no part twice."""
    known = np.arange(len(dense_merges)) >= first
    twice = dense_merges[:, 0] == dense_merges[:, 1]
    return np.concatenate([known, known & ~twice])


def intermediate_flags(tokenizer: Tokenizer, thresholds: Thresholds) -> Iterator[Flag]:
    """A flag for each learned token of which one merge took more than the limit.

    Of several such merges the one with most pairs is named.
    """
    parts = taken_parts(tokenizer)
    if parts is None:
        return
    rows = np.flatnonzero(parts.shares > thresholds.intermediate_share)
    rows = rows[np.lexsort((parts.ranks[rows], -parts.pairs[rows], parts.tokens[rows]))]
    _, first = np.unique(parts.tokens[rows], return_index=True)
    ids = tokenizer.table.ids
    for row in rows[first].tolist():
        pairs, before = int(parts.pairs[row]), int(parts.before[row])
        merge = merge_name(tokenizer, int(parts.ranks[row]))
        evidence = (
            f"In training it was there {before:,} times when {merge} found {pairs:,} pairs with it "
            f"(IoS = {pairs / before:.3f})."
        )
        yield flag(int(ids[parts.tokens[row]]), "intermediate", evidence)

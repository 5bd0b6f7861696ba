"""How often every learned token is used at every vocabulary size, from what its merges did.

A token is used as often as its merges are applied, less the times that later merges use it as a
part: a sum that grows and falls with the size, and which nobody has to encode again for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.trace import Trace

__all__ = ["TokenUses", "rare_tokens", "uses_in_trace", "uses_in_training"]


@dataclass(frozen=True, eq=False)
class TokenUses:
    """Changes in how often learned tokens are used, as merges are added.

    Attributes
    ----------
    made_at : int64 array, shape (tokens,)
        By dense number: of how many first merges each token needs to be; 0 for those that no merge
        has to make, of which nothing is known here.
    tokens, sizes, changes : int64 arrays, shape (n,)
        From `sizes` first merges on, a token (by dense number) is used by `changes` times more.
    merges : int
        Of the whole table.
    """

    made_at: NDArray[np.int64]
    tokens: NDArray[np.int64]
    sizes: NDArray[np.int64]
    changes: NDArray[np.int64]
    merges: int


def uses_in_training(tokenizer: Tokenizer) -> TokenUses | None:
    """In the training corpus; None where no training is recorded.

    Exact from `compression.last_disorder` merges on.
    """
    record = tokenizer.training
    if record is None:
        return None
    merges = len(tokenizer.table.merges)
    sizes = np.arange(1, merges + 1, dtype=np.int64)
    return _uses(tokenizer.table, np.arange(merges), sizes, record.applied)


def uses_in_trace(trace: Trace, weights: NDArray[np.int64] | None = None) -> TokenUses:
    """In the pieces that were traced, which count as often as `weights` say; always exact."""
    if weights is None:
        weights = np.ones(len(trace.whole_ids), dtype=np.int64)
    ranks, sizes = trace.joins[:, 0].astype(np.int64), trace.sizes.astype(np.int64)
    times = np.repeat(weights, np.diff(trace.first_joins))
    if not (trace.whole_ids >= 0).any():
        return _uses(trace.table, ranks, sizes, times)
    # A piece that is a token as a whole: what its merges have made is gone when that token comes.
    never = np.int64(len(trace.table.merges) + 1)
    whole_at = np.where(trace.whole_ids >= 0, trace.whole_sizes, never)
    ends = np.repeat(whole_at, np.diff(trace.first_joins))
    kept = sizes < ends
    gone = kept & (ends < never)
    uses = _uses(
        trace.table,
        np.concatenate([ranks[kept], ranks[gone]]),
        np.concatenate([sizes[kept], ends[gone]]),
        np.concatenate([times[kept], -times[gone]]),
    )
    whole = np.flatnonzero(trace.whole_ids >= 0)
    tokens = np.searchsorted(trace.table.ids, trace.whole_ids[whole])
    return _joined(uses, tokens, whole_at[whole], weights[whole])


def rare_tokens(uses: TokenUses, below: int) -> NDArray[np.int64]:
    """Learned tokens of the vocabulary that are used fewer than `below` times, at every size.

    Returns
    -------
    int64 array, shape (merges + 1,)
        Under the first 0, 1, 2, … merges. Bytes, other base symbols, specials and tokens that no
        merge makes are not counted.
    """
    # A token that is never used is there, too, from its size on.
    learned = np.flatnonzero(uses.made_at)
    uses = _joined(uses, learned, uses.made_at[learned], np.zeros(len(learned), dtype=np.int64))
    keep = uses.made_at[uses.tokens] > 0
    keys = uses.tokens[keep] * (uses.merges + 1) + uses.sizes[keep]
    order = np.argsort(keys, kind="stable")
    keys, totals = keys[order], np.cumsum(uses.changes[keep][order])
    last = np.flatnonzero(np.diff(keys, append=-1))  # of several changes at one size
    tokens, sizes = np.divmod(keys[last], uses.merges + 1)
    totals = totals[last]
    begins = np.flatnonzero(np.diff(tokens, prepend=-1))
    before = np.concatenate([[0], totals])[begins]  # the uses of all tokens before
    used = totals - np.repeat(before, np.diff(np.append(begins, len(tokens))))
    rare = (used < below).astype(np.int64)
    more = np.diff(rare, prepend=0)
    more[begins] = rare[begins]
    counts = np.bincount(sizes, more, uses.merges + 1)
    return np.cumsum(np.rint(counts)).astype(np.int64)


def _uses(
    table: MergeTable, ranks: NDArray[Any], sizes: NDArray[np.int64], times: NDArray[np.int64]
) -> TokenUses:
    """Of merges that are applied so many times from so many merges on."""
    left, right, made = table.dense_merges[ranks].astype(np.int64).T
    return TokenUses(
        made_at=table.made_at,
        tokens=np.concatenate([made, left, right]),
        sizes=np.concatenate([sizes] * 3),
        changes=np.concatenate([times, -times, -times]),
        merges=len(table.merges),
    )


def _joined(
    uses: TokenUses, tokens: NDArray[Any], sizes: NDArray[Any], changes: NDArray[np.int64]
) -> TokenUses:
    """With further changes."""
    return TokenUses(
        made_at=uses.made_at,
        tokens=np.concatenate([uses.tokens, tokens]),
        sizes=np.concatenate([uses.sizes, sizes]),
        changes=np.concatenate([uses.changes, changes]),
        merges=uses.merges,
    )

"""How often tokens came to be on the way, from how often they are used.

A token that is used was made from its own bytes as it is made of them alone: while a token that
survives is being made, no merge crosses its borders (see `reachable`). So the uses tell all that
was made, and no text has to be merged again.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["iter_created"]


def iter_created(
    tokenizer: Tokenizer, final: NDArray[np.int64]
) -> Generator[None, None, NDArray[np.int64]]:
    """C of every token, from F1, in slices.

    A token that merges do not make of its bytes (an engine that takes whole pieces may use it)
    counts only itself, and so does every token of a model without merges.

    Parameters
    ----------
    final : int64 array, shape (tokens,)

    Returns
    -------
    int64 array, shape (tokens,)
    """
    created = final.copy()
    if tokenizer.outside is not None or not len(tokenizer.table.merges):
        return created
    if tokenizer.tracer.plain is not None:
        _add_parts(tokenizer, created)
        return created
    table = tokenizer.table
    used = np.flatnonzero((final > 0) & _can_be_spelled(tokenizer))
    lengths = np.diff(table.token_offsets)[used]
    data = b"".join(table.token_list[number] for number in used.tolist())
    trace = yield from tokenizer.tracer.trace(data, np.cumsum(lengths, dtype=np.int64))
    joins = np.diff(trace.first_joins)
    # The last join of a piece that becomes one token makes the token itself.
    symbols = np.diff(trace.pieces)
    becomes = joins == symbols - 1
    last = trace.first_joins[1:][joins > 0] - 1
    made = np.searchsorted(table.ids, trace.made)
    itself = becomes.copy()
    itself[joins > 0] &= made[last] == used[joins > 0]
    itself &= joins > 0
    weights = np.where(itself, final[used], 0)
    each = np.repeat(weights, joins).astype(np.float64)
    each[last] = 0  # counted as used
    created += _sums(made, each, len(table))
    bases = np.searchsorted(table.ids, trace.symbols)
    created += _sums(bases, np.repeat(weights, symbols).astype(np.float64), len(table))
    return created


def _sums(numbers: NDArray[np.int64], weights: NDArray[np.float64], size: int) -> NDArray[np.int64]:
    return np.rint(np.bincount(numbers, weights, size)).astype(np.int64)


def _can_be_spelled(tokenizer: Tokenizer) -> NDArray[np.bool_]:
    """Which tokens have no byte that the table lacks."""
    table = tokenizer.table
    lacks = (table.byte_ids < 0)[table.token_data]
    if table.char_ids or not lacks.any():
        return np.ones(len(table), dtype=np.bool_)
    before = np.concatenate(([0], np.cumsum(lacks)))
    spelled: NDArray[np.bool_] = np.diff(before[table.token_offsets]) == 0
    return spelled


def _add_parts(tokenizer: Tokenizer, created: NDArray[np.int64]) -> None:
    """Of vocabularies with word marks: the parts of every token, by the first merge that makes it.

    The longest token comes first: nothing that is made later has it as a part.
    """
    table = tokenizer.table
    _, firsts = np.unique(table.dense_merges[:, 2], return_index=True)
    left, right, new = table.dense_merges[firsts].astype(np.int64).T
    lengths = np.diff(table.token_offsets)[new]
    for row in np.argsort(-lengths, kind="stable").tolist():
        created[left[row]] += created[new[row]]
        created[right[row]] += created[new[row]]

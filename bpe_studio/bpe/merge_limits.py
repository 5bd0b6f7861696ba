"""Rules for merges as the arrays that the merge kernel asks."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.merge_rules import MergeRules
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.words import WordCounts

__all__ = ["is_mergeable", "limits_for"]


def limits_for(
    rules: MergeRules,
    words: WordCounts,
    table: MergeTable,
    offsets: NDArray[np.int64],
    tokens: int,
) -> Any:
    """`kernels.allowed.Limits` for the tokens of a table and those to come.

    Parameters
    ----------
    offsets : int64 array, shape (n + 1,)
        Where the tokens of each piece begin, one after another.
    tokens : how many there may be in all
    """
    from bpe_studio.kernels import allowed

    on_bytes = rules.whole_characters or rules.max_token_bytes is not None
    sizes = np.zeros(tokens + 1 if on_bytes else 0, dtype=np.int64)
    shapes = np.zeros(allowed.STATES * len(sizes), dtype=np.uint8)
    if on_bytes:
        allowed.describe(table.token_data, table.token_offsets, sizes, shapes)
    rare = words.rare_in if rules.min_documents > 1 else None
    if rare is None and rules.min_documents > 1:
        raise ValueError("min_documents asks for words that tell in which documents they are.")
    none = np.zeros(0, dtype=np.int64)
    documents = np.zeros(0, dtype=np.uint32) if rare is None else rare.documents
    return allowed.Limits(
        whole=rules.whole_characters,
        longest=rules.max_token_bytes or 0,
        floor=rules.min_documents,
        sizes=sizes,
        shapes=shapes,
        # An empty place stands before every piece.
        starts=none if rare is None else offsets[:-1] + np.arange(1, len(offsets)),
        offsets=none if rare is None else rare.offsets,
        documents=documents,
        stamps=np.zeros(int(documents.max(initial=0)) + 1, dtype=np.int32),
        asked=np.zeros(1, dtype=np.int64),
    )


def is_mergeable(
    rules: MergeRules, words: WordCounts, table: MergeTable, offsets: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Which pieces of several tokens have a pair that may be merged until they are one token.

    A part of a piece is no longer than the piece, and in as many documents. A piece is whole
    characters: one of them that is not built yet begins with a pair that may be merged, as long as
    all tokens keep that rule, which those of a table to continue need not.
    """
    mergeable = np.diff(offsets) > 1
    if rules.whole_characters and len(table.merges):
        mergeable[:] = False
    if rules.max_token_bytes is not None:
        mergeable &= np.diff(words.offsets) <= rules.max_token_bytes
    if rules.min_documents > 1 and words.rare_in is not None:
        mergeable &= np.diff(words.rare_in.offsets) == 0
    return mergeable

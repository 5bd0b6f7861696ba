"""Tokens with ids → MergeTable, where the bytes of all tokens are known beforehand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.recover import recover_merges
from bpe_studio.bpe.table import MergeTable

__all__ = ["merged_table", "rank_table", "table_notes", "table_of"]


def rank_table(
    ids: Sequence[int], tokens: Sequence[bytes], *, report: Callable[[float], None]
) -> tuple[MergeTable, list[str]]:
    """The table of a rank file, its merges recovered, and notes for the user.

    Parameters
    ----------
    ids : ascending
        In the order of the ranks.
    tokens : as many, no two equal
    """
    parts = recover_merges(tokens, report=report)
    numbers = np.array(ids, dtype=np.int32)
    made = np.flatnonzero(parts[:, 0] >= 0)
    table = table_of(numbers, tokens, np.column_stack((numbers[parts[made]], numbers[made])))
    return table, table_notes(table)


def merged_table(tokens: Mapping[int, bytes], merges: Sequence[tuple[int, int, int]]) -> MergeTable:
    """The table of tokens in any order, and of merges (left id, right id, new id) by rank."""
    ids = sorted(tokens)
    rows = np.array(merges, dtype=np.int32).reshape(len(merges), 3)
    return table_of(ids, [tokens[token_id] for token_id in ids], rows)


def table_of(
    ids: Sequence[int] | NDArray[np.int32], tokens: Sequence[bytes], merges: NDArray[np.int32]
) -> MergeTable:
    """The table of a bytes base with these tokens; ids ascend, and merges are known to be right."""
    byte_ids = np.full(256, -1, dtype=np.int32)
    for token_id, token in zip(ids, tokens, strict=True):
        if len(token) == 1:
            byte_ids[token[0]] = token_id
    offsets = np.zeros(len(tokens) + 1, dtype=np.int64)
    np.cumsum([len(token) for token in tokens], out=offsets[1:])
    return MergeTable(
        base="bytes",
        byte_ids=byte_ids,
        char_ids={},
        merges=merges.reshape(-1, 3),
        token_ids=np.array(ids, dtype=np.int32),
        token_data=np.frombuffer(b"".join(tokens), dtype=np.uint8),
        token_offsets=offsets,
    )


def table_notes(table: MergeTable) -> list[str]:
    """What is unusual about a table of others, a sentence each."""
    notes = []
    if lacking := int(np.count_nonzero(table.byte_ids < 0)):
        notes.append(
            f"The table has no token for {lacking} of the 256 bytes, so a text that has one of "
            "them cannot be encoded."
        )
    known = np.concatenate((table.byte_ids, table.merges[:, 2]))
    if others := int(np.count_nonzero(~np.isin(table.ids, known))):
        notes.append(
            f"No merge makes {others:,} of the tokens."
            if others > 1
            else "No merge makes one of the tokens."
        )
    return notes

"""The bytes of every token, from base symbols and merges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

__all__ = ["MAX_ID", "bytes_of_tokens"]

MAX_ID: Final = 2**31 - 1


def bytes_of_tokens(
    byte_ids: Sequence[int],
    char_ids: Mapping[str, int],
    tokens: Mapping[int, bytes],
    rows: Sequence[tuple[int, int, int]],
) -> dict[int, bytes]:
    """What each id stands for.

    Parameters
    ----------
    byte_ids : 256 ids, -1 for a byte that the table lacks
    char_ids : the further base symbols
    tokens : tokens that no merge makes
    rows : (left id, right id, new id) by rank

    Raises
    ------
    ValueError
        As `MergeTable.build`.
    """
    if len(byte_ids) != 256:
        raise ValueError(f"A table needs 256 byte ids, not {len(byte_ids)}.")
    known: dict[int, bytes] = {}
    symbols = [(i, bytes([b])) for b, i in enumerate(byte_ids) if i != -1]
    symbols += [(i, char.encode()) for char, i in char_ids.items()]
    symbols += list(tokens.items())
    for token_id, data in symbols:
        if not 0 <= token_id <= MAX_ID:
            raise ValueError(f"The id {token_id} is outside 0 … {MAX_ID:,}.")
        if known.setdefault(token_id, data) != data:
            raise ValueError(f"Two tokens share the id {token_id}.")
    _add_merged(known, rows)
    return known


def _add_merged(known: dict[int, bytes], rows: Sequence[tuple[int, int, int]]) -> None:
    """Adds the bytes of every merged token; a merge whose parts come later waits for them."""
    waiting = list(enumerate(rows))
    while waiting:
        still: list[tuple[int, tuple[int, int, int]]] = []
        for rank, row in waiting:
            left, right, new = row
            if left not in known or right not in known:
                still.append((rank, row))
                continue
            if not 0 <= new <= MAX_ID:
                raise ValueError(f"Merge {rank} makes the id {new}, outside 0 … {MAX_ID:,}.")
            data = known[left] + known[right]
            if known.setdefault(new, data) != data:
                raise ValueError(
                    f"Merge {rank} makes {data!r} under the id {new}, which is {known[new]!r}."
                )
        if len(still) == len(waiting):
            rank, (left, right, _) = still[0]
            missing = left if left not in known else right
            raise ValueError(f"Merge {rank} uses the id {missing}, which nothing makes.")
        waiting = still

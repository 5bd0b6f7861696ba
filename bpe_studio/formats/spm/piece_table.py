"""Pieces of characters, and bytes beside them → MergeTable and the pattern that cuts for it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.patterns import OTHERS, Pattern
from bpe_studio.bpe.table import MergeTable

__all__ = ["SPACE", "byte_of", "pattern_for", "piece_table"]

#: How pieces write a space.
SPACE: Final = "▁"


def byte_of(text: str) -> int | None:
    """``<0x0A>`` -> 10; None for any other text."""
    if len(text) != 6 or not text.startswith("<0x") or text[-1] != ">":
        return None
    digits = text[3:5]
    return int(digits, 16) if set(digits) <= set("0123456789ABCDEF") else None


def piece_table(
    texts: Mapping[int, str], byte_of_id: Mapping[int, int], merges: NDArray[np.int32]
) -> MergeTable:
    """The table of pieces by id.

    An ASCII character that is a piece is its byte symbol; every other byte is the piece that
    stands for it, where there is one.

    Parameters
    ----------
    texts : with spaces for ▁
    byte_of_id : pieces that stand for a byte
    merges : rows (left id, right id, new id) by rank
    """
    byte_ids = np.full(256, -1, dtype=np.int32)
    tokens = {i: text.encode() for i, text in texts.items()}
    for i, byte in byte_of_id.items():
        byte_ids[byte] = i
        tokens[i] = bytes([byte])
    char_ids: dict[str, int] = {}
    for i, text in texts.items():
        if len(text) != 1:
            continue
        if ord(text) < 0x80:
            byte_ids[ord(text)] = i
        else:
            char_ids[text] = i
    ids = sorted(tokens)
    offsets = np.zeros(len(ids) + 1, dtype=np.int64)
    np.cumsum([len(tokens[i]) for i in ids], out=offsets[1:])
    return MergeTable(
        base="chars",
        byte_ids=byte_ids,
        char_ids=char_ids,
        merges=merges,
        token_ids=np.array(ids, dtype=np.int32),
        token_data=np.frombuffer(b"".join(tokens[i] for i in ids), dtype=np.uint8),
        token_offsets=offsets,
    )


def pattern_for(texts: Collection[str], *, bytes_known: bool) -> Pattern:
    """Where no piece has a space after another character no merge crosses a cut before a space,
    and short pieces are quick. But unknown characters on both sides of it are one token, so the
    space must be known."""
    known = set(texts)
    cut = " " in known or bytes_known
    return OTHERS["words" if cut and all(" " not in t.lstrip(" ") for t in known) else "whole"]

"""Tokens that stand for text which a table cannot spell: nothing is left of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["UNKNOWN_NAMES", "unknown_ids"]

UNKNOWN_NAMES = (b"[UNK]", b"<unk>", b"<UNK>")
"""What models of other libraries call it, which may have it among their ordinary tokens."""


def unknown_ids(tokenizer: Tokenizer, ids: NDArray[np.integer]) -> int:
    """How many of some ids are the unknown token of their table; 0 where it has none."""
    wanted = set()
    if tokenizer.rules.unknown is not None:
        wanted.add(tokenizer.rules.unknown.id)
    if tokenizer.outside is not None:
        names = {name.decode() for name in UNKNOWN_NAMES}
        wanted |= {number for name, number in tokenizer.special_ids.items() if name in names}
        found = (tokenizer.table.find(name) for name in UNKNOWN_NAMES)
        wanted |= {token for token in found if token is not None}
    return int(np.isin(ids, sorted(wanted)).sum()) if wanted else 0

"""By what one knows a table again: a digest of each thing that decides how text is encoded."""

from __future__ import annotations

import hashlib
from typing import Final

import numpy as np

from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["PARTS", "table_marks"]

PARTS: Final = ("tokens", "merges", "pattern", "specials", "rules")
_DIGITS: Final = 32


def table_marks(tokenizer: Tokenizer) -> dict[str, str]:
    """A hexadecimal digest of each of `PARTS`; no name, note or training record is in it."""
    table = tokenizer.table
    base = f"{table.base} {table.char_ids}".encode()
    rules = f"{tokenizer.engine} {tokenizer.rules} {tokenizer.outside}"
    return {
        "tokens": _digest(table.ids, table.token_offsets, table.token_data, table.byte_ids, base),
        "merges": _digest(table.merges),
        "pattern": _digest(tokenizer.pattern.expression.encode()),
        "specials": _digest(repr(dict(tokenizer.special_ids)).encode()),
        "rules": _digest(rules.encode()),
    }


def _digest(*parts: np.ndarray[tuple[int, ...], np.dtype[np.generic]] | bytes) -> str:
    digest = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else np.ascontiguousarray(part).tobytes()
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()[:_DIGITS]

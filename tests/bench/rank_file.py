"""A tokenizer made of a rank file (`.tiktoken`: a token in base64 and its rank on each line).

Only for measuring: the ranks are the ids, and a whole piece that is a token is taken first.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from bpe_studio.bpe.patterns import PRESETS
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer


def read_ranks(path: Path) -> dict[bytes, int]:
    """``{token: rank}`` of a rank file."""
    ranks: dict[bytes, int] = {}
    for line in path.read_bytes().split(b"\n"):
        if line:
            token, rank = line.split(b" ")
            ranks[base64.b64decode(token, validate=True)] = int(rank)
    return ranks


def tokenizer_of(ranks: Mapping[bytes, int], pattern: str = "cl100k") -> Tokenizer:
    """The tokenizer of these ranks; every token but the 256 bytes has one merge."""
    rows = [
        (ranks[left], ranks[right], rank)
        for token, rank in sorted(ranks.items(), key=lambda item: item[1])
        if len(token) > 1
        for left, right in [parts_of(token, rank, ranks)]
    ]
    table = MergeTable.build(
        byte_ids=[ranks[bytes([byte])] for byte in range(256)],
        merges=np.array(rows, dtype=np.int32).reshape(len(rows), 3),
    )
    return Tokenizer(table, PRESETS[pattern], engine="whole-piece-first")


def parts_of(token: bytes, rank: int, ranks: Mapping[bytes, int]) -> tuple[bytes, bytes]:
    """What the last merge joins: the token encoded with only the ranks below its own.

    >>> parts_of(b"abc", 9, {b"bc": 3, b"ab": 5, b"abc": 9})
    (b'a', b'bc')
    """
    parts = [bytes([byte]) for byte in token]
    while len(parts) > 2:
        found = [ranks.get(a + b, rank) for a, b in zip(parts, parts[1:], strict=False)]
        best = min(found)
        if best >= rank:
            raise ValueError(f"The ranks below {rank} leave {token!r} in {len(parts)} parts.")
        place = found.index(best)
        parts[place : place + 2] = [parts[place] + parts[place + 1]]
    left, right = parts
    return left, right

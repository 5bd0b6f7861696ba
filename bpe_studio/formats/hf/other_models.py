"""WordPiece, Unigram and WordLevel files: their tokens as a table without merges."""

from __future__ import annotations

from typing import Final

import numpy as np

from bpe_studio.bpe.table import MergeTable
from bpe_studio.formats.hf.spelling import Spelling
from bpe_studio.formats.hf.vocab import read_vocab
from bpe_studio.formats.strict.json import Node, quoted
from bpe_studio.formats.strict.token_bytes import MAX_TOKENS

__all__ = ["WHY_NO_MERGES", "read_tokens", "table_of_tokens"]

#: What the kinds do instead of merging.
WHY_NO_MERGES: Final = {
    "WordPiece": "WordPiece takes the longest token that a word begins with",
    "Unigram": "Unigram takes the most probable tokens of a word",
    "WordLevel": "WordLevel takes whole words",
}


def read_tokens(model: Node, kind: str) -> dict[str, int]:
    """``{token: id}``; in Unigram the place in the list is the id.

    Raises
    ------
    ValueError
        With the place of what is wrong.
    """
    if "vocab" not in model:
        model.fail("has no key 'vocab'")
    node = model.member("vocab")
    if kind != "Unigram":
        return read_vocab(node)
    if not isinstance(node.value, list):
        node.fail_type("a list of tokens with their scores")
    if len(node.value) > MAX_TOKENS:
        node.fail(f"has {len(node.value):,} tokens, and {MAX_TOKENS:,} is the limit")
    found: dict[str, int] = {}
    for number, item in enumerate(node.items()):
        row = item.value
        sound = isinstance(row, list) and len(row) == 2 and type(row[1]) in (int, float)
        if not sound or not isinstance(row[0], str):
            item.fail_type("a token and its score")
        if found.setdefault(row[0], number) != number:
            item.fail(f"is {quoted(row[0])}, which is there before")
    return read_vocab(Node(node.source, node.key, found))


def table_of_tokens(tokens: dict[str, int], spelling: Spelling, *, without: set[int]) -> MergeTable:
    """The tokens with their bytes; those in `without` are specials."""
    rows = sorted(
        (number, spelling.bytes_of(token) or token.encode())
        for token, number in tokens.items()
        if number not in without and token
    )
    offsets = np.zeros(len(rows) + 1, dtype=np.int64)
    offsets[1:] = np.cumsum([len(data) for _, data in rows])
    return MergeTable(
        base="chars",
        byte_ids=np.full(256, -1, dtype=np.int32),
        char_ids={},
        merges=np.zeros((0, 3), dtype=np.int32),
        token_ids=np.array([number for number, _ in rows], dtype=np.int32),
        token_data=np.frombuffer(b"".join(data for _, data in rows), dtype=np.uint8),
        token_offsets=offsets,
    )

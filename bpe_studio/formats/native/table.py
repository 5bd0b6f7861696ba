"""The tokens and merges of a native file → MergeTable."""

from __future__ import annotations

import re
from typing import NoReturn, cast

import numpy as np

from bpe_studio.bpe.built_tokens import MAX_ID
from bpe_studio.bpe.table import Base, MergeTable, gpt2_byte_order
from bpe_studio.formats.strict.json import Node, quoted
from bpe_studio.formats.strict.token_bytes import (
    MAX_MERGES,
    MAX_TOKEN_BYTES,
    MAX_TOKENS,
    make_tokens,
    repeated_note,
)

__all__ = ["read_table"]


def read_table(root: Node, *, word_prefix: str = "") -> tuple[MergeTable, list[str]]:
    """The table, and notes for the user. ValueError with the place where something is wrong."""
    base = cast(Base, root.member("base").one_of("bytes", "chars"))
    byte_ids = _byte_ids(root)
    symbols: dict[int, bytes] = {}
    for byte, byte_id in enumerate(byte_ids):
        if byte_id >= 0 and symbols.setdefault(byte_id, bytes([byte])) != bytes([byte]):
            root.member("bytes").fail(f"has the id {byte_id} twice")
    if ("characters" in root) != (base == "chars"):
        root.fail('"characters" must be there when "base" is "chars", and only then')
    characters = _characters(root.member("characters"), symbols) if base == "chars" else {}
    if "tokens_without_merge" in root:
        _others(root.member("tokens_without_merge"), symbols)
    merges = _merge_rows(root)

    def fail(rank: int, reason: str) -> NoReturn:
        Node(root.source, f"merges[{rank}]", None).fail(reason)

    tokens = make_tokens(
        symbols,
        merges,
        fail=fail,
        in_order="first_merge_id" in root,
        word_prefix=word_prefix.encode(),
    )
    ids = np.array(sorted(tokens), dtype=np.int32)
    data = [tokens[number] for number in ids.tolist()]
    table = MergeTable(
        base=base,
        byte_ids=np.array(byte_ids, dtype=np.int32),
        char_ids=characters,
        merges=np.array(merges, dtype=np.int32).reshape(len(merges), 3),
        token_ids=ids,
        token_data=np.frombuffer(b"".join(data), dtype=np.uint8),
        token_offsets=np.cumsum([0, *map(len, data)], dtype=np.int64),
    )
    return table, repeated_note(merges)


def _byte_ids(root: Node) -> list[int]:
    if ("bytes" in root) == ("byte_base" in root):
        root.fail('there must be either "byte_base" or "bytes", and not both')
    if "bytes" not in root:
        first = root.member("byte_base").integer(largest=MAX_ID - 255)
        if "byte_order" not in root:
            return list(range(first, first + 256))
        root.member("byte_order").one_of("gpt2")
        ids = dict(zip(gpt2_byte_order(), range(first, first + 256), strict=True))
        return [ids[byte] for byte in range(256)]
    if "byte_order" in root:
        root.fail('"byte_order" goes with "byte_base" only')
    items = list(root.member("bytes").items())
    if len(items) != 256:
        root.member("bytes").fail(f"must have 256 ids, not {len(items):,}")
    return [-1 if item.value is None else item.integer(largest=MAX_ID) for item in items]


def _characters(node: Node, symbols: dict[int, bytes]) -> dict[str, int]:
    found: dict[str, int] = {}
    for row in node.items():
        char, char_id = _pair(row, "a character and its id")
        text = char.text()
        if len(text) != 1 or text.isascii():
            char.fail_type("one character that is not ASCII")
        if text in found:
            char.fail(f"is {quoted(text)} a second time")
        found[text] = char_id.integer(largest=MAX_ID)
        _take_id(char_id, text.encode(), symbols)
    return found


def _others(node: Node, symbols: dict[int, bytes]) -> None:
    for row in node.items():
        token_id, content = _pair(row, "an id and its bytes in hexadecimal")
        text = content.text()
        if not re.fullmatch("([0-9a-f]{2})+", text):
            content.fail_type("bytes in hexadecimal")
        if len(text) > 2 * MAX_TOKEN_BYTES:
            content.fail("is longer than 1 MiB, which is the limit of a token")
        token_id.integer(largest=MAX_ID)
        _take_id(token_id, bytes.fromhex(text), symbols)


def _pair(row: Node, wanted: str) -> tuple[Node, Node]:
    if not isinstance(row.value, list) or len(row.value) != 2:
        row.fail_type(wanted)
    first, second = row.items()
    return first, second


def _take_id(node: Node, data: bytes, symbols: dict[int, bytes]) -> None:
    if node.value in symbols:
        node.fail(f"is {node.value}, which another token has already")
    symbols[node.value] = data
    if len(symbols) > MAX_TOKENS:
        node.fail(f"is one token more than {MAX_TOKENS:,}, which is the limit")


def _merge_rows(root: Node) -> list[tuple[int, int, int]]:
    """The merges with their ids, which count on from the one before where a row has none."""
    node = root.member("merges")
    if "first_merge_id" not in root:
        rows = node.integer_rows((3,), largest=MAX_ID, most=MAX_MERGES)
        return [(left, right, new) for left, right, new in rows]
    rows = node.integer_rows((2, 3), largest=MAX_ID, most=MAX_MERGES)
    next_id = root.member("first_merge_id").integer(largest=MAX_ID)
    merges: list[tuple[int, int, int]] = []
    for row in rows:
        new = row[2] if len(row) == 3 else next_id
        if new > MAX_ID:
            Node(root.source, f"merges[{len(merges)}]", None).fail(
                f"gets the id {new}, and {MAX_ID} is the largest"
            )
        merges.append((row[0], row[1], new))
        next_id = new + 1
    return merges

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.bpe.scanner import rules_of
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.kernels import encode
from tests import oracle, texts
from tests.bpe.test_trainer import trained

SAMPLE = "low lower lowest é日本 'twas 12345\r\n\r\n  x\u00a0y " * 5


def encoded_in_slices(tokenizer: Tokenizer, parts: list[bytes], slice_bytes: int) -> list[int]:
    """The dense tokens of texts, in calls of so many bytes."""
    tables = tokenizer.encoder.tables
    data = np.frombuffer(b"".join(parts) + bytes(encode.PADDING), dtype=np.uint8)
    borders = np.concatenate(([0], np.cumsum([len(p) for p in parts]))).astype(np.int64)
    out = np.empty(len(data), dtype=np.int32)
    out_borders = np.zeros(len(parts) + 1, dtype=np.int64)
    text = position = 0
    with tables.room() as room:
        while text < len(parts):
            text, position, state = encode.encode_texts(
                data, borders, text, position, position + slice_bytes,
                rules_of(tokenizer.pattern), room.ends[:7],
                tables.ranks, tables.whole, room.cache, room.desk, out, out_borders,
            )  # fmt: skip
            assert state == encode.DONE
    return out[: out_borders[-1]].tolist()


@given(parts=st.lists(texts.any_text, max_size=4), slice_bytes=st.integers(1, 40))
def test_slices_and_texts_side_by_side_change_nothing(parts: list[str], slice_bytes: int) -> None:
    tokenizer = trained([SAMPLE], vocab_size=330, pattern="cl100k")
    ids = tokenizer.table.byte_ids.tolist()
    expected: list[int] = []
    for part in parts:
        expected += oracle.encode(part, tokenizer.pattern.expression, tokenizer.merges, ids, {})
    dense = encoded_in_slices(tokenizer, [part.encode() for part in parts], slice_bytes)
    assert tokenizer.table.ids[dense].tolist() == expected


def test_lengths_and_ids() -> None:
    tokens = np.array([2, 0, 1, 2], dtype=np.int32)
    bounds = np.empty(5, dtype=np.int64)
    encode.add_lengths(tokens, np.array([1, 2, 5], dtype=np.int32), bounds)
    assert bounds.tolist() == [0, 5, 6, 8, 13]
    encode.to_ids(tokens, np.array([10, 20, 40], dtype=np.int32))
    assert tokens.tolist() == [40, 10, 20, 40]

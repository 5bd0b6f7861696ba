from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from bpe_studio.kernels import whole
from bpe_studio.kernels.machine import mix
from bpe_studio.kernels.piece_cache import key_of


@njit
def find(table, data, length):
    low, high = key_of(data, 0, length)
    return whole.find_whole(table, mix(low, high), low, data, 0, length)


tokens = st.lists(
    st.binary(max_size=20) | st.text("a\0", max_size=300).map(str.encode), max_size=40
)


@given(tokens=tokens, others=tokens)
def test_the_first_token_with_these_bytes_is_found(
    tokens: list[bytes], others: list[bytes]
) -> None:
    offsets = np.concatenate(([0], np.cumsum([len(t) for t in tokens]))).astype(np.int64)
    table = whole.whole_table(np.frombuffer(b"".join(tokens), dtype=np.uint8), offsets)
    for piece in filter(None, tokens + others):
        data = np.frombuffer(piece + b"what comes after it" * 2, dtype=np.uint8).copy()
        expected = tokens.index(piece) if piece in tokens else -1
        assert find(table, data, len(piece)) == expected

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from bpe_studio.kernels import piece_cache
from bpe_studio.kernels.machine import mix


@njit
def put(cache, data, length, tokens, count):
    low, high = piece_cache.key_of(data, 0, length)
    at = piece_cache.find(cache, mix(low, high), low, high, data, 0, length)
    known = piece_cache.is_filled(cache, at)
    if not known:
        piece_cache.write(cache, at, low, high, data, 0, length, tokens, count)
    return known


@njit
def get(cache, data, length, out):
    low, high = piece_cache.key_of(data, 0, length)
    at = piece_cache.find(cache, mix(low, high), low, high, data, 0, length)
    return piece_cache.read(cache, at, out, 0) if piece_cache.is_filled(cache, at) else -1


def padded(piece: bytes) -> np.ndarray:
    return np.frombuffer(piece + b"beyond the end, any bytes at all", dtype=np.uint8).copy()


# Pieces that differ in their length, their last byte or a NUL alone are the hard ones.
pieces = st.binary(min_size=1, max_size=40) | st.builds(
    lambda unit, length: (unit * 40)[:length],
    st.sampled_from([b"\0", b"a", b"ab", b"a\0"]),
    st.sampled_from([1, 7, 8, 9, 14, 15, 16, 17, 23, 24, 25, 31, 32, 33, 40]),
)


@given(told=st.dictionaries(pieces, st.lists(st.integers(0, 2**31 - 1), min_size=1, max_size=9)))
def test_what_was_written_is_read_and_nothing_else(told: dict[bytes, list[int]]) -> None:
    cache = piece_cache.cache_of(6)
    for piece, ids in told.items():
        tokens = np.array([*ids, 0, 0, 0, 0], dtype=np.int32)
        assert not put(cache, padded(piece), len(piece), tokens, len(ids))
    larger = piece_cache.cache_of(8)
    piece_cache.move(cache, larger)
    out = np.empty(16, dtype=np.int32)
    for holder in (cache, larger):
        for piece, ids in told.items():
            count = get(holder, padded(piece), len(piece), out)
            assert out[:count].tolist() == ids
            for other in (piece + b"\0", piece[:-1], b"\0" + piece, piece[:-1] + b"\1"):
                if other and other not in told:
                    assert get(holder, padded(other), len(other), out) == -1


def test_an_empty_cache_has_room_and_a_full_one_has_none() -> None:
    cache = piece_cache.cache_of(11)
    assert has_room(cache)
    cache.used[piece_cache.ENTRIES] = 513
    assert not has_room(cache)
    cache.used[:] = 0, len(cache.tokens), 0
    assert not has_room(cache)


@njit
def has_room(cache):
    return piece_cache.has_room(cache)

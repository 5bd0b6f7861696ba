"""What the instructions do, said again with Python's integers."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from bpe_studio.kernels.machine import load64, mix, multiply_high, prefetch

words = st.integers(0, 2**64 - 1)


@njit
def load(data, index):
    return load64(data, index)


@njit
def touch(array):
    for i in range(len(array)):
        prefetch(array, i)
    return array.sum()


@njit
def multiply(a, b):
    return multiply_high(a, b)


@njit
def mixed(low, high):
    return mix(low, high)


@given(data=st.binary(min_size=8, max_size=40), index=st.integers(0, 32))
def test_load64_is_little_endian_at_any_place(data: bytes, index: int) -> None:
    index = min(index, len(data) - 8)
    loaded = load(np.frombuffer(data, dtype=np.uint8), index)
    assert int(loaded) == int.from_bytes(data[index : index + 8], "little")


def test_prefetch_changes_nothing() -> None:
    array = np.arange(1000, dtype=np.int64)
    assert touch(array) == 499_500
    assert touch(np.ones(10, dtype=np.uint8)) == 10


@given(a=words, b=words)
def test_multiply_high(a: int, b: int) -> None:
    assert int(multiply(np.uint64(a), np.uint64(b))) == a * b >> 64


@given(low=words, high=words)
def test_mix_is_a_folded_product(low: int, high: int) -> None:
    product = (low ^ 0xA0761D6478BD642F) * (high ^ 0xE7037ED1A0B428DB)
    expected = (product ^ product >> 64) % 2**64
    assert int(mixed(np.uint64(low), np.uint64(high))) == expected


def test_mix_spreads_short_keys_over_both_ends() -> None:
    hashes = [int(mixed(np.uint64(n), np.uint64(5 << 56))) for n in range(1 << 14)]
    assert len({value >> 40 for value in hashes}) > 0.99 * len(hashes)
    assert len({value & 0xFFFFFF for value in hashes}) > 0.99 * len(hashes)

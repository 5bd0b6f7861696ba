"""What the instructions do, said again with Python's integers."""

from __future__ import annotations

import sys
from typing import NamedTuple

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numba import njit
from numpy.typing import NDArray

from bpe_studio.kernels.machine import (
    borrowed,
    leading_zeros,
    load64,
    mix,
    multiply_high,
    prefetch,
    put64,
    smallest_of_32,
    store64,
    trailing_zeros,
    value_of_check,
)

words = st.integers(0, 2**64 - 1)
numbers = st.integers(-(2**31), 2**31 - 1)


class Pair(NamedTuple):
    first: NDArray[np.int64]
    second: int


@njit
def load(data, index):
    return load64(data, index)


@njit
def put(data, index, value):
    put64(data, index, value)


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


@njit
def store(array, index, value):
    store64(array, index, value)


@njit
def smallest(array, index):
    return smallest_of_32(array, index)


@njit
def value(array, index, check, otherwise):
    return value_of_check(array, index, check, otherwise)


@njit
def zeros(word):
    return leading_zeros(word), trailing_zeros(word)


@njit
def add_first(pair):
    lent = borrowed(pair)
    return lent.first.sum() + lent.second


@given(data=st.binary(min_size=8, max_size=40), index=st.integers(0, 32))
def test_load64_is_little_endian_at_any_place(data: bytes, index: int) -> None:
    index = min(index, len(data) - 8)
    loaded = load(np.frombuffer(data, dtype=np.uint8), index)
    assert int(loaded) == int.from_bytes(data[index : index + 8], "little")


@given(data=st.binary(min_size=8, max_size=40), index=st.integers(0, 32), value=words)
def test_put64_writes_eight_bytes_and_no_more(data: bytes, index: int, value: int) -> None:
    index = min(index, len(data) - 8)
    array = np.frombuffer(data, dtype=np.uint8).copy()
    put(array, index, np.uint64(value))
    assert array.tobytes() == data[:index] + value.to_bytes(8, "little") + data[index + 8 :]


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


@given(index=st.integers(0, 5), value=words)
def test_store64_writes_two_numbers_the_low_half_first(index: int, value: int) -> None:
    array = np.full(8, -1, dtype=np.int32)
    store(array, index, np.uint64(value))
    expected = [-1] * 8
    expected[index : index + 2] = np.array([value], dtype="<u8").view("<i4").tolist()
    assert array.tolist() == expected


@given(values=st.lists(numbers, min_size=32, max_size=32), index=st.integers(0, 3))
def test_smallest_of_32(values: list[int], index: int) -> None:
    array = np.array([-(2**31)] * index + values + [-(2**31)] * 3, dtype=np.int32)
    assert smallest(array, index) == min(values)


@given(
    checks=st.lists(st.integers(-3, 3), min_size=8, max_size=8),
    values=st.lists(numbers, min_size=8, max_size=8),
    check=st.integers(-3, 3),
)
def test_value_of_check(checks: list[int], values: list[int], check: int) -> None:
    array = np.array([check, *checks, *values, -(2**31)], dtype=np.int32)
    found = [v for c, v in zip(checks, values, strict=True) if c == check]
    largest = np.int32(2**31 - 1)
    assert value(array, 1, np.int32(check), largest) == min([*found, int(largest)])


@given(word=st.integers(1, 2**64 - 1))
def test_zeros_at_both_ends(word: int) -> None:
    before, after = zeros(np.uint64(word))
    assert before == 64 - word.bit_length()
    assert after == (word & -word).bit_length() - 1


def test_borrowed_arrays_are_the_same_arrays() -> None:
    numbers = np.arange(100, dtype=np.int64)
    owners = sys.getrefcount(numbers)
    assert [add_first(Pair(numbers, 1)) for _ in range(10)] == [4951] * 10
    assert sys.getrefcount(numbers) == owners

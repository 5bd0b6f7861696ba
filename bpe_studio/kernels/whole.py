"""Tokens found by their bytes, for the engine that takes a whole piece first."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bpe_studio.kernels.machine import mix
from bpe_studio.kernels.pages import filled
from bpe_studio.kernels.piece_cache import key_of, same_bytes

_HALF = np.uint64(32)
_LENGTH = np.uint64(0xFF)
_BESIDE_TOKEN = np.uint64(0xFFFFFFFF)
_CHECK = np.uint64(0xFFFFFF00)
_PADDING = 16


class Whole(NamedTuple):
    """
    Attributes
    ----------
    words : uint64
        Two for a slot: the first word of the piece's key (see `piece_cache`), and
        ``token << 32 | 24 bits of the hash | length, at most 255``; 0 where the slot is empty.
        Empty for an engine that knows no whole pieces.
    shift : int64
        64 less the bits of a slot's number.
    data : uint8
        The bytes of all tokens, and 16 more.
    offsets : int64, shape (tokens + 1,)
    """

    words: NDArray[np.uint64]
    shift: int
    data: NDArray[np.uint8]
    offsets: NDArray[np.int64]


@njit(nogil=True, cache=True, inline="always")
def slot_of(whole, mixed):
    """The place in `words` where the search for a hash begins."""
    return np.int64(mixed >> np.uint64(whole.shift)) << 1


@njit(nogil=True, cache=True, inline="always")
def find_whole(whole, mixed, low, data, start, length):
    """The token that has the bytes of a piece, or -1.

    `mixed` is the hash of its key, and `low` the first word of the key.
    """
    words = whole.words
    beside = (mixed & _CHECK) | np.uint64(min(length, 255))
    at = slot_of(whole, mixed)
    while words[at + 1] != 0:
        if words[at] == low and words[at + 1] & _BESIDE_TOKEN == beside:
            token = np.int64(words[at + 1] >> _HALF)
            if length <= 8:
                return token
            begin = whole.offsets[token]
            if whole.offsets[token + 1] - begin == length and same_bytes(
                data, start, whole.data, begin, length
            ):
                return token
        at = (at + 2) & (len(words) - 1)
    return np.int64(-1)


@njit(nogil=True, cache=True)
def fill_whole(whole):
    """Enters every token; the first of two with equal bytes wins."""
    words = whole.words
    for token in range(len(whole.offsets) - 1):
        begin = whole.offsets[token]
        length = whole.offsets[token + 1] - begin
        if length == 0:
            continue
        low, high = key_of(whole.data, begin, length)
        mixed = mix(low, high)
        if find_whole(whole, mixed, low, whole.data, begin, length) >= 0:
            continue
        at = slot_of(whole, mixed)
        while words[at + 1] != 0:
            at = (at + 2) & (len(words) - 1)
        words[at] = low
        words[at + 1] = (np.uint64(token) << _HALF) | (mixed & _CHECK) | np.uint64(min(length, 255))


def whole_table(data: NDArray[np.uint8], offsets: NDArray[np.int64]) -> Whole:
    """The table of tokens with these bytes, one after another."""
    bits = max(4, int(2 * len(offsets)).bit_length())
    whole = Whole(
        words=filled(2 << bits, 0, np.uint64),
        shift=64 - bits,
        data=np.concatenate((data, np.zeros(_PADDING, dtype=np.uint8))),
        offsets=np.array(offsets),
    )
    fill_whole(whole)
    return whole


def no_whole() -> Whole:
    """For an engine that merges only."""
    return Whole(np.zeros(0, np.uint64), 60, np.zeros(0, np.uint8), np.zeros(1, np.int64))

"""Pieces that were met before, and their tokens: entries of 32 bytes, exact to the byte.

An entry is four words. A piece of at most 15 bytes is its own key: bytes 0-7 in the first word,
bytes 8-14 and the length (bits 56-59) in the second. A longer piece has its hash in the first word,
in the second the length (bits 36-55) and the place of its bytes in an arena (bits 0-35), where
they are compared. Bits 60-63 of the second word are the number of tokens, 1 to 4 in the other two
words; IN_ARENA, where these words are a place and a number in the arena of tokens; 0, where the
entry is empty.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bpe_studio.kernels.machine import load64, mix, store64
from bpe_studio.kernels.pages import filled

SHORT_PIECE = 15
# Longer pieces are merged anew each time: they seldom come back.
LONGEST_PIECE = 1024
# So many pieces at most are entered between two looks whether there is room.
BATCH = 512
IN_ARENA = np.uint64(5)
# Of `used`
ENTRIES, TOKENS, BYTES = 0, 1, 2

_COUNT = np.uint64(60)
_LENGTH = np.uint64(56)
_LONG_LENGTH = np.uint64(36)
_KEY = np.uint64(0x0FFFFFFFFFFFFFFF)
_PLACE = np.uint64(0x0000000FFFFFFFFF)
_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_EIGHT = np.uint64(8)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
# By length: which bits of the two words a short piece has.
_MASKS = np.array(
    [[(1 << 8 * min(n, 8)) - 1, (1 << 8 * max(n - 8, 0)) - 1] for n in range(16)], dtype=np.uint64
)


class Cache(NamedTuple):
    """
    Attributes
    ----------
    words : uint64, 4 for an entry, a power of two of entries
    shift : int64
        64 less the bits of an entry's number.
    tokens : int32, data : uint8
        The arenas, of runs of more than four tokens and of pieces of more than 15 bytes.
    used : int64, shape (3,)
        How many entries, tokens and bytes are in use.
    """

    words: NDArray[np.uint64]
    shift: int
    tokens: NDArray[np.int32]
    data: NDArray[np.uint8]
    used: NDArray[np.int64]


def cache_of(bits: int) -> Cache:
    """An empty cache of ``2**bits`` entries."""
    entries = 1 << bits
    return Cache(
        words=filled(4 * entries, 0, np.uint64),
        shift=64 - bits,
        tokens=np.empty(2 * entries + BATCH * LONGEST_PIECE, dtype=np.int32),
        data=np.empty(8 * entries + BATCH * LONGEST_PIECE, dtype=np.uint8),
        used=np.zeros(3, dtype=np.int64),
    )


@njit(nogil=True, cache=True, inline="always")
def key_of(data, start, length):
    """The two words that name the piece at ``data[start]``; 16 bytes from there are readable."""
    if length <= SHORT_PIECE:
        low = load64(data, start) & _MASKS[length, 0]
        high = load64(data, start + 8) & _MASKS[length, 1]
        return low, high | (np.uint64(length) << _LENGTH)
    return _hash(data, start, length), np.uint64(length) << _LONG_LENGTH


@njit(nogil=True, cache=True)
def _hash(data, start, length):
    mixed = np.uint64(length)
    for k in range(0, length - 16, 16):
        mixed = mix(load64(data, start + k) ^ mixed, load64(data, start + k + 8))
    return mix(load64(data, start + length - 16) ^ mixed, load64(data, start + length - 8))


@njit(nogil=True, cache=True, inline="always")
def same_bytes(data, start, other, place, length):
    """Whether two runs of 8 bytes or more are equal."""
    for k in range(0, length - 8, 8):
        if load64(data, start + k) != load64(other, place + k):
            return False
    return load64(data, start + length - 8) == load64(other, place + length - 8)


@njit(nogil=True, cache=True, inline="always")
def first_place(cache, mixed):
    """The place in `words` where the search for a hash begins."""
    return np.int64(mixed >> np.uint64(cache.shift)) << 2


@njit(nogil=True, cache=True, inline="always")
def find(cache, mixed, low, high, data, start, length):
    """The place in `words` of the entry with this key, or of the empty one where it would go."""
    words = cache.words
    mask = np.int64(len(words) - 1)
    at = first_place(cache, mixed)
    while True:
        second = words[at + 1]
        if second >> _COUNT == 0:
            return at
        if words[at] == low:
            if length <= SHORT_PIECE:
                if second & _KEY == high:
                    return at
            elif (second & _KEY) & ~_PLACE == high:
                place = np.int64(second & _PLACE)
                if same_bytes(data, start, cache.data, place, length):
                    return at
        at = (at + 4) & mask


@njit(nogil=True, cache=True, inline="always")
def read(cache, at, out, n):
    """Writes the tokens of an entry (and up to 4 more places); the new length of `out`."""
    count = np.int64(cache.words[at + 1] >> _COUNT)
    if count <= 4:
        store64(out, n, cache.words[at + 2])
        store64(out, n + 2, cache.words[at + 3])
        return n + count
    place = np.int64(cache.words[at + 2])
    count = np.int64(cache.words[at + 3])
    for k in range(count):
        out[n + k] = cache.tokens[place + k]
    return n + count


@njit(nogil=True, cache=True, inline="always")
def is_filled(cache, at):
    return cache.words[at + 1] >> _COUNT != 0


@njit(nogil=True, cache=True, inline="always")
def has_room(cache):
    """Whether BATCH more pieces fit, whatever they are."""
    used = cache.used
    return (
        8 * (used[ENTRIES] + BATCH) <= len(cache.words)
        and used[TOKENS] + BATCH * LONGEST_PIECE <= len(cache.tokens)
        and used[BYTES] + BATCH * LONGEST_PIECE <= len(cache.data)
    )


@njit(nogil=True, cache=True, inline="always")
def write(cache, at, low, high, data, start, length, tokens, count):
    """Fills the empty entry at `at` with the first `count` tokens."""
    words, used = cache.words, cache.used
    if length > SHORT_PIECE:
        place = used[BYTES]
        for k in range(length):
            cache.data[place + k] = data[start + k]
        used[BYTES] += length
        high |= np.uint64(place)
    if count <= 4:
        for k in range(count, 4):
            tokens[k] = 0
        words[at + 2] = np.uint64(tokens[0]) | (np.uint64(tokens[1]) << _HALF)
        words[at + 3] = np.uint64(tokens[2]) | (np.uint64(tokens[3]) << _HALF)
        high |= np.uint64(count) << _COUNT
    else:
        place = used[TOKENS]
        for k in range(count):
            cache.tokens[place + k] = tokens[k]
        used[TOKENS] += count
        words[at + 2] = np.uint64(place)
        words[at + 3] = np.uint64(count)
        high |= IN_ARENA << _COUNT
    words[at] = low
    words[at + 1] = high
    used[ENTRIES] += 1


@njit(nogil=True, cache=True)
def move(old, new):
    """Copies every entry of a cache into a larger one that is empty."""
    mask = np.int64(len(new.words) - 1)
    for source in range(0, len(old.words), 4):
        second = old.words[source + 1]
        if second >> _COUNT == 0:
            continue
        length_or_place = second & _KEY
        if length_or_place >> _LENGTH == 0:
            length_or_place &= ~_PLACE
        mixed = mix(old.words[source], length_or_place)
        at = np.int64(mixed >> np.uint64(new.shift)) << 2
        while new.words[at + 1] >> _COUNT != 0:
            at = (at + 4) & mask
        for k in range(4):
            new.words[at + k] = old.words[source + k]
    new.tokens[: old.used[TOKENS]] = old.tokens[: old.used[TOKENS]]
    new.data[: old.used[BYTES]] = old.data[: old.used[BYTES]]
    new.used[:] = old.used

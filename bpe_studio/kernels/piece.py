"""Merging one piece: bytes to base symbols, and these to tokens.

Merging joins one pair at a time, the leftmost of those of the lowest rank, until none is left.
Where a table is ordered (see `Ranks`), joining the lowest rank everywhere, then the lowest that is
present after that, comes to the same.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bpe_studio.kernels.machine import leading_zeros, smallest_of_32, trailing_zeros
from bpe_studio.kernels.ranks import NONE, new_of, rank_of

# So many symbols and one place on either side have one bit each in a machine word, which tells the
# places that are still taken.
SHORT = 62
_ONE = np.uint64(1)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


class Counts(NamedTuple):
    """What happens on the way to the tokens; nothing is counted where the arrays are empty.

    ``created[token]`` grows by the weight of a piece each time the token comes to be, base
    symbols included; ``applied[rank]`` each time that a merge joins a pair. In an ordered table
    (see `Ranks`) ``counted[rank]`` grows by the pairs present when the merge first fires; in
    another, where pairs may come and go meanwhile, as `applied` does.
    """

    created: NDArray[np.int64]
    counted: NDArray[np.int64]
    applied: NDArray[np.int64]


@njit(nogil=True, cache=True, inline="always")
def to_symbols(data, start, end, ranks, out, first):
    """Base symbols of ``data[start:end]`` into ``out[first:]``; their number, or -1 - b for a
    missing byte b.

    A character that is no symbol of a chars base falls back to its bytes.
    """
    chars = ranks.char_symbols
    n = first
    i = start
    while i < end:
        b = data[i]
        if b >= 0xC2 and len(chars) > 0:
            width = 2 if b < 0xE0 else (3 if b < 0xF0 else 4)
            if i + width <= end:
                point = np.int64(b & (0x7F >> width))
                valid = True
                for k in range(1, width):
                    valid = valid and (data[i + k] & 0xC0) == 0x80
                    point = (point << 6) | np.int64(data[i + k] & 0x3F)
                if valid and point < len(chars) and chars[point] >= 0:
                    out[n] = chars[point]
                    n += 1
                    i += width
                    continue
        if ranks.byte_symbols[b] < 0:
            return -1 - np.int64(b)
        out[n] = ranks.byte_symbols[b]
        n += 1
        i += 1
    return n - first


@njit(nogil=True, cache=True, inline="always")
def _key(ranks, left, right, place):
    """Rank and place in one number, so that the smallest is the leftmost of the lowest rank."""
    # As one expression: whether there is a rank is a guess that would often be wrong.
    return np.int32(min((np.int64(rank_of(ranks, left, right)) << 6) | place, np.int64(NONE)))


@njit(nogil=True, cache=True, inline="always")
def lay_out(ranks, data, start, n, sym, row, keys, base):
    """Prepares a piece of `n` symbols, at most SHORT, for `join`; the places that are taken.

    Parameters
    ----------
    data, start : the piece's bytes, if its symbols are its bytes; else `start` is -1
    sym, row : int32
        The symbols are ``sym[row + 1 : row + n + 1]``.
    keys, base : int32
        ``keys[base : base + 64]`` is filled; the least of it tells what to join first.
    """
    # A place on both sides that no merge has spares asking whether there is a neighbour.
    sym[row] = sym[row + n + 1] = ranks.nobody
    keys[base : base + 64] = NONE
    if start >= 0:
        first = np.int64(data[start])
        for i in range(1, n):
            second = np.int64(data[start + i])
            rank = np.int64(ranks.grid[(first << 8) | second])
            keys[base + i] = np.int32(min((rank << 6) | i, np.int64(NONE)))
            first = second
    else:
        for i in range(1, n):
            keys[base + i] = _key(ranks, sym[row + i], sym[row + i + 1], i)
    return _ALL >> np.uint64(62 - n)


@njit(nogil=True, cache=True, inline="always")
def lowest_key(keys, base, n):
    """What to join first in a piece of `n` symbols, or NONE."""
    lowest = smallest_of_32(keys, base)
    return min(lowest, smallest_of_32(keys, base + 32)) if n > 31 else lowest


@njit(nogil=True, cache=True, inline="always")
def join(ranks, key, taken, sym, row, keys, base):
    """Joins the pair that a key names; the places that are taken then."""
    place = np.int64(key & 63)
    after = taken & (_ALL << np.uint64(place + 1))
    second = trailing_zeros(after)
    following = trailing_zeros(after & (after - _ONE))
    previous = 63 - leading_zeros(taken & ((_ONE << np.uint64(place)) - _ONE))
    new = new_of(ranks, np.int64(key >> 6))
    sym[row + place] = new
    keys[base + second] = NONE
    keys[base + place] = _key(ranks, new, sym[row + following], place)
    keys[base + previous] = _key(ranks, sym[row + previous], new, previous)
    return taken & ~(_ONE << np.uint64(second))


@njit(nogil=True, cache=True, inline="always")
def starts_of(taken, n):
    """Bit i tells whether a token begins with symbol i, of `n`."""
    return (taken >> _ONE) & (_ALL >> np.uint64(64 - n)) if n > 0 else np.uint64(0)


@njit(nogil=True, cache=True, inline="always")
def gather(starts, sym, row, out, n):
    """Writes the tokens that begin where `starts` tells to ``out[n:]``; how many they are."""
    first = n
    while starts:
        out[n] = sym[row + 1 + trailing_zeros(starts)]
        starts &= starts - _ONE
        n += 1
    return n - first


@njit(nogil=True, cache=True)
def merge_short(ranks, data, start, n, sym, keys, weight, counts):
    """Merges the symbols ``sym[1 : n + 1]`` to ``sym[0:]``; how many are left. See `lay_out`."""
    taken = lay_out(ranks, data, start, n, sym, 0, keys, 0)
    counting = len(counts.created) > 0
    rank = np.int64(NONE)
    while True:
        lowest = lowest_key(keys, 0, n)
        if lowest == NONE:
            return gather(starts_of(taken, n), sym, 0, sym, 0)
        if counting:
            previous, rank = rank, np.int64(lowest >> 6)
            if ranks.ordered == 0:
                counts.counted[rank] += weight
            elif rank != previous:
                counts.counted[rank] += weight * _count_pairs(keys, n, rank)
            counts.applied[rank] += weight
            counts.created[ranks.rows[rank, 2]] += weight
        taken = join(ranks, lowest, taken, sym, 0, keys, 0)


@njit(nogil=True, cache=True)
def _count_pairs(keys, n, rank):
    """How many pairs of a rank are present in a piece of `n` symbols."""
    found = np.int64(0)
    for i in range(1, n):
        found += np.int64(keys[i] >> 6 == rank)
    return found

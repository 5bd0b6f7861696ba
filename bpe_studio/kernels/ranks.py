"""Which merge joins two symbols: the merges by rank, found by pair.

Tokens are dense numbers (0 … n-1). A pair is scrambled one to one; the upper bits of the result
name a bucket and the rest tells the pairs of a bucket apart, so finding is exact. A bucket is one
cache line: the rests of up to 8 pairs, then their ranks. One comparison of vectors finds a rank,
and no branch has to be guessed. A bucket that is full goes on in the next one, where a pair is
marked by how far it is from its own.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bpe_studio.kernels.machine import value_of_check
from bpe_studio.kernels.pages import filled

MAX_MERGES = 1 << 24
NONE = np.int32(0x7FFFFFFF)
_BUCKET = 16
_ODD = np.uint64(0x9E3779B97F4A7C15)
# Of the 32 bits that tell pairs apart, the upper ones are the distance from the own bucket.
_REST_BITS = 28
_STEP = np.int32(1 << _REST_BITS)
_FARTHEST = np.int32(7 << _REST_BITS)
_ONE = np.uint64(1)


class Ranks(NamedTuple):
    """The merges of a table, as `rank_table` makes them.

    Attributes
    ----------
    buckets : int32
        Rows of 16, as many as a power of two: 8 rests and 8 ranks, NONE where none is.
    token_bits, rest_bits : int64
        Bits of a token's number, and of what is left of a scrambled pair beside its bucket.
    rows : int32, shape (m, 4)
        Left, right and new token by rank; the fourth is not used.
    grid : int32, shape (65536,)
        The rank of two byte symbols at ``first byte << 8 | second byte``, or NONE.
    byte_symbols : int32, shape (256,); char_symbols : int32 by code point
        The base symbols; -1 where there is none. `char_symbols` is empty for a bytes base.
    nobody : int64
        A number that is no token: it has no merge with any.
    first_new : int64
        The new token of every merge is its rank and this; -1 where there is no such rule.
    ordered : int64
        1 where no merge uses a token that an equal or a later rank makes: then the lowest rank
        present never falls while a piece is merged, and joining one pair at a time or all of a
        rank comes to the same.
    """

    buckets: NDArray[np.int32]
    token_bits: int
    rest_bits: int
    rows: NDArray[np.int32]
    grid: NDArray[np.int32]
    byte_symbols: NDArray[np.int32]
    char_symbols: NDArray[np.int32]
    nobody: int
    first_new: int
    ordered: int


@njit(nogil=True, cache=True, inline="always")
def _scramble(left, right, token_bits):
    """A pair to a number of twice the bits of a token, one to one."""
    bits = np.uint64(token_bits)
    pair = (np.uint64(left) << bits) | np.uint64(right)
    pair ^= pair >> bits
    return (pair * _ODD) & ((_ONE << (bits + bits)) - _ONE)


@njit(nogil=True, cache=True, inline="always")
def rank_of(ranks, left, right):
    """The rank of a pair, int32, or NONE."""
    pair = _scramble(left, right, ranks.token_bits)
    at = np.int64(pair >> np.uint64(ranks.rest_bits)) * _BUCKET
    rest = np.int32(pair & ((_ONE << np.uint64(ranks.rest_bits)) - _ONE))
    rank = value_of_check(ranks.buckets, at, rest, NONE)
    # One condition without shortcuts: whether there is a rank cannot be guessed, that it goes on
    # elsewhere is rare.
    while (rank == NONE) & (rest < _FARTHEST) & (ranks.buckets[at + _BUCKET - 1] != NONE):
        at = (at + _BUCKET) & (len(ranks.buckets) - 1)
        rest += _STEP
        rank = value_of_check(ranks.buckets, at, rest, NONE)
    return rank


@njit(nogil=True, cache=True, inline="always")
def new_of(ranks, rank):
    """The token that a merge makes."""
    if ranks.first_new >= 0:
        return np.int32(ranks.first_new + rank)
    return ranks.rows[rank, 2]


@njit(nogil=True, cache=True)
def fill_buckets(rows, buckets, token_bits, rest_bits):
    """Enters all merges, the first of two equal pairs; False where a bucket overflows too far."""
    for rank in range(len(rows)):
        pair = _scramble(rows[rank, 0], rows[rank, 1], token_bits)
        at = np.int64(pair >> np.uint64(rest_bits)) * _BUCKET
        rest = np.int32(pair & ((_ONE << np.uint64(rest_bits)) - _ONE))
        twin = value_of_check(buckets, at, rest, NONE)
        while twin == NONE and buckets[at + _BUCKET - 1] != NONE:
            if rest >= _FARTHEST:
                return False
            at = (at + _BUCKET) & (len(buckets) - 1)
            rest += _STEP
            twin = value_of_check(buckets, at, rest, NONE)
        if twin == NONE:
            while buckets[at + 8] != NONE:
                at += 1
            buckets[at] = rest
            buckets[at + 8] = rank
    return True


@njit(nogil=True, cache=True)
def fill_grid(rows, byte_symbols, byte_of, grid):
    """The ranks of pairs of byte symbols; `byte_of` (-1 everywhere) has a place for every token."""
    for byte in range(256):
        if byte_symbols[byte] >= 0:
            byte_of[byte_symbols[byte]] = byte
    for rank in range(len(rows) - 1, -1, -1):
        first, second = byte_of[rows[rank, 0]], byte_of[rows[rank, 1]]
        if first >= 0 and second >= 0:
            grid[(first << 8) | second] = rank


@njit(nogil=True, cache=True)
def are_ordered(rows, made):
    """Whether every merge comes after all that make its parts; `made` (-1) is by token."""
    for rank in range(len(rows)):
        made[rows[rank, 2]] = rank
    for rank in range(len(rows)):
        if made[rows[rank, 0]] >= rank or made[rows[rank, 1]] >= rank:
            return False
    return True


def rank_table(
    merges: NDArray[np.int32],
    byte_symbols: NDArray[np.int32],
    char_symbols: NDArray[np.int32],
    tokens: int,
) -> Ranks:
    """The pairs of dense merges (m, 3), for a table of so many tokens.

    Raises
    ------
    ValueError
        More than `MAX_MERGES` merges.
    """
    if len(merges) > MAX_MERGES:
        raise ValueError(f"The table has more than {MAX_MERGES:,} merges.")
    rows = np.zeros((len(merges), 4), dtype=np.int32)
    rows[:, :3] = merges
    token_bits = max(1, tokens.bit_length())
    bits = max(2, (2 * len(merges) // 7).bit_length(), 2 * token_bits - _REST_BITS)
    bits = min(bits, 2 * token_bits)
    buckets = filled(_BUCKET << bits, NONE, np.int32)
    while not fill_buckets(rows, buckets, token_bits, 2 * token_bits - bits):
        bits += 1
        buckets = filled(_BUCKET << bits, NONE, np.int32)
    grid = np.full(1 << 16, NONE, dtype=np.int32)
    fill_grid(rows, byte_symbols, np.full(tokens, -1, dtype=np.int32), grid)
    ordered = are_ordered(rows, np.full(tokens, -1, dtype=np.int32))
    steps = np.diff(rows[:, 2])
    first_new = int(rows[0, 2]) if len(rows) and bool((steps == 1).all()) else -1
    return Ranks(
        buckets=buckets,
        token_bits=token_bits,
        rest_bits=2 * token_bits - bits,
        rows=rows,
        grid=grid,
        byte_symbols=byte_symbols,
        char_symbols=char_symbols,
        nobody=tokens,
        first_new=first_new,
        ordered=int(ordered),
    )

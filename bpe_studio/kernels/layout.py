"""The pieces of a corpus as tokens, laid out for learning.

The pieces lie one after another in one array `symbols`, a place for every token that a piece has
at the start, and an empty place before, between and after them. A place holds a token's number
above, and the frequency of its piece in the lowest `weight_bits` bits, so that one cache line
says all that a merge has to know. A token that has been merged covers as many places as its parts
did; it stands at the first of them and, without frequency, at the last, so that the neighbours of
the token at p are at p - 1 and at p + its length. Places also order occurrences as the corpus
first shows them.

Here tokens are numbered from 1: `NONE` is an empty place.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

NONE = 0


class Pieces(NamedTuple):
    """The corpus.

    A frequency that fills all of its bits, or more, is found in `heavy_weights` instead, by the
    piece's first place in `heavy_places` (ascending). `lengths` (in places) and `ids` are indexed
    by token number.
    """

    symbols: NDArray[np.uint32]
    weight_bits: int
    heavy_places: NDArray[np.int64]
    heavy_weights: NDArray[np.int64]
    lengths: NDArray[np.int64]
    ids: NDArray[np.int64]


@njit(nogil=True, cache=True)
def lay_out(pieces, parts, offsets, weights, first, last, numbers, frequencies):
    """Lays out pieces `first` … `last` - 1.

    Parameters
    ----------
    parts, offsets : the pieces' bytes or tokens, one after another, and where each begins
    weights : int64, the frequency of every piece
    numbers : int64, the token number of every byte or token
    frequencies : int64
        ``frequencies[w]`` grows by the pieces of two or more tokens with the frequency w; the last
        field stands for all above.
    """
    symbols, bits = pieces.symbols, pieces.weight_bits
    full = (np.int64(1) << bits) - 1
    for piece in range(first, last):
        begin, end = offsets[piece], offsets[piece + 1]
        weight = weights[piece]
        if end - begin > 1:
            frequencies[min(weight, len(frequencies) - 1)] += 1
        # An empty place stands before every piece.
        shift = piece + 1
        for i in range(begin, end):
            symbols[i + shift] = (numbers[parts[i]] << bits) | min(weight, full)
        symbols[end + shift] = NONE


# What is asked of every place takes arrays: to take one out of a NamedTuple counts a reference.


@njit(nogil=True, cache=True, forceinline=True)
def token_at(symbols, bits, place):
    return np.int64(symbols[place]) >> bits


@njit(nogil=True, cache=True, forceinline=True)
def weight_at(symbols, bits, heavy_places, heavy_weights, place):
    """The frequency of the piece in which a token begins at `place`."""
    full = (np.int64(1) << bits) - 1
    weight = np.int64(symbols[place]) & full
    return weight if weight < full else _heavy_weight(heavy_places, heavy_weights, place)


@njit(nogil=True, cache=True)
def _heavy_weight(heavy_places, heavy_weights, place):
    """The weight of the last heavy piece that begins at `place` or before."""
    low, high = 0, len(heavy_places)
    while high - low > 1:
        middle = (low + high) >> 1
        if heavy_places[middle] <= place:
            low = middle
        else:
            high = middle
    return heavy_weights[low]


@njit(nogil=True, cache=True)
def any_pair(pieces):
    """Whether any piece still has two tokens."""
    symbols, bits, lengths = pieces.symbols, pieces.weight_bits, pieces.lengths
    place = 0
    while place < len(symbols):
        token = token_at(symbols, bits, place)
        if token == NONE:
            place += 1
            continue
        place += lengths[token]
        if token_at(symbols, bits, place) != NONE:
            return True
    return False

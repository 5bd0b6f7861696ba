"""Which pairs the rules of a training allow.

Two rules are on the bytes of the parts. `sizes` has the length of every token in bytes, `shapes`
what it is as UTF-8: where an automaton that reads characters ends, whatever state it begins in. So
what two tokens make together follows from theirs alone.

The third is on documents: a pair must stand in so many of them. A frequent piece is in enough, and
then so is each of its pairs; the documents of the others are listed, and united as far as needed.
What documents a pair has can only become fewer, as its places do: what is refused once is refused
for ever.

Token numbers begin at 1, as in `layout`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bpe_studio.kernels.layout import token_at

_LOW = np.int64(0xFFFFFFFF)
# States of the automaton: between characters; so many continuations are missing; the second byte
# after E0, ED, F0, F4, which bounds it; and no UTF-8.
_WHOLE, _ONE, _TWO, _THREE, _E0, _ED, _F0, _F4, _NEVER = 0, 1, 2, 3, 4, 5, 6, 7, 8
STATES = 8
# In a shape: a character ended, and another one began, inside the token.
_CROSSED = 16
_STATE = 15


class Limits(NamedTuple):
    """The rules, and what is known of tokens and pieces.

    Attributes
    ----------
    whole : bool
        Only whole characters, or the beginning of one.
    longest : int
        Bytes of a token, or 0 for any number.
    floor : int
        Documents that must have a pair; 1 asks nothing.
    sizes : int64, by token number
    shapes : uint8
        `STATES` for each token number.
    starts : int64, ascending
        The place where each piece begins.
    offsets : int64, documents : uint32
        ``documents[offsets[p] : offsets[p + 1]]`` are those of piece p, some of them maybe twice;
        none where a piece is in enough.
    stamps : int32, by document
        The last question that has met it.
    asked : int64, one
        How many questions there were.
    """

    whole: bool
    longest: int
    floor: int
    sizes: NDArray[np.int64]
    shapes: NDArray[np.uint8]
    starts: NDArray[np.int64]
    offsets: NDArray[np.int64]
    documents: NDArray[np.uint32]
    stamps: NDArray[np.int32]
    asked: NDArray[np.int64]


# Characters


@njit(nogil=True, cache=True)
def _begun(byte):
    """The state after a byte between characters."""
    if byte < 0x80:
        return _WHOLE
    if byte < 0xC2 or byte > 0xF4:
        return _NEVER
    if byte < 0xE0:
        return _ONE
    if byte < 0xF0:
        return _E0 if byte == 0xE0 else _ED if byte == 0xED else _TWO
    return _F0 if byte == 0xF0 else _F4 if byte == 0xF4 else _THREE


@njit(nogil=True, cache=True)
def _next(state, byte):
    if state == _WHOLE:
        return _begun(byte)
    if state == _NEVER or byte & 0xC0 != 0x80:
        return _NEVER
    if state <= _THREE:
        return state - 1
    if state == _E0:
        return _ONE if byte >= 0xA0 else _NEVER
    if state == _ED:
        return _ONE if byte < 0xA0 else _NEVER
    if state == _F0:
        return _TWO if byte >= 0x90 else _NEVER
    return _TWO if byte < 0x90 else _NEVER


@njit(nogil=True, cache=True)
def describe(data, offsets, sizes, shapes):
    """Fills in sizes and shapes of the tokens ``data[offsets[k] : offsets[k + 1]]``, from 1 on."""
    for k in range(len(offsets) - 1):
        begin, end = offsets[k], offsets[k + 1]
        sizes[k + 1] = end - begin
        for first in range(STATES):
            state, crossed = first, 0
            for i in range(begin, end):
                if state == _WHOLE and i > begin:
                    crossed = _CROSSED
                state = _next(state, data[i])
            shapes[(k + 1) * STATES + first] = state | crossed


@njit(nogil=True, cache=True)
def _together(shapes, left, right, first):
    """The shape of two tokens, from a state on."""
    shape = np.int64(shapes[left * STATES + first])
    state, crossed = shape & _STATE, shape & _CROSSED
    if state == _NEVER:
        return shape
    if state == _WHOLE:
        crossed = _CROSSED
    return np.int64(shapes[right * STATES + state]) | crossed


@njit(nogil=True, cache=True)
def _keeps_characters(shapes, left, right):
    shape = _together(shapes, left, right, _WHOLE)
    return shape & _STATE == _WHOLE or (shape & _STATE != _NEVER and shape & _CROSSED == 0)


@njit(nogil=True, cache=True)
def note_token(limits, left, right, new):
    """Takes note of what a merge has made."""
    sizes, shapes = limits.sizes, limits.shapes
    if len(sizes):
        sizes[new] = sizes[left] + sizes[right]
    if len(shapes):
        for first in range(STATES):
            shapes[new * STATES + first] = _together(shapes, left, right, first)


# Documents


@njit(nogil=True, cache=True)
def _piece_at(starts, place, piece):
    """The piece that a place is in, which is `piece` or a later one."""
    low, step = piece, 1
    while low + step < len(starts) and starts[low + step] <= place:
        low += step
        step *= 2
    high = min(low + step, len(starts))
    while high - low > 1:
        middle = (low + high) >> 1
        if starts[middle] <= place:
            low = middle
        else:
            high = middle
    return low


@njit(nogil=True, cache=True)
def _has_documents(pieces, pairs, row, left, right, limits):
    """Whether enough documents have a pair, and how many places and documents were looked at."""
    symbols, bits, lists = pieces.symbols, pieces.weight_bits, pairs.lists
    starts, offsets, documents = limits.starts, limits.offsets, limits.documents
    stamps, floor = limits.stamps, limits.floor
    limits.asked[0] += 1
    stamp = limits.asked[0]
    begin, end = pairs.rows[row].begin, pairs.rows[row].begin + pairs.rows[row].length
    length = pieces.lengths[left]
    piece, last = np.int64(0), np.int64(-1)
    found, met = np.int64(0), np.int64(0)
    for k in range(begin, end):
        place = np.int64(lists[k])
        if token_at(symbols, bits, place) != left:
            continue
        if token_at(symbols, bits, place + length) != right:
            continue
        piece = _piece_at(starts, place, piece)
        if piece == last:
            continue
        last = piece
        if offsets[piece] == offsets[piece + 1]:
            return True, k + 1 - begin + met
        met += offsets[piece + 1] - offsets[piece]
        for i in range(offsets[piece], offsets[piece + 1]):
            document = np.int64(documents[i])
            if stamps[document] != stamp:
                stamps[document] = stamp
                found += 1
                if found >= floor:
                    return True, k + 1 - begin + met
    return False, end - begin + met


@njit(nogil=True, cache=True)
def is_allowed(pieces, pairs, row, limits):
    """Whether a pair may be merged, and how many places and documents were looked at to know."""
    key = pairs.table[pairs.rows[row].slot].key
    left, right = key >> 32, key & _LOW
    if limits.longest > 0 and limits.sizes[left] + limits.sizes[right] > limits.longest:
        return False, np.int64(0)
    if limits.whole and not _keeps_characters(limits.shapes, left, right):
        return False, np.int64(0)
    if limits.floor > 1:
        return _has_documents(pieces, pairs, row, left, right, limits)
    return True, np.int64(0)

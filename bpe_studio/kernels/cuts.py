"""Pieces in order → where the tokens of several tables end in a text."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bpe_studio.kernels.count import GROUP, count_group, has_room
from bpe_studio.kernels.machine import borrowed, load64, prefetch, put64
from bpe_studio.kernels.scan import scan

# A distinct piece under one table: where its tokens begin in `Pieces.lengths`, its uses, its bytes
# and tokens; and, of the first 8 bytes, a 1 in each that ends a token.
ROW = np.dtype(
    [
        ("start", np.int64),
        ("uses", np.int64),
        ("size", np.int32),
        ("tokens", np.int32),
        ("ends", np.uint64),
    ]
)
# What `number_texts` says when it returns.
DONE, NEEDS_ROOM = 0, 1
# No piece is cut.
NO_CAP = np.int64(1 << 60)
_AHEAD = 8


class Pieces(NamedTuple):
    """The tokens of distinct pieces under one table.

    Attributes
    ----------
    rows : ROW array, one a piece
    tokens : int32 array
        Dense.
    lengths : int32 array
        The bytes of each.
    """

    rows: NDArray[np.void]
    tokens: NDArray[np.int32]
    lengths: NDArray[np.int32]


@njit(nogil=True, cache=True)
def number_texts(data, texts, state, rules, ends, table, scratch, numbers, borders):
    """Scans texts that stand one after another, and writes the number of every piece, in order.

    Parameters
    ----------
    data : uint8, with padding after the last text
    texts : int64, where they end
    state : int64, of three
        The text and the position to begin with, and the pieces written so far; moved on.
    rules : of the scanner
    ends : int64
        Room for a batch.
    table, scratch : as of `count.count_pieces`
    numbers : int32, with room for a piece a byte
    borders : int64, shape (texts + 1,)
        Text i has the pieces ``numbers[borders[i] : borders[i + 1]]``.

    Returns
    -------
    DONE, or NEEDS_ROOM: to be called again with a larger table.
    """
    index, position, filled = state[0], state[1], state[2]
    while index < len(texts):
        end = texts[index]
        while position < end:
            n, after = scan(data, position, end, rules, ends)
            if not has_room(table, n, after - position, NO_CAP):
                return NEEDS_ROOM
            filled = _number(data, position, ends, n, table, scratch, numbers, filled)
            position = after
            state[1], state[2] = position, filled
        index += 1
        state[0] = index
        borders[index] = filled
    return DONE


@njit(nogil=True, cache=True)
def number_pieces(data, ends, n, table, scratch, numbers):
    """The number of each of `n` pieces that end at `ends`; False where they have no room."""
    if n == 0:
        return True
    if not has_room(table, n, ends[n - 1], NO_CAP):
        return False
    _number(data, np.int64(0), ends, n, table, scratch, numbers, np.int64(0))
    return True


@njit(nogil=True, cache=True)
def _number(data, begin, ends, n, table, scratch, numbers, filled):
    """Writes the numbers of `n` pieces from ``numbers[filled]`` on; the new number of them."""
    for group in range(0, n, GROUP):
        last = min(n, group + GROUP)
        count_group(data, begin, ends, group, last, NO_CAP, np.int64(1), table, scratch)
        for i in range(last - group):
            numbers[filled] = np.int32(scratch[3 * i + 2])
            filled += 1
        begin = ends[last - 1]
    return filled


@njit(nogil=True, cache=True)
def mark_ends(numbers, borders, texts, pieces, ends, tokens):
    """Marks where tokens end, counts them, and counts the uses of the pieces.

    Parameters
    ----------
    numbers, borders, texts : as of `number_texts`
    pieces : Pieces
    ends : uint8, zero, with room for 8 more
        Set to 1 at the last byte of every token.
    tokens : int64, one a text
        Set to its number of tokens.
    """
    numbers, ends = borrowed(numbers), borrowed(ends)
    rows, lengths = borrowed(pieces.rows), borrowed(pieces.lengths)
    place = np.int64(0)
    for text in range(len(texts)):
        count = np.int64(0)
        last = borders[text + 1] - 1
        for i in range(borders[text], borders[text + 1]):
            prefetch(rows, np.int64(numbers[min(i + _AHEAD, last)]))
            row = rows[numbers[i]]
            row.uses += 1
            size = np.int64(row.size)
            if size <= 8:
                put64(ends, place, load64(ends, place) | row.ends)
            else:
                _mark_long(ends, place, lengths, row.start, row.tokens)
            place += size
            count += np.int64(row.tokens)
        tokens[text] = count
        place = texts[text]


@njit(nogil=True, cache=True)
def _mark_long(ends, place, lengths, start, tokens):
    for k in range(start, start + tokens):
        place += lengths[k]
        ends[place - 1] = np.uint8(1)


@njit(nogil=True, cache=True)
def add_final(pieces, number, final):
    """Adds the uses of the tokens of the first `number` pieces."""
    rows, tokens = pieces.rows, pieces.tokens
    for i in range(number):
        for k in range(rows[i].start, rows[i].start + rows[i].tokens):
            final[tokens[k]] += rows[i].uses


@njit(nogil=True, cache=True)
def add_rows(pieces, first, begin, offsets):
    """Sets the rows of pieces from `first` on, whose tokens stand from `begin` on.

    Parameters
    ----------
    offsets : int64, where each of the pieces begins and the last ends, in bytes
    """
    rows, lengths = pieces.rows, pieces.lengths
    k = np.int64(begin)
    for i in range(len(offsets) - 1):
        row = rows[first + i]
        size = offsets[i + 1] - offsets[i]
        row.start = k
        row.size = np.int32(size)
        row.ends = np.uint64(0)
        at = np.int64(0)
        while at < size:
            at += lengths[k]
            if at <= 8:
                row.ends |= np.uint64(1) << np.uint64(8 * (at - 1))
            k += 1
        row.tokens = np.int32(k - row.start)

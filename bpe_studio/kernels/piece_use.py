"""Texts → which distinct pieces each has, how often, and where first.

Pieces are looked up in a table of `count`, where each has a number; what is known of a document is
a few rows, one for each of its distinct pieces.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from bpe_studio.kernels.count import (
    _HIGH_MASK,
    _LENGTH_SHIFT,
    _LOW_MASK,
    _ONE,
    COUNT,
    ENTRIES,
    ENTRY_WORDS,
    GROUP,
    LONG,
    MAX_PACKED,
    _append,
    _keep,
    find_long,
    find_packed,
    has_room,
    hash_bytes,
)
from bpe_studio.kernels.machine import load64, mix, prefetch
from bpe_studio.kernels.scan import scan

# A piece of a document: its number, how often it is there, and where it begins first.
USE = np.dtype([("piece", np.int64), ("count", np.int64), ("place", np.int64)])
# What `use_texts` says when it returns.
DONE, NEEDS_ROOM = 0, 1
# No piece is cut: what is longer than a run of text is kept as it is.
_NO_CAP = np.int64(1 << 60)


@njit(nogil=True, cache=True)
def _number_pieces(data, begin, ends, n, table, scratch, numbers):
    """Counts pieces, and writes their numbers; see `count.count_pieces`."""
    slots, bits, entries, arena = table.slots, table.bits, table.entries, table.arena
    used = table.used
    shift = np.uint64(64 - bits)
    mask = np.uint32((1 << (bits - 1)) - 1)
    for first in range(0, n, GROUP):
        last = min(n, first + GROUP)
        start = begin
        at = 0
        for i in range(first, last):
            end = ends[i]
            length = end - start
            if length <= MAX_PACKED:
                low = load64(data, start) & _LOW_MASK[length]
                high = load64(data, start + 8) & _HIGH_MASK[length]
                high |= np.uint64(length) << _LENGTH_SHIFT
                value = mix(low, high)
            else:
                low = value = hash_bytes(data, start, end)
                high = LONG
            scratch[at] = low
            scratch[at + 1] = high
            scratch[at + 2] = value
            prefetch(slots, np.int64(value >> shift))
            at += 3
            start = end
        for i in range(2, at, 3):
            held = slots[np.int64(scratch[i] >> shift)]
            prefetch(entries, (np.int64(held & mask) - 1) * ENTRY_WORDS)
        at = 0
        for i in range(first, last):
            end = ends[i]
            low, high, value = scratch[at], scratch[at + 1], scratch[at + 2]
            at += 3
            if high < LONG:
                number = find_packed(slots, bits, entries, low, high, value)
            else:
                number = find_long(slots, bits, entries, arena, value, data, begin, end)
                if number < 0:
                    high |= np.uint64(_keep(arena, used, data, begin, end))
            if number < 0:
                number = _append(slots, bits, entries, used, ~number, low, high, value)
            entries[number * ENTRY_WORDS + COUNT] += _ONE
            numbers[i] = number
            begin = end


@njit(nogil=True, cache=True)
def use_texts(data, texts, state, rules, ends, numbers, table, scratch, last_in, uses, borders):
    """Scans texts that stand one after another, and notes their pieces.

    Parameters
    ----------
    data : uint8, with padding after the last text
    texts : int64, where they end
    state : int64, of two
        The text and the position to begin with; moved on.
    rules : of the scanner
    ends, numbers : int64 and int32, as long
        Room for a batch.
    table : count.Table
    last_in : int64, with room for all pieces
        The row of `uses` where each was noted last, plus 1; 0 for none.
    uses : USE, with room for a row for every piece of the texts
    borders : int64, shape (texts + 1,)
        Text i has the rows ``uses[borders[i] : borders[i + 1]]``.

    Returns
    -------
    DONE, or NEEDS_ROOM: to be called again with a larger table.
    """
    index, position = state[0], state[1]
    while index < len(texts):
        end = texts[index]
        first = borders[index]
        while position < end:
            n, after = scan(data, position, end, rules, ends)
            room = table.used[ENTRIES] + n <= len(last_in)
            if not has_room(table, n, after - position, _NO_CAP) or not room:
                return NEEDS_ROOM
            _number_pieces(data, position, ends, n, table, scratch, numbers)
            filled = borders[index + 1]
            begin = position
            for i in range(n):
                number = np.int64(numbers[i])
                row = last_in[number] - 1
                # A row of an earlier call may be anybody's now.
                if row >= first and row < filled and uses[row].piece == number:
                    uses[row].count += 1
                else:
                    uses[filled].piece = number
                    uses[filled].count = 1
                    uses[filled].place = begin
                    filled += 1
                    last_in[number] = filled
                begin = ends[i]
            borders[index + 1] = filled
            position = after
            state[1] = position
        index += 1
        state[0] = index
        if index < len(texts):
            borders[index + 1] = borders[index]
    return DONE

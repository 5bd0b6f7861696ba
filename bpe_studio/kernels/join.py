"""Tables that were counted apart → one list of pieces, as if one thread had counted it all.

Runs of text were handed to the tables in order, so each table's entries stand in the order of the
text, and those of one run stand together. First every piece that two tables have is given to the
one that saw it first; then the entries that are left, run by run, are in first-seen order.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from bpe_studio.kernels.count import (
    COUNT,
    ENTRY_WORDS,
    GROUP,
    HEAD,
    HIGH,
    LONG,
    PLACE,
    find_long,
    find_packed,
    hash_of_key,
)
from bpe_studio.kernels.machine import load64, prefetch, put64

# Bytes that `write` may write after the last piece.
SLACK = 16

# In place of the count of a piece that was given away: this bit, a table and an entry there.
_GIVEN = np.uint64(1 << 63)
_TABLE_SHIFT = np.uint64(32)
_ENTRY = np.uint64((1 << 32) - 1)
_LENGTH_SHIFT = np.uint64(56)


@njit(nogil=True, cache=True, inline="always")
def _length_of(entries, arena, place):
    high = entries[place + HIGH]
    if high < LONG:
        return np.int64(high >> _LENGTH_SHIFT)
    return np.int64(load64(arena, np.int64(high & PLACE)))


@njit(nogil=True, cache=True)
def unite(mine, mine_number, first, last, other, other_number, earlier):
    """Looks up the pieces of entries `first` to `last` of one table in another one.

    Parameters
    ----------
    mine, other : Table
    mine_number, other_number : what to call them in entries that are given away
    earlier : how many entries the other table had when the run of these began
    """
    entries, arena = mine.entries, mine.arena
    slots, bits, others = other.slots, other.bits, other.entries
    other_arena = other.arena
    values = np.empty(GROUP, dtype=np.uint64)
    shift = np.uint64(64 - bits)
    mask = np.uint32((1 << (bits - 1)) - 1)
    mine_called = _GIVEN | (np.uint64(mine_number) << _TABLE_SHIFT)
    other_called = _GIVEN | (np.uint64(other_number) << _TABLE_SHIFT)
    for begin in range(first, last, GROUP):
        end = min(last, begin + GROUP)
        for number in range(begin, end):
            place = number * ENTRY_WORDS
            value = hash_of_key(entries[place], entries[place + HIGH])
            values[number - begin] = value
            prefetch(slots, np.int64(value >> shift))
        for i in range(end - begin):
            held = slots[np.int64(values[i] >> shift)]
            prefetch(others, (np.int64(held & mask) - 1) * ENTRY_WORDS)
        for number in range(begin, end):
            place = number * ENTRY_WORDS
            if entries[place + COUNT] >= _GIVEN:
                continue
            low, high = entries[place], entries[place + HIGH]
            value = values[number - begin]
            if high < LONG:
                found = find_packed(slots, bits, others, low, high, value)
            else:
                start = np.int64(high & PLACE)
                length = np.int64(load64(arena, start))
                start += HEAD
                found = find_long(
                    slots, bits, others, other_arena, value, arena, start, start + length,
                )  # fmt: skip
            if found < 0:
                continue
            theirs = found * ENTRY_WORDS
            if others[theirs + COUNT] >= _GIVEN:
                continue
            if found < earlier:
                others[theirs + COUNT] += entries[place + COUNT]
                entries[place + COUNT] = other_called | np.uint64(found)
            else:
                entries[place + COUNT] += others[theirs + COUNT]
                others[theirs + COUNT] = mine_called | np.uint64(number)


@njit(nogil=True, cache=True)
def measure(table, first, last):
    """How many pieces of a range were not given away, and their bytes in all."""
    entries, arena = table.entries, table.arena
    pieces = size = 0
    for number in range(first, last):
        place = number * ENTRY_WORDS
        if entries[place + COUNT] < _GIVEN:
            pieces += 1
            size += _length_of(entries, arena, place)
    return pieces, size


@njit(nogil=True, cache=True)
def write(table, first, last, data, offsets, counts, piece):
    """Appends the pieces of a range that were not given away; the next piece.

    `data` has `SLACK` bytes more than the pieces need. Where documents are counted, entries keep
    the number of their piece in place of the count.
    """
    entries, arena, noting = table.entries, table.arena, len(table.seen_in) > 0
    at = offsets[piece]
    for number in range(first, last):
        place = number * ENTRY_WORDS
        count = entries[place + COUNT]
        if count >= _GIVEN:
            continue
        high = entries[place + HIGH]
        length = _length_of(entries, arena, place)
        if high < LONG:
            put64(data, at, entries[place])
            put64(data, at + 8, high)
        else:
            start = np.int64(high & PLACE) + HEAD
            for i in range(length):
                data[at + i] = arena[start + i]
        at += length
        counts[piece] = count
        if noting:
            entries[place + COUNT] = np.uint64(piece)
        piece += 1
        offsets[piece] = at
    return piece


@njit(nogil=True, cache=True)
def resolve(mine, first, last, other, other_number):
    """Puts the number of the piece into entries that were given to the other table.

    Returns how many of the range are still given to a table, this or another.
    """
    entries, others = mine.entries, other.entries
    left = 0
    for number in range(first, last):
        place = number * ENTRY_WORDS + COUNT
        given = entries[place]
        if given < _GIVEN:
            continue
        if (given ^ _GIVEN) >> _TABLE_SHIFT == np.uint64(other_number):
            theirs = np.int64(given & _ENTRY) * ENTRY_WORDS + COUNT
            entries[place] = others[theirs]
        left += entries[place] >= _GIVEN
    return left

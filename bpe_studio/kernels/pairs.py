"""The pairs of adjacent tokens: their exact counts, where they stand, and which is next.

Every pair that may still be chosen has an entry in `table`, found by hash, with its count; and a
row with the list of places where it stood when the list was made. Lists only go stale (a place is
checked before it is used).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bpe_studio.kernels.layout import NONE, token_at, weight_at
from bpe_studio.kernels.machine import prefetch
from bpe_studio.kernels.queue import HEAP, PILE, Queue, drop_top, put, refill, replace_top

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_LOW = np.int64(0xFFFFFFFF)
# A pair and its count side by side: lowering a count touches one cache line. A key of 0 is an
# empty slot, since token numbers begin at 1.
COUNTED = np.dtype([("key", np.int64), ("count", np.int64)])
# Where a pair is in `table`, and its list: ``lists[begin : begin + length]``.
ROW = np.dtype([("slot", np.int64), ("begin", np.int64), ("length", np.int64)])
# Fields of `Pairs.used`.
ROWS, LISTS = 0, 1
# What a kernel says when it returns.
DONE, MORE, NEED_PAIRS, NEED_LISTS, EXHAUSTED = 0, 1, 2, 3, 4
FIRST_SEEN, SMALLEST_IDS = 0, 1


class Pairs(NamedTuple):
    """`table` of COUNTED, `rows` of ROW; `used` tells how many rows, and how much of `lists`."""

    table: NDArray[np.void]
    shift: int
    rows: NDArray[np.void]
    queue: Queue
    lists: NDArray[np.int32]
    used: NDArray[np.int64]


# The table


@njit(nogil=True, cache=True, forceinline=True)
def key_of(left, right):
    return (np.int64(left) << 32) | np.int64(right)


@njit(nogil=True, cache=True, forceinline=True)
def slot_of(table, shift, key):
    """The slot that holds `key`, or the empty one where it would go."""
    mask = len(table) - 1
    slot = np.int64((np.uint64(key) * _MULTIPLIER) >> np.uint64(shift))
    while table[slot].key != key and table[slot].key != 0:
        slot = (slot + 1) & mask
    return slot


@njit(nogil=True, cache=True, forceinline=True)
def lower(table, shift, key, amount):
    """Lowers the count of a pair, if it is known."""
    slot = slot_of(table, shift, key)
    if table[slot].key != 0:
        table[slot].count -= amount


@njit(nogil=True, cache=True, forceinline=True)
def add_pair(table, shift, rows, used, key, count, places):
    """Enters a pair, with room for the list of its places; returns its row."""
    slot = slot_of(table, shift, key)
    table[slot].key = key
    table[slot].count = count
    row = used[ROWS]
    rows[row].slot = slot
    rows[row].begin = used[LISTS]
    rows[row].length = places
    used[ROWS] += 1
    used[LISTS] += places
    return row


@njit(nogil=True, cache=True)
def rehash(table, rows, used, new_table, new_shift):
    """Enters the pairs of all rows into a larger table."""
    for row in range(used):
        pair = table[rows[row].slot]
        slot = slot_of(new_table, new_shift, pair.key)
        new_table[slot].key = pair.key
        new_table[slot].count = pair.count
        rows[row].slot = slot


# The first count


@njit(nogil=True, cache=True)
def count_pairs(pieces, table, shift, places, found, begin, end):
    """Counts the pairs that begin at `begin` … `end` - 1, while all tokens cover one place.

    ``places[slot]`` counts the occurrences of a pair and its count their weights.

    Returns
    -------
    (int, int)
        The number of pairs found in all, and `end`; or an earlier place where the table must grow.
    """
    symbols, bits = pieces.symbols, pieces.weight_bits
    heavy_places, heavy_weights = pieces.heavy_places, pieces.heavy_weights
    left = token_at(symbols, bits, begin)
    for place in range(begin, end):
        right = token_at(symbols, bits, place + 1)
        if left != NONE and right != NONE:
            key = key_of(left, right)
            slot = slot_of(table, shift, key)
            if table[slot].key == 0:
                if 2 * found >= len(table):
                    return found, place
                table[slot].key = key
                found += 1
            table[slot].count += weight_at(symbols, bits, heavy_places, heavy_weights, place)
            places[slot] += 1
        left = right
    return found, end


@njit(nogil=True, cache=True)
def add_counts(table, places, to_table, to_places, to_shift):
    """Adds what was counted in one table to another."""
    for slot in range(len(table)):
        if table[slot].key != 0:
            to = slot_of(to_table, to_shift, table[slot].key)
            to_table[to].key = table[slot].key
            to_table[to].count += table[slot].count
            to_places[to] += places[slot]


@njit(nogil=True, cache=True)
def measure(table, places, min_count):
    """How many pairs are frequent enough to be chosen, and their places in all."""
    frequent, room = 0, np.int64(0)
    for slot in range(len(table)):
        if table[slot].count >= min_count:
            frequent += 1
            room += places[slot]
    return frequent, room


@njit(nogil=True, cache=True)
def enter_frequent(table, places, min_count, pairs, begins):
    """Gives every pair that may be chosen a row; ``begins[slot]`` is where its list begins."""
    new_table, shift, rows, used = pairs.table, pairs.shift, pairs.rows, pairs.used
    for old in range(len(table)):
        if table[old].count >= min_count:
            key, count = table[old].key, table[old].count
            row = add_pair(new_table, shift, rows, used, key, count, places[old])
            begins[rows[row].slot] = rows[row].begin


@njit(nogil=True, cache=True)
def allot(table, places, pairs, begins, cursors):
    """Gives the pairs of one share of the pieces their part of the lists, and moves `begins`."""
    new_table, shift = pairs.table, pairs.shift
    for old in range(len(table)):
        if table[old].key != 0:
            slot = slot_of(new_table, shift, table[old].key)
            cursors[slot] = begins[slot]
            begins[slot] += places[old]


@njit(nogil=True, cache=True)
def fill_lists(pieces, pairs, cursors, begin, end):
    """Writes the places of the pairs that begin at `begin` … `end` - 1."""
    symbols, bits = pieces.symbols, pieces.weight_bits
    table, shift, lists = pairs.table, pairs.shift, pairs.lists
    left = token_at(symbols, bits, begin)
    for place in range(begin, end):
        right = token_at(symbols, bits, place + 1)
        if left != NONE and right != NONE:
            slot = slot_of(table, shift, key_of(left, right))
            if table[slot].key != 0:
                lists[cursors[slot]] = place
                cursors[slot] += 1
        left = right


# Which is next


@njit(nogil=True, cache=True)
def tie_of(pieces, pairs, ties, row):
    """What decides between equal counts; for first-seen, the first place that is still true."""
    symbols, bits, lists = pieces.symbols, pieces.weight_bits, pairs.lists
    this = pairs.rows[row]
    key = pairs.table[this.slot].key
    left, right = key >> 32, key & _LOW
    if ties == SMALLEST_IDS:
        return (pieces.ids[left] << 32) | pieces.ids[right]
    length = pieces.lengths[left]
    while this.length > 0:
        place = np.int64(lists[this.begin])
        stands = token_at(symbols, bits, place) == left
        if stands and token_at(symbols, bits, place + length) == right:
            return place
        this.begin += 1
        this.length -= 1
    return np.int64(len(symbols))


@njit(nogil=True, cache=True)
def fill_queue(pieces, pairs, ties):
    entries, sizes, bound = pairs.queue.entries, pairs.queue.sizes, pairs.queue.bound
    for row in range(pairs.used[ROWS]):
        count = pairs.table[pairs.rows[row].slot].count
        put(entries, sizes, bound, count, tie_of(pieces, pairs, ties, row), row)


@njit(nogil=True, cache=True)
def best_row(pieces, pairs, ties, min_count):
    """Re-keys the top until it is true; its row, or -1 when nothing is left to choose."""
    table, rows = pairs.table, pairs.rows
    entries, sizes, bound = pairs.queue.entries, pairs.queue.sizes, pairs.queue.bound
    while sizes[HEAP] + sizes[PILE] > 0:
        if sizes[HEAP] == 0:
            refill(entries, sizes, bound)
        row = entries[0].row
        count = table[rows[row].slot].count
        if count < min_count:
            drop_top(entries, sizes)
        elif entries[0].count == count:
            return row
        else:
            replace_top(entries, sizes, bound, count, tie_of(pieces, pairs, ties, row))
    return np.int64(-1)


# Rarer pairs come in no order that caches know: what the next merges will read is fetched while
# this one works. What is next is a guess, and a wrong one costs nothing.
_NEXT = 3


@njit(nogil=True, cache=True)
def fetch_rows(pairs):
    entries, rows = pairs.queue.entries, pairs.rows
    for i in range(min(_NEXT, pairs.queue.sizes[HEAP])):
        prefetch(rows, entries[i].row)


@njit(nogil=True, cache=True)
def fetch_lists(pairs):
    """After `fetch_rows`: fetches the counts and the beginnings of the lists."""
    entries, rows, table, lists = pairs.queue.entries, pairs.rows, pairs.table, pairs.lists
    for i in range(min(_NEXT, pairs.queue.sizes[HEAP])):
        this = rows[entries[i].row]
        prefetch(table, this.slot)
        prefetch(lists, this.begin)


@njit(nogil=True, cache=True)
def fetch_places(pieces, pairs):
    """After `fetch_lists`: fetches the first places of the lists."""
    entries, rows, lists, symbols = pairs.queue.entries, pairs.rows, pairs.lists, pieces.symbols
    for i in range(min(_NEXT, pairs.queue.sizes[HEAP])):
        this = rows[entries[i].row]
        for k in range(this.begin, this.begin + min(this.length, 8)):
            prefetch(symbols, np.int64(lists[k]))

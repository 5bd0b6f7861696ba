"""The pairs of adjacent tokens: their exact counts, where they stand, and which is next.

Every pair whose count may still be chosen has a row: left, right, count, and a list of the
positions where it stood when the list was made. Lists only go stale (a position is checked before
it is used), counts of old pairs only fall, and their first occurrence only moves later; so a heap
with stale keys is enough: its top is re-keyed and sifted until it is true.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bpe_studio.kernels.encode import slot_of

# Columns of `Pairs.rows`.
LEFT, RIGHT, COUNT, LIST, LENGTH = 0, 1, 2, 3, 4
PAIR_COLUMNS = 5
# Columns of `Pairs.heap`.
KEY_COUNT, KEY_TIE, ROW = 0, 1, 2
HEAP_COLUMNS = 3
# Fields of `Pairs.used`.
PAIRS, HEAP, LISTS = 0, 1, 2
# What a kernel says when it returns.
DONE, MORE, NEED_PAIRS, NEED_LISTS, EXHAUSTED = 0, 1, 2, 3, 4
FIRST_SEEN, SMALLEST_IDS = 0, 1


class Pieces(NamedTuple):
    """The corpus: `weights` holds the frequency of piece ``word[p]``; `lengths` and `ids` are
    indexed by token number."""

    symbols: NDArray[np.int32]
    word: NDArray[np.int32]
    weights: NDArray[np.int64]
    lengths: NDArray[np.int64]
    ids: NDArray[np.int64]


class Pairs(NamedTuple):
    """Open addressing (`keys`, `slots`) to `rows`; `lists` holds positions; `used` how much."""

    keys: NDArray[np.int64]
    slots: NDArray[np.int32]
    shift: int
    rows: NDArray[np.int64]
    heap: NDArray[np.int64]
    lists: NDArray[np.int32]
    used: NDArray[np.int64]


# The table of pairs


@njit(nogil=True, cache=True)
def row_of(pairs, left, right):
    """The row of a pair, or -1."""
    slot = slot_of(pairs.keys, pairs.shift, (np.int64(left) << 32) | np.int64(right))
    return np.int64(pairs.slots[slot]) if pairs.keys[slot] != -1 else np.int64(-1)


@njit(nogil=True, cache=True)
def find_or_add(pairs, left, right):
    key = (np.int64(left) << 32) | np.int64(right)
    slot = slot_of(pairs.keys, pairs.shift, key)
    if pairs.keys[slot] != -1:
        return np.int64(pairs.slots[slot])
    row = pairs.used[PAIRS]
    pairs.used[PAIRS] += 1
    pairs.keys[slot] = key
    pairs.slots[slot] = row
    pairs.rows[row, LEFT] = left
    pairs.rows[row, RIGHT] = right
    pairs.rows[row, COUNT] = 0
    pairs.rows[row, LIST] = -1
    pairs.rows[row, LENGTH] = 0
    return row


@njit(nogil=True, cache=True)
def rehash(keys, slots, new_keys, new_slots, shift):
    for i in range(len(keys)):
        if keys[i] != -1:
            slot = slot_of(new_keys, shift, keys[i])
            new_keys[slot] = keys[i]
            new_slots[slot] = slots[i]


@njit(nogil=True, cache=True)
def count_pairs(pieces, pairs, position, budget):
    """Counts adjacent pairs from `position` on; returns the next position and what is needed.

    LENGTH counts the occurrences, COUNT their weights.
    """
    symbols = pieces.symbols
    end = min(len(symbols), position + budget)
    while position < end:
        left = symbols[position]
        if left < 0:
            position += 1
            continue
        if pairs.used[PAIRS] >= len(pairs.rows):
            return position, NEED_PAIRS
        after = position + pieces.lengths[left]
        right = symbols[after]
        if right >= 0:
            row = find_or_add(pairs, left, right)
            pairs.rows[row, COUNT] += pieces.weights[pieces.word[position]]
            pairs.rows[row, LENGTH] += 1
        position = after
    return position, (MORE if position < len(symbols) else DONE)


@njit(nogil=True, cache=True)
def allot_lists(pairs, min_count):
    """Gives every pair that may be chosen the room for its list; returns the room in all."""
    total = np.int64(0)
    for row in range(pairs.used[PAIRS]):
        if pairs.rows[row, COUNT] >= min_count:
            pairs.rows[row, LIST] = total
            total += pairs.rows[row, LENGTH]
        pairs.rows[row, LENGTH] = 0
    pairs.used[LISTS] = total
    return total


@njit(nogil=True, cache=True)
def fill_lists(pieces, pairs, position, budget):
    """Writes the positions of every pair from `position` on; returns the next position."""
    symbols = pieces.symbols
    end = min(len(symbols), position + budget)
    while position < end:
        left = symbols[position]
        if left < 0:
            position += 1
            continue
        after = position + pieces.lengths[left]
        right = symbols[after]
        if right >= 0:
            row = row_of(pairs, left, right)
            if pairs.rows[row, LIST] >= 0:
                pairs.lists[pairs.rows[row, LIST] + pairs.rows[row, LENGTH]] = position
                pairs.rows[row, LENGTH] += 1
        position = after
    return position


# The heap: on top the largest count, and of equal counts the least tie


@njit(nogil=True, cache=True, inline="always")
def _wins(count_a, tie_a, count_b, tie_b):
    return count_a > count_b or (count_a == count_b and tie_a < tie_b)


@njit(nogil=True, cache=True, inline="always")
def _copy_entry(heap, source, target):
    heap[target, KEY_COUNT] = heap[source, KEY_COUNT]
    heap[target, KEY_TIE] = heap[source, KEY_TIE]
    heap[target, ROW] = heap[source, ROW]


@njit(nogil=True, cache=True, inline="always")
def _write_entry(heap, place, count, tie, row):
    heap[place, KEY_COUNT] = count
    heap[place, KEY_TIE] = tie
    heap[place, ROW] = row


@njit(nogil=True, cache=True)
def heap_push(pairs, count, tie, row):
    heap = pairs.heap
    i = pairs.used[HEAP]
    pairs.used[HEAP] += 1
    while i > 0:
        parent = (i - 1) >> 1
        if not _wins(count, tie, heap[parent, KEY_COUNT], heap[parent, KEY_TIE]):
            break
        _copy_entry(heap, parent, i)
        i = parent
    _write_entry(heap, i, count, tie, row)


@njit(nogil=True, cache=True)
def _heap_replace_top(pairs, count, tie, row):
    """Writes an entry at the top and lets it sink to its place."""
    heap = pairs.heap
    size = pairs.used[HEAP]
    i = 0
    while True:
        child = 2 * i + 1
        if child >= size:
            break
        if child + 1 < size and _wins(
            heap[child + 1, KEY_COUNT],
            heap[child + 1, KEY_TIE],
            heap[child, KEY_COUNT],
            heap[child, KEY_TIE],
        ):
            child += 1
        if not _wins(heap[child, KEY_COUNT], heap[child, KEY_TIE], count, tie):
            break
        _copy_entry(heap, child, i)
        i = child
    _write_entry(heap, i, count, tie, row)


@njit(nogil=True, cache=True)
def heap_drop_top(pairs):
    pairs.used[HEAP] -= 1
    n = pairs.used[HEAP]
    if n > 0:
        heap = pairs.heap
        _heap_replace_top(pairs, heap[n, KEY_COUNT], heap[n, KEY_TIE], heap[n, ROW])


@njit(nogil=True, cache=True)
def tie_of(pieces, pairs, ties, row):
    """What decides between equal counts; for first-seen, the first place that is still true."""
    rows = pairs.rows
    left = rows[row, LEFT]
    right = rows[row, RIGHT]
    if ties == SMALLEST_IDS:
        return (pieces.ids[left] << 32) | pieces.ids[right]
    while rows[row, LENGTH] > 0:
        p = np.int64(pairs.lists[rows[row, LIST]])
        if pieces.symbols[p] == left and pieces.symbols[p + pieces.lengths[left]] == right:
            return p
        rows[row, LIST] += 1
        rows[row, LENGTH] -= 1
    return np.int64(len(pieces.symbols))


@njit(nogil=True, cache=True)
def fill_heap(pieces, pairs, ties, min_count):
    pairs.used[HEAP] = 0
    for row in range(pairs.used[PAIRS]):
        if pairs.rows[row, COUNT] >= min_count:
            tie = tie_of(pieces, pairs, ties, row)
            heap_push(pairs, pairs.rows[row, COUNT], tie, np.int64(row))


@njit(nogil=True, cache=True)
def best_row(pieces, pairs, ties, min_count):
    """Re-keys the top until it is true; its row, or -1 when nothing is left to choose."""
    heap = pairs.heap
    while pairs.used[HEAP] > 0:
        row = heap[0, ROW]
        count = pairs.rows[row, COUNT]
        if count < min_count:
            heap_drop_top(pairs)
        elif heap[0, KEY_COUNT] == count:
            return row
        else:
            _heap_replace_top(pairs, count, tie_of(pieces, pairs, ties, row), row)
    return np.int64(-1)

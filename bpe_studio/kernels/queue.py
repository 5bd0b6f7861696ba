"""Which pair is next: a small heap of (count, tie, row) before a pile of all that comes later.

On top of the heap is the largest count, and of equal counts the least tie. Counts of old pairs
only fall, and their first occurrence only moves later; so entries may be stale, and the reader
re-keys the top until it is true.

Most pairs are rare and wait for long or for ever. They lie unordered on the pile, and when the
heap is empty about the best eighth of them moves to it; so the heap stays small enough for the
nearest caches. Heap and pile share one array, `entries`: the heap grows from its beginning, the
pile from its end. What is at least as good as `bound` belongs on the heap.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

ENTRY = np.dtype([("count", np.int64), ("tie", np.int64), ("row", np.int64)])
# Fields of `Queue.sizes`.
HEAP, PILE = 0, 1
_SAMPLE = 64
_SMALL_PILE = 1024


class Queue(NamedTuple):
    """`entries` and `bound` (a single one) of ENTRY; `sizes` of heap and pile."""

    entries: NDArray[np.void]
    sizes: NDArray[np.int64]
    bound: NDArray[np.void]


@njit(nogil=True, cache=True, forceinline=True)
def _wins(count, tie, entry):
    return count > entry.count or (count == entry.count and tie < entry.tie)


@njit(nogil=True, cache=True, forceinline=True)
def _write(entries, i, count, tie, row):
    entries[i].count = count
    entries[i].tie = tie
    entries[i].row = row


@njit(nogil=True, cache=True, forceinline=True)
def _copy(entries, source, target):
    _write(entries, target, entries[source].count, entries[source].tie, entries[source].row)


@njit(nogil=True, cache=True, forceinline=True)
def _push(entries, sizes, count, tie, row):
    i = sizes[HEAP]
    sizes[HEAP] += 1
    while i > 0:
        parent = (i - 1) >> 1
        if not _wins(count, tie, entries[parent]):
            break
        _copy(entries, parent, i)
        i = parent
    _write(entries, i, count, tie, row)


@njit(nogil=True, cache=True, forceinline=True)
def put(entries, sizes, bound, count, tie, row):
    """Adds an entry where it belongs."""
    if count < bound[0].count or (count == bound[0].count and tie > bound[0].tie):
        sizes[PILE] += 1
        _write(entries, len(entries) - sizes[PILE], count, tie, row)
    else:
        _push(entries, sizes, count, tie, row)


@njit(nogil=True, cache=True)
def _sink_top(entries, size, count, tie, row):
    """Writes an entry over the top of the heap and lets it sink to its place."""
    i = 0
    while True:
        child = 2 * i + 1
        if child >= size:
            break
        if child + 1 < size and _wins(
            entries[child + 1].count, entries[child + 1].tie, entries[child]
        ):
            child += 1
        if _wins(count, tie, entries[child]):
            break
        _copy(entries, child, i)
        i = child
    _write(entries, i, count, tie, row)


@njit(nogil=True, cache=True)
def drop_top(entries, sizes):
    """Takes the top off the heap."""
    last = sizes[HEAP] - 1
    sizes[HEAP] = last
    if last > 0:
        _sink_top(entries, last, entries[last].count, entries[last].tie, entries[last].row)


@njit(nogil=True, cache=True)
def replace_top(entries, sizes, bound, count, tie):
    """Gives the top another key, which is worse."""
    row = entries[0].row
    if count < bound[0].count or (count == bound[0].count and tie > bound[0].tie):
        drop_top(entries, sizes)
        put(entries, sizes, bound, count, tie, row)
    else:
        _sink_top(entries, sizes[HEAP], count, tie, row)


@njit(nogil=True, cache=True)
def refill(entries, sizes, bound):
    """Moves the best part of the pile to the empty heap."""
    _choose_bound(entries, sizes, bound)
    begin = len(entries) - sizes[PILE]
    for i in range(begin, len(entries)):
        count, tie, row = entries[i].count, entries[i].tie, entries[i].row
        if not _wins(bound[0].count, bound[0].tie, entries[i]):
            # The pile closes the gap with its first entry, which stays.
            _copy(entries, begin, i)
            begin += 1
            sizes[PILE] -= 1
            _push(entries, sizes, count, tie, row)


@njit(nogil=True, cache=True)
def _choose_bound(entries, sizes, bound):
    """The bound becomes the entry that is better than about seven eighths of the pile."""
    size = sizes[PILE]
    if size <= _SMALL_PILE:
        _write(bound, 0, 0, 0, 0)
        return
    sample = np.empty(_SAMPLE, np.int64)
    for k in range(_SAMPLE):
        place = len(entries) - size + k * (size // _SAMPLE)
        i = k
        while i > 0 and _wins(entries[place].count, entries[place].tie, entries[sample[i - 1]]):
            sample[i] = sample[i - 1]
            i -= 1
        sample[i] = place
    best = entries[sample[_SAMPLE // 8]]
    _write(bound, 0, best.count, best.tie, best.row)

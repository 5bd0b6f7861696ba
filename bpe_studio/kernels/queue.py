"""Which pair is next: a heap of (count, tie, row).

On top is the largest count, and of equal counts the least tie. Counts of old pairs only fall, and
their first occurrence only moves later; so entries may be stale, and the reader re-keys the top
until it is true.
"""

from __future__ import annotations

import numpy as np
from numba import njit

ENTRY = np.dtype([("count", np.int64), ("tie", np.int64), ("row", np.int64)])


@njit(nogil=True, cache=True, forceinline=True)
def _wins(count, tie, entry):
    return count > entry.count or (count == entry.count and tie < entry.tie)


@njit(nogil=True, cache=True, forceinline=True)
def _write(heap, i, count, tie, row):
    heap[i].count = count
    heap[i].tie = tie
    heap[i].row = row


@njit(nogil=True, cache=True, forceinline=True)
def _copy(heap, source, target):
    _write(heap, target, heap[source].count, heap[source].tie, heap[source].row)


@njit(nogil=True, cache=True)
def push(heap, size, count, tie, row):
    """Adds an entry to a heap of `size` entries."""
    i = size
    while i > 0:
        parent = (i - 1) >> 1
        if not _wins(count, tie, heap[parent]):
            break
        _copy(heap, parent, i)
        i = parent
    _write(heap, i, count, tie, row)


@njit(nogil=True, cache=True)
def replace_top(heap, size, count, tie, row):
    """Writes an entry over the top and lets it sink to its place."""
    i = 0
    while True:
        child = 2 * i + 1
        if child >= size:
            break
        if child + 1 < size and _wins(heap[child + 1].count, heap[child + 1].tie, heap[child]):
            child += 1
        if _wins(count, tie, heap[child]):
            break
        _copy(heap, child, i)
        i = child
    _write(heap, i, count, tie, row)


@njit(nogil=True, cache=True)
def drop_top(heap, size):
    """Removes the top of a heap of `size` entries."""
    last = size - 1
    if last > 0:
        replace_top(heap, last, heap[last].count, heap[last].tie, heap[last].row)

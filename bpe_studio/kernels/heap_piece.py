"""Merging a piece of any length under a table that is not ordered (see `Ranks`), one by one.

A join may make a pair of a lower rank than its own there, which comes next. So all pairs wait in
one heap.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from bpe_studio.kernels.machine import ONE, ZERO
from bpe_studio.kernels.nodes import RANK, join_pair, link, read_off
from bpe_studio.kernels.pair_heap import PLACE, add, fill, sink


@njit(nogil=True, cache=True)
def merge_by_heap(ranks, sym, n, weight, counts):
    """Merges ``sym[1 : n + 1]`` to ``sym[0:]``, at least one symbol; how many are left."""
    counting = len(counts.created) > 0
    nodes = np.empty((n, 4), np.int32)
    link(nodes, sym, ONE, n)
    # A join takes one entry away and adds at most two.
    heap = np.empty(2 * n, np.int64)
    size = fill(ranks, nodes, n, heap)
    while size > 0:
        rank, place = heap[0] >> 32, heap[0] & PLACE
        size -= 1
        sink(heap, size, ZERO, heap[size])
        if nodes[place, RANK] != rank:
            continue
        new = ranks.rows[rank, 2]
        previous = join_pair(nodes, place, new)
        size = add(ranks, nodes, heap, size, place)
        if previous >= 0:
            size = add(ranks, nodes, heap, size, np.int64(previous))
        if counting:
            counts.counted[rank] += weight
            counts.applied[rank] += weight
            counts.created[new] += weight
    return read_off(nodes, sym, np.empty(n, np.int32))

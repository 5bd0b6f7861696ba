"""Merging a piece of any length under a table that is not ordered (see `Ranks`), one by one.

A join may make a pair of a lower rank than its own there, which comes next. So all pairs wait in
one heap, with the leftmost of the lowest rank on top. What was put in stays there when its pair is
gone, and is passed over when it comes up.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from bpe_studio.kernels.machine import ONE, ZERO
from bpe_studio.kernels.nodes import RANK, find_rank, join_pair, link, read_off
from bpe_studio.kernels.ranks import NONE

_PLACE = np.int64(0xFFFFFFFF)


@njit(nogil=True, cache=True)
def merge_by_heap(ranks, sym, n, weight, counts):
    """Merges ``sym[1 : n + 1]`` to ``sym[0:]``, at least one symbol; how many are left."""
    counting = len(counts.created) > 0
    nodes = np.empty((n, 4), np.int32)
    link(nodes, sym, ONE, n)
    # A join takes one entry away and adds at most two.
    heap = np.empty(2 * n, np.int64)
    size = _fill(ranks, nodes, heap)
    while size > 0:
        rank, place = heap[0] >> 32, heap[0] & _PLACE
        size -= 1
        _sink(heap, size, ZERO, heap[size])
        if nodes[place, RANK] != rank:
            continue
        new = ranks.rows[rank, 2]
        previous = join_pair(nodes, place, new)
        size = _add(ranks, nodes, heap, size, place)
        if previous >= 0:
            size = _add(ranks, nodes, heap, size, np.int64(previous))
        if counting:
            counts.counted[rank] += weight
            counts.applied[rank] += weight
            counts.created[new] += weight
    return read_off(nodes, sym, np.empty(n, np.int32))


@njit(nogil=True, cache=True)
def _fill(ranks, nodes, heap):
    """Puts every pair into the heap; its size."""
    size = 0
    for place in range(len(nodes)):
        rank = find_rank(ranks, nodes, place)
        if rank != NONE:
            heap[size] = (np.int64(rank) << 32) | place
            size += 1
    for k in range(size // 2 - 1, -1, -1):
        _sink(heap, size, k, heap[k])
    return size


@njit(nogil=True, cache=True, inline="always")
def _add(ranks, nodes, heap, size, place):
    """Puts the pair at a place into the heap, if it has a rank; the new size."""
    rank = find_rank(ranks, nodes, place)
    if rank == NONE:
        return size
    key = (np.int64(rank) << 32) | place
    at = size
    while at > 0 and heap[(at - 1) >> 1] > key:
        heap[at] = heap[(at - 1) >> 1]
        at = (at - 1) >> 1
    heap[at] = key
    return size + 1


@njit(nogil=True, cache=True)
def _sink(heap, size, at, key):
    """Enters a key at a place of the heap or, where smaller ones are below it, under these."""
    while True:
        child = 2 * at + 1
        if child + 1 < size and heap[child + 1] < heap[child]:
            child += 1
        if child >= size or heap[child] >= key:
            break
        heap[at] = heap[child]
        at = child
    heap[at] = key

"""Pairs that wait to be joined, with the leftmost of the lowest rank on top: a binary heap.

An entry is ``rank << 32 | place``. What was put in stays there when its pair is gone, and is to be
passed over when it comes up.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from bpe_studio.kernels.nodes import find_rank
from bpe_studio.kernels.ranks import NONE

PLACE = np.int64(0xFFFFFFFF)


@njit(nogil=True, cache=True)
def fill(ranks, nodes, n, heap):
    """Puts every pair of the first `n` nodes into the heap; its size."""
    size = 0
    for place in range(n):
        rank = find_rank(ranks, nodes, place)
        if rank != NONE:
            heap[size] = (np.int64(rank) << 32) | place
            size += 1
    for k in range(size // 2 - 1, -1, -1):
        sink(heap, size, k, heap[k])
    return size


@njit(nogil=True, cache=True, inline="always")
def add(ranks, nodes, heap, size, place):
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
def sink(heap, size, at, key):
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

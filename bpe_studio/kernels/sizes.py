"""How many tokens pieces are under the first 0, 1, … merges, without a word on where."""

from __future__ import annotations

import numpy as np
from numba import njit

from bpe_studio.kernels.machine import ONE, ZERO, borrowed
from bpe_studio.kernels.nodes import RANK, join_pair, link
from bpe_studio.kernels.pair_heap import PLACE, add, fill, sink


@njit(nogil=True, cache=True)
def count_sizes(ranks, symbols, pieces, weights, wholes, first, enough, nodes, heap, gone):
    """Merges pieces from `first` on; see `trace.trace_pieces`.

    Parameters
    ----------
    symbols, pieces, nodes, heap, enough : as there
    weights : int64, one a piece
        How often each counts; those that count nothing are passed over.
    wholes : int32, one a piece
        How many merges it takes that the piece is taken whole; -1 for one that never is.
    gone : int64, shape (merges + 1,)
        Grows at k by the borders between base symbols that it takes k merges to lose.

    Returns
    -------
    int
        The piece where to go on.
    """
    ranks, symbols, pieces = borrowed(ranks), borrowed(symbols), borrowed(pieces)
    nodes, heap, gone = borrowed(nodes), borrowed(heap), borrowed(gone)
    i = first
    while i < len(pieces) - 1 and pieces[i] - pieces[first] < enough:
        begin, n, weight = pieces[i], pieces[i + 1] - pieces[i], weights[i]
        whole = np.int64(wholes[i])
        i += 1
        if n < 2 or weight == 0:
            continue
        left = n - 1
        largest = ZERO
        link(nodes, symbols, begin, n)
        waiting = fill(ranks, nodes, n, heap)
        while waiting > 0:
            rank, place = heap[0] >> 32, heap[0] & PLACE
            waiting -= 1
            sink(heap, waiting, ZERO, heap[waiting])
            if nodes[place, RANK] != rank:
                continue
            largest = max(largest, rank + ONE)
            if 0 <= whole <= largest:
                break
            previous = join_pair(nodes, place, ranks.rows[rank, 2])
            waiting = add(ranks, nodes, heap, waiting, place)
            if previous >= 0:
                waiting = add(ranks, nodes, heap, waiting, np.int64(previous))
            gone[largest] += weight
            left -= 1
        if whole >= 0:
            gone[whole] += left * weight
    return i

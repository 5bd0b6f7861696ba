"""Every merge of some pieces, in order of time, with its place: what explains a cut."""

from __future__ import annotations

import numpy as np
from numba import njit

from bpe_studio.kernels.machine import ONE, ZERO, borrowed, mix
from bpe_studio.kernels.nodes import NEXT, RANK, join_pair, link
from bpe_studio.kernels.pair_heap import PLACE, add, fill, sink
from bpe_studio.kernels.piece import to_symbols
from bpe_studio.kernels.piece_cache import key_of
from bpe_studio.kernels.whole import find_whole

# Columns of a join, int32.
COLUMNS = 4


@njit(nogil=True, cache=True)
def spell(data, offsets, ranks, symbols, pieces):
    """The base symbols of pieces, one after another.

    Parameters
    ----------
    data, offsets : the pieces' bytes, one after another, and where each begins
    symbols : int32, at least as long as the bytes; pieces : int64, as long as `offsets`
        Results: piece i is ``symbols[pieces[i] : pieces[i + 1]]``.

    Returns
    -------
    int
        How many symbols there are, or -1 - b for a byte b that the table lacks.
    """
    ranks, data, symbols = borrowed(ranks), borrowed(data), borrowed(symbols)
    n = ZERO
    pieces[0] = 0
    for i in range(len(offsets) - 1):
        count = to_symbols(data, offsets[i], offsets[i + 1], ranks, symbols, n)
        if count < 0:
            return count
        n += count
        pieces[i + 1] = n
    return n


@njit(nogil=True, cache=True)
def find_wholes(data, offsets, whole, tokens):
    """The token that each piece is as a whole, or -1, into `tokens`; the data are padded."""
    data, whole = borrowed(data), borrowed(whole)
    for i in range(len(tokens)):
        begin, length = offsets[i], offsets[i + 1] - offsets[i]
        low, high = key_of(data, begin, length)
        tokens[i] = find_whole(whole, mix(low, high), low, data, begin, length)


@njit(nogil=True, cache=True)
def trace_pieces(ranks, symbols, pieces, first, enough, nodes, heap, joins, sizes, first_joins):
    """Merges pieces from `first` on, one pair at a time, and writes down every join.

    Parameters
    ----------
    symbols, pieces : as `spell` gives them
    enough : int
        So many symbols are enough for one call.
    nodes, heap : int32 and int64, with room for the longest piece: (n, 4) and (2 n,)
    joins : int32, shape (symbols, COLUMNS); sizes : int32, as long
        Results: the rank, and the numbers of the base symbols where the left part begins, the
        right part begins, and it ends; and 1 + the largest rank of the piece so far.
    first_joins : int64, as long as `pieces`
        The joins of piece i are ``joins[first_joins[i] : first_joins[i + 1]]``;
        ``first_joins[first]`` must be set.

    Returns
    -------
    int
        The piece where to go on.
    """
    ranks, symbols, pieces = borrowed(ranks), borrowed(symbols), borrowed(pieces)
    nodes, heap, joins, sizes = borrowed(nodes), borrowed(heap), borrowed(joins), borrowed(sizes)
    used = first_joins[first]
    i = first
    while i < len(pieces) - 1 and pieces[i] - pieces[first] < enough:
        n = pieces[i + 1] - pieces[i]
        if n > 1:
            used = _trace_piece(ranks, symbols, pieces[i], n, nodes, heap, joins, sizes, used)
        i += 1
        first_joins[i] = used
    return i


@njit(nogil=True, cache=True)
def _trace_piece(ranks, symbols, begin, n, nodes, heap, joins, sizes, used):
    """Writes the joins of ``symbols[begin : begin + n]`` from `used` on; how many there are."""
    link(nodes, symbols, begin, n)
    waiting = fill(ranks, nodes, n, heap)
    largest = ZERO
    while waiting > 0:
        rank, place = heap[0] >> 32, heap[0] & PLACE
        waiting -= 1
        sink(heap, waiting, ZERO, heap[waiting])
        if nodes[place, RANK] != rank:
            continue
        middle = np.int64(nodes[place, NEXT])
        end = np.int64(nodes[middle, NEXT])
        previous = join_pair(nodes, place, ranks.rows[rank, 2])
        waiting = add(ranks, nodes, heap, waiting, place)
        if previous >= 0:
            waiting = add(ranks, nodes, heap, waiting, np.int64(previous))
        largest = max(largest, rank + ONE)
        joins[used, 0] = rank
        joins[used, 1] = begin + place
        joins[used, 2] = begin + middle
        joins[used, 3] = begin + (end if end >= 0 else n)
        sizes[used] = largest
        used += 1
    return used

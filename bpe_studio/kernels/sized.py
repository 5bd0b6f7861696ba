"""Pieces merged once → their tokens, those under fewer merges, and the tokens at every size."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bpe_studio.kernels.machine import ONE, ZERO, borrowed
from bpe_studio.kernels.nodes import NEXT, RANK, SYMBOL, join_pair, link
from bpe_studio.kernels.pair_heap import PLACE, add, fill, sink


class Merged(NamedTuple):
    """Room for what pieces become, and where each begins in it and the last ends.

    Attributes
    ----------
    tokens, at_size, gone : int32, with room for all base symbols
        Tokens under all merges, and under the first `size` of them; and for every border between
        base symbols that is lost, how many merges that takes.
    borders : int64, shape (pieces + 1, 3)
        Piece i has ``tokens[borders[i, 0] : borders[i + 1, 0]]``, and so on.
    """

    tokens: NDArray[np.int32]
    at_size: NDArray[np.int32]
    gone: NDArray[np.int32]
    borders: NDArray[np.int64]


@njit(nogil=True, cache=True)
def _read(nodes, tokens, filled):
    """Writes the symbols that are left; the new number of tokens."""
    place = np.int64(0)
    while place >= 0:
        tokens[filled] = nodes[place, SYMBOL]
        filled += 1
        place = np.int64(nodes[place, NEXT])
    return filled


@njit(nogil=True, cache=True)
def merge_sized(ranks, symbols, pieces, wholes, whole_sizes, size, nodes, heap, merged):
    """Merges pieces, one pair at a time; see `trace.trace_pieces`.

    Parameters
    ----------
    symbols, pieces : as `trace.spell` gives them
    wholes, whole_sizes : int32, one a piece
        The token that it is taken whole for, and how many merges that takes; -1 for none.
    size : int
    nodes, heap : int32 and int64, with room for the longest piece: (n, 4) and (2 n,)
    merged : Merged
    """
    ranks, symbols, pieces = borrowed(ranks), borrowed(symbols), borrowed(pieces)
    nodes, heap, merged = borrowed(nodes), borrowed(heap), borrowed(merged)
    tokens, at_size, gone, borders = merged.tokens, merged.at_size, merged.gone, merged.borders
    in_all, in_size, lost = ZERO, ZERO, ZERO
    for i in range(len(pieces) - 1):
        n, whole = pieces[i + 1] - pieces[i], np.int64(whole_sizes[i])
        if n > 0:
            left = n - 1
            largest = ZERO
            is_read = False
            link(nodes, symbols, pieces[i], n)
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
                if largest > size and not is_read:
                    in_size = _read(nodes, at_size, in_size)
                    is_read = True
                previous = join_pair(nodes, place, ranks.rows[rank, 2])
                waiting = add(ranks, nodes, heap, waiting, place)
                if previous >= 0:
                    waiting = add(ranks, nodes, heap, waiting, np.int64(previous))
                gone[lost] = np.int32(largest)
                lost += 1
                left -= 1
            if not is_read:
                if 0 <= whole <= size:
                    at_size[in_size] = wholes[i]
                    in_size += 1
                else:
                    in_size = _read(nodes, at_size, in_size)
            if whole >= 0:
                tokens[in_all] = wholes[i]
                in_all += 1
                for _ in range(left):
                    gone[lost] = np.int32(whole)
                    lost += 1
            else:
                in_all = _read(nodes, tokens, in_all)
        borders[i + 1, 0], borders[i + 1, 1], borders[i + 1, 2] = in_all, in_size, lost


@njit(nogil=True, cache=True)
def add_gone(borders, gone, uses, lost):
    """Adds the uses of every piece at the sizes where it loses borders."""
    for i in range(len(uses)):
        for k in range(borders[i], borders[i + 1]):
            lost[gone[k]] += uses[i]

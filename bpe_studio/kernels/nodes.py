"""The symbols of a long piece as a linked list, each with the rank of the pair that it begins.

A place is the number of a symbol's first base symbol.
"""

from __future__ import annotations

from numba import njit

from bpe_studio.kernels.ranks import NONE, rank_of

# Columns of a node, int32; there is nobody before the first and after the last: -1.
SYMBOL, NEXT, PREVIOUS, RANK = 0, 1, 2, 3
# In place of a rank: the place begins no pair that can be merged.
NO_PAIR = -1


@njit(nogil=True, cache=True)
def link(nodes, sym, first, n):
    """Lays out the symbols ``sym[first : first + n]``, at least one, without ranks."""
    for i in range(n):
        nodes[i, SYMBOL] = sym[first + i]
        nodes[i, NEXT] = i + 1
        nodes[i, PREVIOUS] = i - 1
    nodes[n - 1, NEXT] = -1


@njit(nogil=True, cache=True, inline="always")
def find_rank(ranks, nodes, place):
    """Finds the rank of the pair at `place` anew, or NONE."""
    following = nodes[place, NEXT]
    nodes[place, RANK] = NO_PAIR
    if following < 0:
        return NONE
    rank = rank_of(ranks, nodes[place, SYMBOL], nodes[following, SYMBOL])
    if rank != NONE:
        nodes[place, RANK] = rank
    return rank


@njit(nogil=True, cache=True, inline="always")
def join_pair(nodes, place, new):
    """Makes the pair at `place` the symbol `new`; the place before it, or -1.

    The ranks of these two places are to be found anew.
    """
    second = nodes[place, NEXT]
    following = nodes[second, NEXT]
    nodes[place, SYMBOL] = new
    nodes[place, NEXT] = following
    nodes[second, RANK] = NO_PAIR
    if following >= 0:
        nodes[following, PREVIOUS] = place
    return nodes[place, PREVIOUS]


@njit(nogil=True, cache=True)
def read_off(nodes, tokens, starts):
    """Writes the symbols and their places; how many they are."""
    n = 0
    place = 0
    while place >= 0:
        tokens[n] = nodes[place, SYMBOL]
        starts[n] = place
        n += 1
        place = nodes[place, NEXT]
    return n

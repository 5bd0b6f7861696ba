"""Merging a piece of any length in time that grows with its length, for ordered tables.

The lowest rank present is joined everywhere, from left to right, and then the next one: in an
ordered table (see `Ranks`) this comes to the same as one pair at a time. The places of every pair
wait in a queue of their rank; a bitmap of three levels finds the lowest rank that has a queue. What
was queued stays there when its pair is gone, and is passed over when its rank comes up.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bpe_studio.kernels.machine import trailing_zeros
from bpe_studio.kernels.nodes import PREVIOUS, RANK, find_rank, join_pair, link, read_off
from bpe_studio.kernels.ranks import NONE

_ONE = np.uint64(1)
# In place of a rank: to be found anew.
_STALE = np.int32(-2)


class Queues(NamedTuple):
    """The queues of all ranks; empty between two pieces.

    Attributes
    ----------
    ends : int32, shape (m, 2)
        Numbers of a queue's first and last entry, from 1; 0 where it is empty.
    low, middle, high : uint64
        Bit r of `low` tells that rank r has a queue, bit k of `middle` that word k of `low` is not
        0, and `high` the same of `middle`.
    """

    ends: NDArray[np.int32]
    low: NDArray[np.uint64]
    middle: NDArray[np.uint64]
    high: NDArray[np.uint64]


def queues_for(merges: int) -> Queues:
    """Empty queues for so many ranks; memory that is not used costs nothing."""
    words = [merges // 64 ** (level + 1) + 1 for level in range(3)]
    bitmaps = [np.zeros(size, dtype=np.uint64) for size in words]
    return Queues(np.zeros((merges, 2), dtype=np.int32), *bitmaps)


@njit(nogil=True, cache=True, inline="always")
def _mark(bitmap, bit):
    bitmap[bit >> 6] |= _ONE << np.uint64(bit & 63)


@njit(nogil=True, cache=True, inline="always")
def _append(queues, entries, used, rank, place):
    """Queues a place under a rank; the number of entries used."""
    entries[used, 0] = place
    entries[used, 1] = 0
    used += 1
    if queues.ends[rank, 0] == 0:
        queues.ends[rank, 0] = used
        _mark(queues.low, rank)
        _mark(queues.middle, rank >> 6)
        _mark(queues.high, rank >> 12)
    else:
        entries[queues.ends[rank, 1] - 1, 1] = used
    queues.ends[rank, 1] = used
    return used


@njit(nogil=True, cache=True, inline="always")
def _lowest(queues):
    """The lowest rank that has a queue, or NONE."""
    for top in range(len(queues.high)):
        if queues.high[top]:
            word = (top << 6) | trailing_zeros(queues.high[top])
            word = (word << 6) | trailing_zeros(queues.middle[word])
            return (word << 6) | trailing_zeros(queues.low[word])
    return NONE


@njit(nogil=True, cache=True, inline="always")
def _clear(bitmap, bit):
    """Clears a bit; whether its word is now empty."""
    bitmap[bit >> 6] &= ~(_ONE << np.uint64(bit & 63))
    return bitmap[bit >> 6] == 0


@njit(nogil=True, cache=True, inline="always")
def _take(queues, entries, rank, places):
    """Empties the queue of a rank into `places`; how many they are."""
    count = 0
    number = queues.ends[rank, 0]
    while number:
        places[count] = entries[number - 1, 0]
        count += 1
        number = entries[number - 1, 1]
    queues.ends[rank, 0] = 0
    if _clear(queues.low, rank) and _clear(queues.middle, rank >> 6):
        _clear(queues.high, rank >> 12)
    return count


@njit(nogil=True, cache=True)
def _in_order(places, count):
    """Sorts, if need be: where a pair overlaps itself the leftmost must come first."""
    for k in range(1, count):
        if places[k] < places[k - 1]:
            places[:count].sort()
            return


@njit(nogil=True, cache=True, inline="always")
def _refresh(ranks, queues, entries, used, nodes, place):
    """Finds the rank of the pair at `place` anew and queues it."""
    rank = find_rank(ranks, nodes, place)
    if rank == NONE:
        return used
    return _append(queues, entries, used, rank, place)


@njit(nogil=True, cache=True)
def _count_pairs(nodes, places, count, rank):
    found = np.int64(0)
    for k in range(count):
        found += np.int64(nodes[places[k], RANK] == rank)
    return found


@njit(nogil=True, cache=True, inline="always")
def _join_all(nodes, places, count, rank, new):
    """Joins the pairs of one rank; `places` then holds those where it did. How many they are."""
    joined = 0
    for k in range(count):
        place = places[k]
        if nodes[place, RANK] != rank:
            continue
        previous = join_pair(nodes, place, new)
        nodes[place, RANK] = _STALE
        if previous >= 0:
            nodes[previous, RANK] = _STALE
        places[joined] = place
        joined += 1
    return joined


class Scratch(NamedTuple):
    """Room to merge so many symbols in.

    Attributes
    ----------
    nodes : int32, shape (n, 4)
    entries : int32, shape (3 n, 2)
        Every symbol queues one pair at first, and every join at most two.
    places : int32, shape (n,)
    """

    nodes: NDArray[np.int32]
    entries: NDArray[np.int32]
    places: NDArray[np.int32]


@njit(nogil=True, cache=True)
def merge_by_queues(ranks, sym, first, n, queues, scratch, weight, counts, tokens, starts):
    """Merges the symbols ``sym[first : first + n]``, at least one, under an ordered table.

    Writes the tokens, and the numbers of their first symbols (from 0), and returns how many.
    """
    nodes, entries, places = scratch.nodes, scratch.entries, scratch.places
    used = 0
    link(nodes, sym, first, n)
    for i in range(n):
        used = _refresh(ranks, queues, entries, used, nodes, i)
    rank = _lowest(queues)
    while rank != NONE:
        count = _take(queues, entries, rank, places)
        if ranks.rows[rank, 0] == ranks.rows[rank, 1]:
            _in_order(places, count)
        if len(counts.created) > 0:
            counts.counted[rank] += weight * _count_pairs(nodes, places, count, rank)
        new = ranks.rows[rank, 2]
        joined = _join_all(nodes, places, count, rank, new)
        if len(counts.created) > 0:
            counts.applied[rank] += weight * joined
            counts.created[new] += weight * joined
        for k in range(joined):
            place = np.int64(places[k])
            previous = nodes[place, PREVIOUS]
            if previous >= 0 and nodes[previous, RANK] == _STALE:
                used = _refresh(ranks, queues, entries, used, nodes, previous)
            if nodes[place, RANK] == _STALE:
                used = _refresh(ranks, queues, entries, used, nodes, place)
        rank = _lowest(queues)
    return read_off(nodes, tokens, starts)

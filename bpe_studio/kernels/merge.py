"""Learning merges: incremental pair counts over distinct pieces.

The pieces lie one after another in one array `symbols`, a position for every byte, with a
separator (-1) before, between and after them. A token that covers bytes p … p + length - 1 writes
its number at both ends; so the neighbours of the token at p are ``symbols[p - 1]`` and
``symbols[p + length]``, and everything that a merge touches lies side by side in memory. Positions
also order occurrences as the corpus first shows them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bpe_studio.kernels.pairs import (
    COUNT,
    DONE,
    EXHAUSTED,
    HEAP,
    LEFT,
    LENGTH,
    LIST,
    LISTS,
    MORE,
    NEED_LISTS,
    NEED_PAIRS,
    PAIRS,
    RIGHT,
    best_row,
    find_or_add,
    heap_drop_top,
    heap_push,
    row_of,
    tie_of,
)


class Neighbours(NamedTuple):
    """One side of the merged places, indexed by token number; all zero between merges."""

    weight: NDArray[np.int64]
    number: NDArray[np.int64]
    row: NDArray[np.int64]


class Record(NamedTuple):
    """What was learned, by rank; `merges` (m, 3) in token numbers."""

    merges: NDArray[np.int32]
    counts: NDArray[np.int64]
    applied: NDArray[np.int64]


@njit(nogil=True, cache=True)
def place_tokens(offsets, first, last, tokens, token_offsets, pieces):
    """Lays out pieces `first` … `last` - 1, which are `tokens` by now."""
    symbols, word = pieces.symbols, pieces.word
    for w in range(first, last):
        # A separator stands before every piece, so piece w is shifted by w + 1.
        p = offsets[w] + w + 1
        symbols[p - 1] = -1
        for k in range(token_offsets[w], token_offsets[w + 1]):
            length = pieces.lengths[tokens[k]]
            symbols[p] = tokens[k]
            symbols[p + length - 1] = tokens[k]
            for i in range(p, p + length):
                word[i] = w
            p += length
        symbols[p] = -1


# One merge


@njit(nogil=True, cache=True)
def _apply(pieces, pairs, row, new, places, lefts, rights, on_left, on_right):
    """Merges the pair of `row` into token `new` wherever it stands, left to right.

    Returns the number of places and their weight. Place k begins at ``places[k]``, between the
    tokens ``lefts[k]`` and ``rights[k]`` (-1 at the end of a piece) as they are at that moment;
    `on_left` and `on_right` add them up.
    """
    symbols, lengths = pieces.symbols, pieces.lengths
    left, right = pairs.rows[row, LEFT], pairs.rows[row, RIGHT]
    begin = pairs.rows[row, LIST]
    n = 0
    applied = np.int64(0)
    for k in range(pairs.rows[row, LENGTH]):
        p = np.int64(pairs.lists[begin + k])
        if symbols[p] != left:
            continue
        q = p + lengths[left]
        if symbols[q] != right:
            continue
        weight = pieces.weights[pieces.word[p]]
        end = p + lengths[new]
        # The right part's old start must not look like the start of a token any more.
        symbols[q] = -2
        symbols[p] = new
        symbols[end - 1] = new
        before, after = symbols[p - 1], symbols[end]
        places[n], lefts[n], rights[n] = p, before, after
        n += 1
        applied += weight
        if before >= 0:
            on_left.weight[before] += weight
            on_left.number[before] += 1
        if after >= 0:
            on_right.weight[after] += weight
            on_right.number[after] += 1
    return n, applied


@njit(nogil=True, cache=True)
def _lower(pairs, left, right, amount):
    row = row_of(pairs, left, right)
    if row >= 0:
        pairs.rows[row, COUNT] -= amount


@njit(nogil=True, cache=True)
def _new_pair(pairs, left, right, amount, number, min_count):
    """A row for a pair that came to be, with room for its places; -1 if it is too rare for ever.

    Its count only falls from here, so a pair below `min_count` needs no row.
    """
    if amount < min_count:
        return np.int64(-1)
    row = find_or_add(pairs, left, right)
    pairs.rows[row, COUNT] = amount
    pairs.rows[row, LIST] = pairs.used[LISTS]
    pairs.used[LISTS] += number
    return row


@njit(nogil=True, cache=True)
def _recount(pairs, left, right, new, lefts, rights, n, on_left, on_right, min_count):
    """Lowers the pairs that went and enters the pairs that came."""
    # Right neighbours first: where two places touch, the left place brings the pair (new, left)
    # and the right place takes it away again.
    for k in range(n):
        after = rights[k]
        if after >= 0 and on_right.number[after] > 0:
            weight, number = on_right.weight[after], on_right.number[after]
            _lower(pairs, right, after, weight)
            on_right.row[after] = _new_pair(pairs, new, after, weight, number, min_count)
            on_right.number[after] = 0
    for k in range(n):
        before = lefts[k]
        if before >= 0 and on_left.number[before] > 0:
            weight, number = on_left.weight[before], on_left.number[before]
            _lower(pairs, before, left, weight)
            on_left.row[before] = _new_pair(pairs, before, new, weight, number, min_count)
            on_left.number[before] = 0


@njit(nogil=True, cache=True, inline="always")
def _append_place(pairs, row, place):
    pairs.lists[pairs.rows[row, LIST] + pairs.rows[row, LENGTH]] = place
    pairs.rows[row, LENGTH] += 1


@njit(nogil=True, cache=True)
def _list_places(pieces, pairs, new, places, lefts, rights, n, on_left, on_right):
    """Notes where the new pairs stand; positions ascend because `places` do."""
    for k in range(n):
        p = places[k]
        before, after = lefts[k], rights[k]
        if before >= 0 and on_left.row[before] >= 0:
            _append_place(pairs, on_left.row[before], p - pieces.lengths[before])
        # The right neighbour may have been merged too since it was noted.
        end = p + pieces.lengths[new]
        if after >= 0 and on_right.row[after] >= 0 and pieces.symbols[end] == after:
            _append_place(pairs, on_right.row[after], p)


@njit(nogil=True, cache=True)
def _offer(pieces, pairs, ties, min_count, others, n, side):
    """Pushes the new pairs of one side on the heap and clears the side."""
    for k in range(n):
        other = others[k]
        if other < 0:
            continue
        row = side.row[other]
        side.row[other] = -1
        side.weight[other] = 0
        if row >= 0 and pairs.rows[row, COUNT] >= min_count:
            tie = tie_of(pieces, pairs, ties, row)
            heap_push(pairs, pairs.rows[row, COUNT], tie, row)


@njit(nogil=True, cache=True)
def _room_needed(pairs, row, tokens):
    """What must grow before the pair of `row` can be merged, or DONE."""
    places = pairs.rows[row, LENGTH]
    new_pairs = 2 * min(places, tokens)
    if max(pairs.used[PAIRS], pairs.used[HEAP]) + new_pairs > len(pairs.rows):
        return NEED_PAIRS
    if pairs.used[LISTS] + 2 * places > len(pairs.lists):
        return NEED_LISTS
    return DONE


@njit(nogil=True, cache=True)
def learn(
    pieces, pairs, record, on_left, on_right, first_new, first, last, ties, min_count, budget
):
    """Learns merges `first` … `last` - 1 until they are done or about `budget` places are visited.

    Returns
    -------
    (int, int)
        The number of merges learned in all, and DONE, MORE (budget spent), NEED_PAIRS,
        NEED_LISTS (call again with more room), or EXHAUSTED (no pair is frequent enough).
    """
    spent = np.int64(0)
    for rank in range(first, last):
        if spent > budget:
            return rank, MORE
        row = best_row(pieces, pairs, ties, min_count)
        if row < 0:
            return rank, EXHAUSTED
        new = first_new + rank
        need = _room_needed(pairs, row, new)
        if need != DONE:
            return rank, need
        left, right = pairs.rows[row, LEFT], pairs.rows[row, RIGHT]
        room = pairs.rows[row, LENGTH]
        places = np.empty(room, np.int64)
        lefts = np.empty(room, np.int32)
        rights = np.empty(room, np.int32)
        pieces.lengths[new] = pieces.lengths[left] + pieces.lengths[right]
        record.merges[rank, 0] = left
        record.merges[rank, 1] = right
        record.merges[rank, 2] = new
        record.counts[rank] = pairs.rows[row, COUNT]
        heap_drop_top(pairs)
        n, record.applied[rank] = _apply(
            pieces, pairs, row, new, places, lefts, rights, on_left, on_right
        )
        _recount(pairs, left, right, new, lefts, rights, n, on_left, on_right, min_count)
        pairs.rows[row, COUNT] = 0
        pairs.rows[row, LENGTH] = 0
        _list_places(pieces, pairs, new, places, lefts, rights, n, on_left, on_right)
        _offer(pieces, pairs, ties, min_count, rights, n, on_right)
        _offer(pieces, pairs, ties, min_count, lefts, n, on_left)
        spent += room + 16
    return last, DONE

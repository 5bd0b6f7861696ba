"""Learning merges: incremental pair counts over distinct pieces.

One merge goes in four steps: take the best pair off the queue; join it wherever it stands, adding
up its neighbours; lower the pairs that went and enter the pairs that came; list where they stand.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bpe_studio.kernels.layout import NONE, token_at, weight_at
from bpe_studio.kernels.machine import prefetch
from bpe_studio.kernels.pairs import (
    DONE,
    EXHAUSTED,
    LISTS,
    MORE,
    NEED_LISTS,
    NEED_PAIRS,
    ROWS,
    SMALLEST_IDS,
    add_pair,
    best_row,
    fetch_lists,
    fetch_places,
    fetch_rows,
    key_of,
    lower,
)
from bpe_studio.kernels.queue import drop_top, put

# What is known of one neighbour of the merged places: the weight and number of the places, the
# first place of the new pair, and where its list goes on (-1 without a list). One cache line.
NEIGHBOUR = np.dtype(
    [("weight", np.int64), ("number", np.int64), ("first", np.int64), ("cursor", np.int64)]
)
_LOW = np.int64(0xFFFFFFFF)
# So many places are checked, and their memory fetched, before they are merged.
BLOCK = 512
_AHEAD = 16


class Scratch(NamedTuple):
    """Room for one merge.

    `on_left` and `on_right` (NEIGHBOUR) are indexed by token number, with no number and no cursor
    between merges. Merged place k begins at ``places[k]``, between the tokens ``lefts[k]`` and
    ``rights[k]``; `left_kinds` and `right_kinds` hold each of these tokens once.
    """

    on_left: NDArray[np.void]
    on_right: NDArray[np.void]
    places: NDArray[np.int32]
    lefts: NDArray[np.int32]
    rights: NDArray[np.int32]
    left_kinds: NDArray[np.int32]
    right_kinds: NDArray[np.int32]
    checked: NDArray[np.int32]


class Record(NamedTuple):
    """What was learned, by rank; `merges` (m, 3) in token numbers from 0."""

    merges: NDArray[np.int32]
    counts: NDArray[np.int64]
    applied: NDArray[np.int64]


@njit(nogil=True, cache=True)
def _check(pieces, pairs, begin, end, left, right, checked):
    """Finds the places in ``lists[begin:end]`` where the pair still stands; their number."""
    symbols, bits, lists = pieces.symbols, pieces.weight_bits, pairs.lists
    length = pieces.lengths[left]
    n = 0
    for k in range(begin, end):
        prefetch(symbols, np.int64(lists[min(k + _AHEAD, end - 1)]))
        place = np.int64(lists[k])
        # Written in any case and kept or not: a branch would be guessed wrong too often.
        checked[n] = place
        n += np.int64(
            (token_at(symbols, bits, place) == left)
            & (token_at(symbols, bits, place + length) == right)
        )
    return n


@njit(nogil=True, cache=True, forceinline=True)
def _note(side, token, weight, first, kinds, n_kinds):
    """Adds one place to a neighbour; returns the number of kinds."""
    neighbour = side[token]
    if neighbour.number == 0:
        kinds[n_kinds] = token
        n_kinds += 1
        neighbour.first = first
    neighbour.weight += weight
    neighbour.number += 1
    return n_kinds


@njit(nogil=True, cache=True)
def _join(pieces, pairs, row, left, right, new, scratch):
    """Merges the pair of `row` into token `new` wherever it stands, left to right.

    Returns
    -------
    (int, int, int, int, int)
        The number of places, their weight, the numbers of left and right kinds, and the weight
        of the places that stand directly behind another.
    """
    symbols, lengths, bits = pieces.symbols, pieces.lengths, pieces.weight_bits
    heavy_places, heavy_weights = pieces.heavy_places, pieces.heavy_weights
    full = (np.int64(1) << bits) - 1
    on_left, on_right, checked = scratch.on_left, scratch.on_right, scratch.checked
    places, lefts, rights = scratch.places, scratch.lefts, scratch.rights
    left_kinds, right_kinds = scratch.left_kinds, scratch.right_kinds
    left_length, right_length = lengths[left], lengths[right]
    begin, stop = pairs.rows[row].begin, pairs.rows[row].begin + pairs.rows[row].length
    n, n_left, n_right = 0, 0, 0
    applied, touching = np.int64(0), np.int64(0)
    behind, taken = np.int64(-1), np.int64(-1)
    for block in range(begin, stop, BLOCK):
        block_end = min(block + BLOCK, stop)
        n_checked = _check(pieces, pairs, block, block_end, left, right, checked)
        for k in range(n_checked):
            place = np.int64(checked[k])
            # In a run like aaa the place before may have taken the left part.
            if place == taken:
                taken = np.int64(-1)
                continue
            middle = place + left_length
            end = middle + right_length
            if left == right:
                taken = middle
            before, after = token_at(symbols, bits, place - 1), token_at(symbols, bits, end)
            weight = weight_at(symbols, bits, heavy_places, heavy_weights, place)
            # The right part's old start must not look like the start of a token any more.
            symbols[middle] = NONE
            symbols[place] = (new << bits) | (np.int64(symbols[place]) & full)
            symbols[end - 1] = new << bits
            if place == behind:
                # The place before had noted our left part, which is gone now.
                rights[n - 1] = NONE
                on_right[left].weight -= weight
                on_right[left].number -= 1
                touching += weight
            behind = end
            first = place - lengths[before]
            n_left = _note(on_left, before, weight, first, left_kinds, n_left)
            n_right = _note(on_right, after, weight, place, right_kinds, n_right)
            places[n], lefts[n], rights[n] = place, before, after
            applied += weight
            n += 1
    return n, applied, n_left, n_right, touching


@njit(nogil=True, cache=True)
def _recount(pieces, pairs, ties, left, right, new, scratch, n_left, n_right, min_count):
    """Lowers the pairs that went and enters the pairs that came."""
    ids, table, shift, rows = pieces.ids, pairs.table, pairs.shift, pairs.rows
    used = pairs.used
    entries, sizes, bound = pairs.queue.entries, pairs.queue.sizes, pairs.queue.bound
    on_left, on_right = scratch.on_left, scratch.on_right
    left_kinds, right_kinds = scratch.left_kinds, scratch.right_kinds
    # The empty place is no neighbour.
    on_left[NONE].number = 0
    on_right[NONE].number = 0
    for k in range(n_right + n_left):
        if k < n_right:
            token = np.int64(right_kinds[k])
            neighbour = on_right[token]
            went, first, second = key_of(right, token), new, token
        else:
            token = np.int64(left_kinds[k - n_right])
            neighbour = on_left[token]
            went, first, second = key_of(token, left), token, new
        count, number = neighbour.weight, neighbour.number
        if number == 0:
            continue
        neighbour.weight = 0
        neighbour.number = 0
        # Where one place stands behind another there was no pair with `new` before.
        if token != new:
            lower(table, shift, went, count)
        # A count only falls from here, so what is too rare now needs no row.
        if count >= min_count:
            neighbour.cursor = used[LISTS]
            key = key_of(first, second)
            row = add_pair(table, shift, rows, used, key, count, number)
            tie = (ids[first] << 32) | ids[second] if ties == SMALLEST_IDS else neighbour.first
            put(entries, sizes, bound, count, tie, row)


@njit(nogil=True, cache=True)
def _list_places(pieces, pairs, scratch, n, n_left, n_right):
    """Notes where the new pairs stand; places ascend because `scratch.places` do."""
    lists, lengths = pairs.lists, pieces.lengths
    on_left, on_right, places = scratch.on_left, scratch.on_right, scratch.places
    lefts, rights = scratch.lefts, scratch.rights
    left_kinds, right_kinds = scratch.left_kinds, scratch.right_kinds
    for k in range(n):
        place = np.int64(places[k])
        before, after = np.int64(lefts[k]), np.int64(rights[k])
        cursor = on_left[before].cursor
        if cursor >= 0:
            lists[cursor] = place - lengths[before]
            on_left[before].cursor = cursor + 1
        cursor = on_right[after].cursor
        if cursor >= 0:
            lists[cursor] = place
            on_right[after].cursor = cursor + 1
    for k in range(n_left):
        on_left[left_kinds[k]].cursor = -1
    for k in range(n_right):
        on_right[right_kinds[k]].cursor = -1


@njit(nogil=True, cache=True)
def _room_needed(pairs, row, tokens):
    """What must grow before the pair of `row` can be merged, or DONE."""
    places = pairs.rows[row].length
    new_pairs = 2 * min(places, tokens)
    if pairs.used[ROWS] + new_pairs > len(pairs.rows):
        return NEED_PAIRS
    if pairs.used[LISTS] + 2 * places > len(pairs.lists):
        return NEED_LISTS
    return DONE


@njit(nogil=True, cache=True)
def learn(pieces, pairs, record, scratch, first_new, first, last, ties, min_count, budget):
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
        new = np.int64(first_new + rank)
        need = _room_needed(pairs, row, new)
        if need != DONE:
            return rank, need
        drop_top(pairs.queue.entries, pairs.queue.sizes)
        fetch_rows(pairs)
        pair = pairs.table[pairs.rows[row].slot]
        left, right = pair.key >> 32, pair.key & _LOW
        record.merges[rank, 0] = left - 1
        record.merges[rank, 1] = right - 1
        record.merges[rank, 2] = new - 1
        record.counts[rank] = pair.count
        pieces.lengths[new] = pieces.lengths[left] + pieces.lengths[right]
        n, record.applied[rank], n_left, n_right, touching = _join(
            pieces, pairs, row, left, right, new, scratch
        )
        fetch_lists(pairs)
        if touching > 0:
            lower(pairs.table, pairs.shift, key_of(right, left), touching)
        _recount(pieces, pairs, ties, left, right, new, scratch, n_left, n_right, min_count)
        pair.count = 0
        fetch_places(pieces, pairs)
        _list_places(pieces, pairs, scratch, n, n_left, n_right)
        spent += pairs.rows[row].length + 16
    return last, DONE

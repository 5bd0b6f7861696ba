"""Learning merges: incremental pair counts over distinct pieces.

The pieces lie one after another in one array `symbols`, a position for every byte, with a
separator (-1) before, between and after them. A token that covers bytes p … p + length - 1 writes
its number at both ends; so the neighbours of the token at p are ``symbols[p - 1]`` and
``symbols[p + length]``, and everything that a merge touches lies side by side in memory. Positions
also order occurrences as the corpus first shows them.

Every pair whose count may still be chosen has a row: left, right, count, and a list of the
positions where it stood when the list was made. Counts are exact at all times. Lists only go stale
(a position is checked before it is used), counts of old pairs only fall, and their first
occurrence only moves later; so a heap with stale keys is enough: its top is re-keyed and sifted
until it is true.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bpe_studio.kernels.encode import slot_of

# Columns of `Pairs.rows`.
LEFT, RIGHT, COUNT, LIST, LENGTH = 0, 1, 2, 3, 4
PAIR_COLUMNS = 5
# Columns of `Pairs.heap`.
KEY_COUNT, KEY_TIE, ROW = 0, 1, 2
HEAP_COLUMNS = 3
# Fields of `Pairs.used`.
PAIRS, HEAP, LISTS = 0, 1, 2
# What a kernel says when it returns.
DONE, MORE, NEED_PAIRS, NEED_LISTS, EXHAUSTED = 0, 1, 2, 3, 4
FIRST_SEEN, SMALLEST_IDS = 0, 1


class Pieces(NamedTuple):
    """The corpus: `weights` holds the frequency of piece ``word[p]``; `lengths` and `ids` are
    indexed by token number."""

    symbols: NDArray[np.int32]
    word: NDArray[np.int32]
    weights: NDArray[np.int64]
    lengths: NDArray[np.int64]
    ids: NDArray[np.int64]


class Pairs(NamedTuple):
    """Open addressing (`keys`, `slots`) to `rows`; `lists` holds positions; `used` how much."""

    keys: NDArray[np.int64]
    slots: NDArray[np.int32]
    shift: int
    rows: NDArray[np.int64]
    heap: NDArray[np.int64]
    lists: NDArray[np.int32]
    used: NDArray[np.int64]


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


# The table of pairs


@njit(nogil=True, cache=True)
def _row_of(pairs, left, right):
    """The row of a pair, or -1."""
    slot = slot_of(pairs.keys, pairs.shift, (np.int64(left) << 32) | np.int64(right))
    return np.int64(pairs.slots[slot]) if pairs.keys[slot] != -1 else np.int64(-1)


@njit(nogil=True, cache=True)
def _find_or_add(pairs, left, right):
    key = (np.int64(left) << 32) | np.int64(right)
    slot = slot_of(pairs.keys, pairs.shift, key)
    if pairs.keys[slot] != -1:
        return np.int64(pairs.slots[slot])
    row = pairs.used[PAIRS]
    pairs.used[PAIRS] += 1
    pairs.keys[slot] = key
    pairs.slots[slot] = row
    pairs.rows[row, LEFT] = left
    pairs.rows[row, RIGHT] = right
    pairs.rows[row, COUNT] = 0
    pairs.rows[row, LIST] = -1
    pairs.rows[row, LENGTH] = 0
    return row


@njit(nogil=True, cache=True)
def rehash(keys, slots, new_keys, new_slots, shift):
    for i in range(len(keys)):
        if keys[i] != -1:
            slot = slot_of(new_keys, shift, keys[i])
            new_keys[slot] = keys[i]
            new_slots[slot] = slots[i]


@njit(nogil=True, cache=True)
def count_pairs(pieces, pairs, position, budget):
    """Counts adjacent pairs from `position` on; returns the next position and what is needed.

    LENGTH counts the occurrences, COUNT their weights.
    """
    symbols = pieces.symbols
    end = min(len(symbols), position + budget)
    while position < end:
        left = symbols[position]
        if left < 0:
            position += 1
            continue
        if pairs.used[PAIRS] >= len(pairs.rows):
            return position, NEED_PAIRS
        after = position + pieces.lengths[left]
        right = symbols[after]
        if right >= 0:
            row = _find_or_add(pairs, left, right)
            pairs.rows[row, COUNT] += pieces.weights[pieces.word[position]]
            pairs.rows[row, LENGTH] += 1
        position = after
    return position, (MORE if position < len(symbols) else DONE)


@njit(nogil=True, cache=True)
def allot_lists(pairs, min_count):
    """Gives every pair that may be chosen the room for its list; returns the room in all."""
    total = np.int64(0)
    for row in range(pairs.used[PAIRS]):
        if pairs.rows[row, COUNT] >= min_count:
            pairs.rows[row, LIST] = total
            total += pairs.rows[row, LENGTH]
        pairs.rows[row, LENGTH] = 0
    pairs.used[LISTS] = total
    return total


@njit(nogil=True, cache=True)
def fill_lists(pieces, pairs, position, budget):
    """Writes the positions of every pair from `position` on; returns the next position."""
    symbols = pieces.symbols
    end = min(len(symbols), position + budget)
    while position < end:
        left = symbols[position]
        if left < 0:
            position += 1
            continue
        after = position + pieces.lengths[left]
        right = symbols[after]
        if right >= 0:
            row = _row_of(pairs, left, right)
            if pairs.rows[row, LIST] >= 0:
                pairs.lists[pairs.rows[row, LIST] + pairs.rows[row, LENGTH]] = position
                pairs.rows[row, LENGTH] += 1
        position = after
    return position


# The heap: on top the largest count, and of equal counts the least tie


@njit(nogil=True, cache=True, inline="always")
def _wins(count_a, tie_a, count_b, tie_b):
    return count_a > count_b or (count_a == count_b and tie_a < tie_b)


@njit(nogil=True, cache=True, inline="always")
def _copy_entry(heap, source, target):
    heap[target, KEY_COUNT] = heap[source, KEY_COUNT]
    heap[target, KEY_TIE] = heap[source, KEY_TIE]
    heap[target, ROW] = heap[source, ROW]


@njit(nogil=True, cache=True, inline="always")
def _write_entry(heap, place, count, tie, row):
    heap[place, KEY_COUNT] = count
    heap[place, KEY_TIE] = tie
    heap[place, ROW] = row


@njit(nogil=True, cache=True)
def _heap_push(pairs, count, tie, row):
    heap = pairs.heap
    i = pairs.used[HEAP]
    pairs.used[HEAP] += 1
    while i > 0:
        parent = (i - 1) >> 1
        if not _wins(count, tie, heap[parent, KEY_COUNT], heap[parent, KEY_TIE]):
            break
        _copy_entry(heap, parent, i)
        i = parent
    _write_entry(heap, i, count, tie, row)


@njit(nogil=True, cache=True)
def _heap_replace_top(pairs, count, tie, row):
    """Writes an entry at the top and lets it sink to its place."""
    heap = pairs.heap
    size = pairs.used[HEAP]
    i = 0
    while True:
        child = 2 * i + 1
        if child >= size:
            break
        if child + 1 < size and _wins(
            heap[child + 1, KEY_COUNT],
            heap[child + 1, KEY_TIE],
            heap[child, KEY_COUNT],
            heap[child, KEY_TIE],
        ):
            child += 1
        if not _wins(heap[child, KEY_COUNT], heap[child, KEY_TIE], count, tie):
            break
        _copy_entry(heap, child, i)
        i = child
    _write_entry(heap, i, count, tie, row)


@njit(nogil=True, cache=True)
def _heap_drop_top(pairs):
    pairs.used[HEAP] -= 1
    n = pairs.used[HEAP]
    if n > 0:
        heap = pairs.heap
        _heap_replace_top(pairs, heap[n, KEY_COUNT], heap[n, KEY_TIE], heap[n, ROW])


@njit(nogil=True, cache=True)
def _tie(pieces, pairs, ties, row):
    """What decides between equal counts; for first-seen, the first place that is still true."""
    rows = pairs.rows
    left = rows[row, LEFT]
    right = rows[row, RIGHT]
    if ties == SMALLEST_IDS:
        return (pieces.ids[left] << 32) | pieces.ids[right]
    while rows[row, LENGTH] > 0:
        p = np.int64(pairs.lists[rows[row, LIST]])
        if pieces.symbols[p] == left and pieces.symbols[p + pieces.lengths[left]] == right:
            return p
        rows[row, LIST] += 1
        rows[row, LENGTH] -= 1
    return np.int64(len(pieces.symbols))


@njit(nogil=True, cache=True)
def fill_heap(pieces, pairs, ties, min_count):
    pairs.used[HEAP] = 0
    for row in range(pairs.used[PAIRS]):
        if pairs.rows[row, COUNT] >= min_count:
            tie = _tie(pieces, pairs, ties, row)
            _heap_push(pairs, pairs.rows[row, COUNT], tie, np.int64(row))


@njit(nogil=True, cache=True)
def _best_row(pieces, pairs, ties, min_count):
    """Re-keys the top until it is true; its row, or -1 when nothing is left to choose."""
    heap = pairs.heap
    while pairs.used[HEAP] > 0:
        row = heap[0, ROW]
        count = pairs.rows[row, COUNT]
        if count < min_count:
            _heap_drop_top(pairs)
        elif heap[0, KEY_COUNT] == count:
            return row
        else:
            _heap_replace_top(pairs, count, _tie(pieces, pairs, ties, row), row)
    return np.int64(-1)


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
    row = _row_of(pairs, left, right)
    if row >= 0:
        pairs.rows[row, COUNT] -= amount


@njit(nogil=True, cache=True)
def _new_pair(pairs, left, right, amount, number, min_count):
    """A row for a pair that came to be, with room for its places; -1 if it is too rare for ever.

    Its count only falls from here, so a pair below `min_count` needs no row.
    """
    if amount < min_count:
        return np.int64(-1)
    row = _find_or_add(pairs, left, right)
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
            tie = _tie(pieces, pairs, ties, row)
            _heap_push(pairs, pairs.rows[row, COUNT], tie, row)


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
        row = _best_row(pieces, pairs, ties, min_count)
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
        _heap_drop_top(pairs)
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

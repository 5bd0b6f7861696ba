"""Pieces to tokens: merging one piece in a flat buffer, many pieces a call.

Tokens are dense numbers (0 … n-1). Merges live in an open-addressing table: `keys` holds
``left << 32 | right`` (-1 where empty), `values` holds ``rank << 32 | new``.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_NONE = np.int64(0x7FFFFFFFFFFFFFFF)
_LOW = np.int64(0xFFFFFFFF)
_STALE = np.int64(-1)
# Below this many symbols a scan for the lowest rank beats a heap.
_SHORT = 48


@njit(nogil=True, cache=True, inline="always")
def slot_of(keys, shift, key):
    """The slot that holds `key`, or the empty one where it would go."""
    mask = len(keys) - 1
    slot = np.int64((np.uint64(key) * _MULTIPLIER) >> np.uint64(shift))
    while keys[slot] != key and keys[slot] != -1:
        slot = (slot + 1) & mask
    return slot


@njit(nogil=True, cache=True)
def fill_pairs(merges, keys, values, shift):
    """Enters merges (m, 3) by rank; the first of two equal pairs wins."""
    for rank in range(len(merges)):
        key = (np.int64(merges[rank, 0]) << 32) | np.int64(merges[rank, 1])
        slot = slot_of(keys, shift, key)
        if keys[slot] == -1:
            keys[slot] = key
            values[slot] = (np.int64(rank) << 32) | np.int64(merges[rank, 2])


@njit(nogil=True, cache=True, inline="always")
def _pair(keys, values, shift, left, right):
    slot = slot_of(keys, shift, (np.int64(left) << 32) | np.int64(right))
    return values[slot] if keys[slot] != -1 else _NONE


@njit(nogil=True, cache=True)
def to_symbols(data, start, end, byte_symbols, char_symbols, out):
    """Base symbols of ``data[start:end]`` into `out`; their number, or -1 - b for a missing byte b.

    A character that is no symbol of a chars base falls back to its bytes.
    """
    n = 0
    i = start
    while i < end:
        b = data[i]
        if b >= 0xC2 and len(char_symbols) > 0:
            width = 2 if b < 0xE0 else (3 if b < 0xF0 else 4)
            if i + width <= end:
                point = np.int64(b & (0x7F >> width))
                valid = True
                for k in range(1, width):
                    valid = valid and (data[i + k] & 0xC0) == 0x80
                    point = (point << 6) | np.int64(data[i + k] & 0x3F)
                if valid and point < len(char_symbols) and char_symbols[point] >= 0:
                    out[n] = char_symbols[point]
                    n += 1
                    i += width
                    continue
        if byte_symbols[b] < 0:
            return -1 - np.int64(b)
        out[n] = byte_symbols[b]
        n += 1
        i += 1
    return n


@njit(nogil=True, cache=True)
def _merge_short(sym, n, found, keys, values, shift, weight, created, counted, applied):
    for i in range(n - 1):
        found[i] = _pair(keys, values, shift, sym[i], sym[i + 1])
    while n > 1:
        best = _NONE
        for i in range(n - 1):
            if found[i] < best:
                best = found[i]
        if best == _NONE:
            break
        new = np.int32(best & _LOW)
        out = 0
        merged = 0
        if len(created) > 0:
            for i in range(n - 1):
                if found[i] == best:
                    counted[best >> 32] += weight
        i = 0
        # Rank and result name the pair, so equal values are equal pairs.
        while i < n:
            if i < n - 1 and found[i] == best:
                sym[out] = new
                found[out] = _STALE
                if out > 0:
                    found[out - 1] = _STALE
                merged += 1
                i += 2
            else:
                sym[out] = sym[i]
                found[out] = found[i]
                i += 1
            out += 1
        n = out
        if len(created) > 0:
            applied[best >> 32] += weight * merged
            created[new] += weight * merged
        for i in range(n - 1):
            if found[i] == _STALE:
                found[i] = _pair(keys, values, shift, sym[i], sym[i + 1])
    return n


@njit(nogil=True, cache=True)
def _push(heap, size, key):
    i = size
    while i > 0:
        parent = (i - 1) >> 1
        if heap[parent] <= key:
            break
        heap[i] = heap[parent]
        i = parent
    heap[i] = key
    return size + 1


@njit(nogil=True, cache=True)
def _pop(heap, size):
    size -= 1
    key = heap[size]
    i = 0
    while True:
        child = 2 * i + 1
        if child >= size:
            break
        if child + 1 < size and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= key:
            break
        heap[i] = heap[child]
        i = child
    heap[i] = key
    return size


@njit(nogil=True, cache=True)
def _merge_long(
    sym, n, after, before, heap, round_, keys, values, shift, weight, created, counted, applied
):
    """As `_merge_short` in n log n: a linked list and a heap of (rank, position)."""
    size = 0
    for i in range(n):
        after[i] = i + 1 if i + 1 < n else -1
        before[i] = i - 1
        if i + 1 < n:
            value = _pair(keys, values, shift, sym[i], sym[i + 1])
            if value != _NONE:
                size = _push(heap, size, (value >> 32 << 32) | i)
    while size > 0:
        rank = heap[0] >> 32
        count = 0
        while size > 0 and heap[0] >> 32 == rank:
            round_[count] = np.int32(heap[0] & _LOW)
            count += 1
            size = _pop(heap, size)
        if len(created) > 0:
            for k in range(count):
                i = np.int64(round_[k])
                if sym[i] >= 0 and after[i] >= 0:
                    value = _pair(keys, values, shift, sym[i], sym[after[i]])
                    if value != _NONE and value >> 32 == rank:
                        counted[rank] += weight
        for k in range(count):
            i = np.int64(round_[k])
            j = np.int64(after[i])
            if sym[i] < 0 or j < 0:
                continue
            value = _pair(keys, values, shift, sym[i], sym[j])
            if value == _NONE or value >> 32 != rank:
                continue
            sym[i] = np.int32(value & _LOW)
            sym[j] = -1
            if len(created) > 0:
                created[sym[i]] += weight
                applied[rank] += weight
            after[i] = after[j]
            if after[j] >= 0:
                before[after[j]] = i
                value = _pair(keys, values, shift, sym[i], sym[after[i]])
                if value != _NONE:
                    size = _push(heap, size, (value >> 32 << 32) | i)
            if before[i] >= 0:
                value = _pair(keys, values, shift, sym[before[i]], sym[i])
                if value != _NONE:
                    size = _push(heap, size, (value >> 32 << 32) | before[i])
    out = 0
    for i in range(n):
        if sym[i] >= 0:
            sym[out] = sym[i]
            out += 1
    return out


@njit(nogil=True, cache=True)
def encode_pieces(
    data, offsets, first, last, byte_symbols, char_symbols, keys, values, shift,
    out, out_offsets, weights, created, counted, applied,
):  # fmt: skip
    """Encodes pieces `first` … `last` - 1 of an arena.

    Parameters
    ----------
    data, offsets : the pieces' bytes, one after another, and where each begins
    out : int32, at least as long as the bytes; out_offsets : int64, the same length as `offsets`
        Results; ``out_offsets[first]`` must be set.
    weights, created, counted, applied : int64
        Where `created` is not empty, ``created[token]`` grows by the weight of a piece each time
        the token comes to be on the way, base symbols included; ``counted[rank]`` by the pairs
        present when a merge fires, ``applied[rank]`` by those that it joins.

    Returns
    -------
    int
        -1, or the number of a byte that the table lacks; then the results are unfinished.
    """
    longest = np.int64(0)
    for i in range(first, last):
        longest = max(longest, offsets[i + 1] - offsets[i])
    sym = np.empty(longest + 1, np.int32)
    found = np.empty(_SHORT + 1, np.int64)
    room = longest + 1 if longest > _SHORT else 0
    after = np.empty(room, np.int32)
    before = np.empty(room, np.int32)
    round_ = np.empty(3 * room, np.int32)
    heap = np.empty(3 * room, np.int64)
    for i in range(first, last):
        n = to_symbols(data, offsets[i], offsets[i + 1], byte_symbols, char_symbols, sym)
        if n < 0:
            return -1 - n
        weight = weights[i] if len(created) > 0 else np.int64(0)
        if len(created) > 0:
            for k in range(n):
                created[sym[k]] += weight
        if n <= _SHORT:
            n = _merge_short(sym, n, found, keys, values, shift, weight, created, counted, applied)
        else:
            n = _merge_long(
                sym,
                n,
                after,
                before,
                heap,
                round_,
                keys,
                values,
                shift,
                weight,
                created,
                counted,
                applied,
            )
        begin = out_offsets[i]
        for k in range(n):
            out[begin + k] = sym[k]
        out_offsets[i + 1] = begin + n
    return -1


@njit(nogil=True, cache=True)
def gather(pieces, starts, lengths, arena):
    """Joins the token runs of pieces: ``arena[starts[p] : starts[p] + lengths[p]]`` for each p."""
    total = np.int64(0)
    for piece in pieces:
        total += lengths[piece]
    out = np.empty(total, np.int32)
    n = 0
    for piece in pieces:
        begin = starts[piece]
        for k in range(lengths[piece]):
            out[n] = arena[begin + k]
            n += 1
    return out


def pair_table(
    merges: NDArray[np.int32],
) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """The open-addressing table of dense merges (m, 3): keys, values and the hash's shift."""
    bits = max(4, int(2 * len(merges)).bit_length())
    keys = np.full(1 << bits, -1, dtype=np.int64)
    values = np.zeros(1 << bits, dtype=np.int64)
    fill_pairs(merges, keys, values, 64 - bits)
    return keys, values, 64 - bits

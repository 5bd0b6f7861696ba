"""Pieces of a text → how often each was seen, in the order in which they were first seen.

A piece of up to 15 bytes is its own key: its bytes and its length in 128 bits, equal only to
itself. The key of a longer one is a hash, the place of its bytes in the arena, and a comparison.
Entries stand in the order in which they came: so they need no sorting, those of frequent pieces
stand close together, and the slots can be thrown away and made anew from them.

Loops take arrays, not the `Table`: to take an array out of a tuple counts a reference, which
costs more than counting a piece.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bpe_studio.kernels.machine import load64, mix, prefetch, put64
from bpe_studio.kernels.scan import scan

# Words of an entry: the two of the key, then the count.
HIGH, COUNT = 1, 2
ENTRY_WORDS = 3
# Fields of `Table.used`.
ENTRIES, ARENA, MET, PIECES, CUT_PIECES, CHARACTERS = 0, 1, 2, 3, 4, 5
WANTED_ENTRIES, WANTED_ARENA = 6, 7
USED_FIELDS = 8
# What `count_documents` says when it returns.
DONE, MORE, NEEDS_ROOM = 0, 1, 2

# The highest byte of an entry's HIGH is the length; this for a piece that is not packed.
MAX_PACKED = 15
LONG = np.uint64((MAX_PACKED + 1) << 56)
PLACE = np.uint64((1 << 56) - 1)
# Before the bytes of a long piece stands its length.
HEAD = 8
# Pieces that are looked up together: so many accesses to memory are under way at once, and the
# keys of so many still stay in the cache.
GROUP = 128
# Of every piece of a group: the key's two words, and the hash, then the number of its entry.
SCRATCH_WORDS = 3 * GROUP

_LENGTH_SHIFT = np.uint64(56)
_ONE = np.uint64(1)
IN_PARTS = np.uint64((1 << 64) - 1)
_WORDS, _HIGH, _COUNT = np.uint64(ENTRY_WORDS), np.uint64(HIGH), np.uint64(COUNT)
_LOW_MASK = np.array(
    [(1 << 8 * min(length, 8)) - 1 for length in range(MAX_PACKED + 1)], dtype=np.uint64
)
_HIGH_MASK = np.array(
    [(1 << 8 * max(length - 8, 0)) - 1 for length in range(MAX_PACKED + 1)], dtype=np.uint64
)


class Table(NamedTuple):
    """Distinct pieces.

    Attributes
    ----------
    slots : uint32 array, ``1 << bits`` of them
        Open addressing. 0, or in the lower ``bits - 1`` bits the number of an entry + 1, so that
        at least half of the slots are free; above them bits of the hash.
    bits : int
    entries : uint64 array
        `ENTRY_WORDS` for each entry.
    arena : uint8 array
        Long pieces, each after its length.
    seen_in : uint32 array, of two for each entry, or empty
        The last document with the piece, from 1, and how many documents have it.
    floor : int
        How many documents are enough, where they are counted.
    met : uint64 array, or empty
        Documents with the pieces that they have, as long as a piece is in fewer than `floor`:
        ``document << 32 | entry``.
    used : int64 array
        How much of each is in use, and totals.
    """

    slots: NDArray[np.uint32]
    bits: int
    entries: NDArray[np.uint64]
    arena: NDArray[np.uint8]
    seen_in: NDArray[np.uint32]
    floor: int
    met: NDArray[np.uint64]
    used: NDArray[np.int64]


# Keys


@njit(nogil=True, cache=True)
def hash_bytes(data, start, end):
    """The hash of 16 bytes or more."""
    value = np.uint64(end - start)
    place = start
    while place + 16 < end:
        value = mix(load64(data, place) ^ value, load64(data, place + 8))
        place += 16
    # The last 16 bytes may overlap those before.
    return mix(load64(data, end - 16) ^ value, load64(data, end - 8))


@njit(nogil=True, cache=True, inline="always")
def hash_of_key(low, high):
    return low if high >= LONG else mix(low, high)


@njit(nogil=True, cache=True, inline="always")
def _tag_of(value, bits):
    """The part of a hash that a slot holds, where it holds it."""
    return np.uint32(value << np.uint64(bits - 1))


@njit(nogil=True, cache=True, inline="always")
def find_packed(slots, bits, entries, low, high, value):
    """The number of the entry of a packed piece, or ``~slot`` with the slot that it may take."""
    mask = np.uint32((1 << (bits - 1)) - 1)
    tag = _tag_of(value, bits)
    # Unsigned, or numba would look for negative indices at every access.
    slot = value >> np.uint64(64 - bits)
    wrap = np.uint64(len(slots) - 1)
    while True:
        held = slots[slot]
        if held == 0:
            return ~np.int64(slot)
        if (held ^ tag) & ~mask == 0:
            number = np.uint64(held & mask) - _ONE
            place = number * _WORDS
            if entries[place] == low and entries[place + _HIGH] == high:
                return np.int64(number)
        slot = (slot + _ONE) & wrap


@njit(nogil=True, cache=True)
def find_long(slots, bits, entries, arena, value, data, start, end):
    """As `find_packed`, for ``data[start:end]``, which is longer."""
    mask = np.uint32((1 << (bits - 1)) - 1)
    tag = _tag_of(value, bits)
    slot = np.int64(value >> np.uint64(64 - bits))
    while True:
        held = slots[slot]
        if held == 0:
            return ~slot
        if (held ^ tag) & ~mask == 0:
            number = np.int64(held & mask) - 1
            place = number * ENTRY_WORDS
            if entries[place] == value and entries[place + HIGH] >= LONG:
                kept = np.int64(entries[place + HIGH] & PLACE)
                if _is_kept(arena, kept, data, start, end):
                    return number
        slot = (slot + 1) & (len(slots) - 1)


@njit(nogil=True, cache=True)
def _is_kept(arena, place, data, start, end):
    length = end - start
    if np.int64(load64(arena, place)) != length:
        return False
    place += HEAD
    last = length - 8
    for offset in range(0, last, 8):
        if load64(arena, place + offset) != load64(data, start + offset):
            return False
    return load64(arena, place + last) == load64(data, start + last)


@njit(nogil=True, cache=True)
def _keep(arena, used, data, start, end):
    """Copies a long piece into the arena; its place there."""
    place = used[ARENA]
    length = end - start
    put64(arena, place, np.uint64(length))
    for i in range(length):
        arena[place + HEAD + i] = data[start + i]
    used[ARENA] = place + HEAD + length
    return place


# Counting


@njit(nogil=True, cache=True)
def _append(slots, bits, entries, used, slot, low, high, value):
    """A new entry, which is in `slot`; its number."""
    number = used[ENTRIES]
    used[ENTRIES] = number + 1
    slots[slot] = _tag_of(value, bits) | np.uint32(number + 1)
    place = number * ENTRY_WORDS
    entries[place] = low
    entries[place + HIGH] = high
    entries[place + COUNT] = 0
    return number


@njit(nogil=True, cache=True)
def _mark(seen_in, met, floor, used, number, document):
    """Notes that a document has a piece."""
    if seen_in[2 * number] != document:
        seen_in[2 * number] = document
        seen_in[2 * number + 1] += np.uint32(1)
        if seen_in[2 * number + 1] < floor:
            met[used[MET]] = (np.uint64(document) << np.uint64(32)) | np.uint64(number)
            used[MET] += 1


@njit(nogil=True, cache=True)
def _cut(data, start, end, cap):
    """Where the first part of a piece ends: after `cap` bytes at most, at a character."""
    cut = min(end, start + cap)
    while cut < end and data[cut] & 0xC0 == 0x80:
        cut -= 1
    return cut


@njit(nogil=True, cache=True)
def _count_parts(
    slots, bits, entries, arena, seen_in, met, floor, used, data, start, end, cap, document,
):  # fmt: skip
    """Counts the parts of a piece that is longer than `cap`."""
    used[CUT_PIECES] += 1
    while start < end:
        cut = _cut(data, start, end, cap)
        length = cut - start
        if length <= MAX_PACKED:
            low = load64(data, start) & _LOW_MASK[length]
            high = load64(data, start + 8) & _HIGH_MASK[length]
            high |= np.uint64(length) << _LENGTH_SHIFT
            value = mix(low, high)
            number = find_packed(slots, bits, entries, low, high, value)
        else:
            low = value = hash_bytes(data, start, cut)
            high = LONG
            number = find_long(slots, bits, entries, arena, value, data, start, cut)
        if number < 0:
            if length > MAX_PACKED:
                high |= np.uint64(_keep(arena, used, data, start, cut))
            number = _append(slots, bits, entries, used, ~number, low, high, value)
        entries[number * ENTRY_WORDS + COUNT] += _ONE
        if len(seen_in):
            _mark(seen_in, met, floor, used, number, document)
        start = cut


@njit(nogil=True, cache=True, inline="always")
def count_group(data, begin, ends, first, last, cap, document, table, scratch):
    """Counts pieces `first` to `last`, at most `GROUP` of them; see `count_pieces`.

    Field 2 of each in `scratch` is its number then, or `IN_PARTS`.
    """
    slots, bits, entries, arena = table.slots, table.bits, table.entries, table.arena
    used = table.used
    shift = np.uint64(64 - bits)
    mask = np.uint32((1 << (bits - 1)) - 1)
    start = begin
    at = 0
    for i in range(first, last):
        end = ends[i]
        length = end - start
        if length <= MAX_PACKED:
            low = load64(data, start) & _LOW_MASK[length]
            high = load64(data, start + 8) & _HIGH_MASK[length]
            high |= np.uint64(length) << _LENGTH_SHIFT
            value = mix(low, high)
        else:
            low = value = hash_bytes(data, start, min(end, start + cap))
            high = LONG
        scratch[at] = low
        scratch[at + 1] = high
        scratch[at + 2] = value
        prefetch(slots, np.int64(value >> shift))
        at += 3
        start = end
    for i in range(2, at, 3):
        # A free slot asks for what is before the first entry, which harms nobody.
        held = slots[np.int64(scratch[i] >> shift)]
        prefetch(entries, (np.int64(held & mask) - 1) * ENTRY_WORDS)
    start = begin
    at = 0
    for i in range(first, last):
        end = ends[i]
        low, high, value = scratch[at], scratch[at + 1], scratch[at + 2]
        at += 3
        if high < LONG:
            number = find_packed(slots, bits, entries, low, high, value)
        elif end - start <= cap:
            number = find_long(slots, bits, entries, arena, value, data, start, end)
            if number < 0:
                high |= np.uint64(_keep(arena, used, data, start, end))
        else:
            _count_parts(
                slots, bits, entries, arena, table.seen_in, table.met, table.floor, used, data,
                start, end, cap, document,
            )  # fmt: skip
            scratch[at - 1] = IN_PARTS
            start = end
            continue
        if number < 0:
            number = _append(slots, bits, entries, used, ~number, low, high, value)
        entries[np.uint64(number) * _WORDS + _COUNT] += _ONE
        scratch[at - 1] = np.uint64(number)
        start = end


@njit(nogil=True, cache=True)
def count_pieces(data, begin, ends, n, cap, document, table, scratch):
    """Counts ``data[begin:ends[0]]``, ``data[ends[0]:ends[1]]``, … up to ``ends[n - 1]``.

    Parameters
    ----------
    data : uint8 array, with 16 bytes or more after the last piece
    cap : the longest piece in bytes, at least 16; a longer one is counted in parts
    document : its number, from 1
    table : with room for all of it, see `make_room`
    scratch : uint64 array of `SCRATCH_WORDS`
    """
    noting = len(table.seen_in) > 0
    table.used[PIECES] += n
    for first in range(0, n, GROUP):
        last = min(n, first + GROUP)
        count_group(data, begin, ends, first, last, cap, document, table, scratch)
        begin = ends[last - 1]
        # Apart, so that counting alone pays nothing for it.
        if noting:
            for i in range(2, 3 * (last - first), 3):
                if scratch[i] != IN_PARTS:
                    _mark(
                        table.seen_in, table.met, table.floor, table.used,
                        np.int64(scratch[i]), document,
                    )  # fmt: skip


@njit(nogil=True, cache=True)
def has_room(table, n, size, cap):
    """Whether `n` pieces of `size` bytes in all fit whatever they are; notes what they need."""
    used = table.used
    most = n + size // (cap - 3)
    used[WANTED_ENTRIES] = used[ENTRIES] + most
    used[WANTED_ARENA] = used[ARENA] + 2 * size
    room = min(len(table.entries) // ENTRY_WORDS, (1 << (table.bits - 1)) - 1)
    if used[WANTED_ENTRIES] > room or used[WANTED_ARENA] > len(table.arena):
        return False
    return len(table.seen_in) == 0 or used[MET] + most <= len(table.met)


@njit(nogil=True, cache=True)
def count_documents(
    data, documents, state, rules, ends, cap, number, budget, table, scratch,
):  # fmt: skip
    """Scans and counts documents that stand one after another.

    Parameters
    ----------
    data : uint8 array, with 32 bytes or more after the last document
    documents : int64 array, where they end
    state : int64 array, the document and the position in data to begin with; moved on
    rules : of the scanner
    ends : int64 array, for a batch of ends of pieces
    number : of the first document, from 1
    budget : bytes after which to return

    Returns
    -------
    DONE, MORE, or NEEDS_ROOM: to be called again with more room.
    """
    index, position = state[0], state[1]
    stop = position + budget
    while index < len(documents):
        end = documents[index]
        while position < end:
            if position >= stop:
                return MORE
            n, after = scan(data, position, end, rules, ends)
            if not has_room(table, n, after - position, cap):
                return NEEDS_ROOM
            count_pieces(data, position, ends, n, cap, number + index, table, scratch)
            position = after
            state[1] = position
        index += 1
        state[0] = index
    return DONE


@njit(nogil=True, cache=True)
def count_characters(data, start, end):
    """Characters of valid UTF-8: bytes that do not continue one."""
    found = 0
    for i in range(start, end):
        found += (data[i] & 0xC0) != 0x80
    return found


@njit(nogil=True, cache=True)
def rehash(entries, first, last, slots, bits):
    """Enters a range of entries into slots that are new to them."""
    for number in range(first, last):
        place = number * ENTRY_WORDS
        value = hash_of_key(entries[place], entries[place + HIGH])
        slot = np.int64(value >> np.uint64(64 - bits))
        while slots[slot] != 0:
            slot = (slot + 1) & (len(slots) - 1)
        slots[slot] = _tag_of(value, bits) | np.uint32(number + 1)

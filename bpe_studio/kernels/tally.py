"""Pieces of documents → how often each token is used: in all, in how many documents, where most."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bpe_studio.kernels.machine import ZERO, borrowed, load64, prefetch

# Of one token, in one cache line: uses and documents; the document that was seen last (from 1, or
# negative for a part of one), the uses there and the place of the first; and of the document with
# most uses the number (from 1), the uses and the place of the first.
SEEN = np.dtype(
    [
        ("final", np.int64),
        ("documents", np.int64),
        ("last", np.int64),
        ("here", np.int64),
        ("first", np.int64),
        ("largest", np.int64),
        ("largest_document", np.int64),
        ("place", np.int64),
    ]
)
# Of `Known.scripts`: the text must be asked.
ASK = -1
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_AHEAD = 6


class Items(NamedTuple):
    """What may be used, a piece or a single token, and the tokens that each is.

    Attributes
    ----------
    starts : int64 array
        Item i is ``tokens[starts[i] : starts[i + 1]]``.
    tokens : int32 array
        Dense; less than 0 for what is no token of the table.
    lengths : int32 array, one a token
        Its bytes.
    scripts : uint8 array, one a token
        The script of each where it stands.
    wrong : bool array, one an item
        Whether decoding does not give it back.
    """

    starts: NDArray[np.int64]
    tokens: NDArray[np.int32]
    lengths: NDArray[np.int32]
    scripts: NDArray[np.uint8]
    wrong: NDArray[np.bool_]


class Known(NamedTuple):
    """What is known of a table's tokens.

    Attributes
    ----------
    data, offsets : the tokens' bytes, one after another, with 8 more; and where each begins
    characters : int32 array
        How many characters begin in each.
    scripts : int16 array
        The script of each, or ASK, where it begins or ends inside a character.
    script_of : uint8 array, shape (0x110000,)
        The script of every character; 0 has what belongs to any.
    """

    data: NDArray[np.uint8]
    offsets: NDArray[np.int64]
    characters: NDArray[np.int32]
    scripts: NDArray[np.int16]
    script_of: NDArray[np.uint8]


class Tally(NamedTuple):
    """What one thread has seen.

    Attributes
    ----------
    seen : SEEN array, one a token
    script_tokens, script_characters : int64 arrays, one a script
    touched : int32 array, and part_uses, part_places : int64 arrays, one a token
        Room for the tokens of a part of a document, how often it has each, and where first.
    """

    seen: NDArray[np.void]
    script_tokens: NDArray[np.int64]
    script_characters: NDArray[np.int64]
    touched: NDArray[np.int32]
    part_uses: NDArray[np.int64]
    part_places: NDArray[np.int64]


@njit(nogil=True, cache=True, inline="always")
def _fetch(uses, row, last, items, seen):
    """What the rows that come soon will read is fetched meanwhile: they come in no order."""
    prefetch(items.starts, uses[min(row + 3 * _AHEAD, last)].piece)
    start = items.starts[uses[min(row + 2 * _AHEAD, last)].piece]
    prefetch(items.tokens, start)
    prefetch(items.lengths, start)
    token = np.int64(items.tokens[items.starts[uses[min(row + _AHEAD, last)].piece]])
    prefetch(seen, max(token, ZERO))


@njit(nogil=True, cache=True)
def tally_documents(uses, borders, begins, number, items, tally):
    """Adds whole documents.

    Parameters
    ----------
    uses : USE array of `piece_use`
        Its pieces are items.
    borders : int64, shape (documents + 1,)
        Document i has the rows ``uses[borders[i] : borders[i + 1]]``.
    begins : int64, shape (documents,)
        Where each begins in the text that places are of.
    number : of the first document, from 1
    """
    uses, items, tally = borrowed(uses), borrowed(items), borrowed(tally)
    seen = tally.seen
    for i in range(len(borders) - 1):
        document = np.int64(number + i)
        for row in range(borders[i], borders[i + 1]):
            _fetch(uses, row, borders[i + 1] - 1, items, seen)
            item, count = uses[row].piece, uses[row].count
            place = uses[row].place - begins[i]
            for k in range(items.starts[item], items.starts[item + 1]):
                token = np.int64(items.tokens[k])
                if token < 0:
                    continue
                this = seen[token]
                if this.last != document:
                    this.last = document
                    this.documents += 1
                    this.here = 0
                    this.first = place
                this.here += count
                if this.here > this.largest:
                    this.largest = this.here
                    this.largest_document = document
                    this.place = this.first
                place += items.lengths[k]


@njit(nogil=True, cache=True)
def tally_part(uses, first, last, mark, items, tally):
    """Adds ``uses[first:last]``, a part of a document.

    Parameters
    ----------
    mark : int, negative, and another one for every part

    Returns
    -------
    int
        How many different tokens it has, which are in `touched`, `part_uses` and `part_places`.
    """
    uses, items, tally = borrowed(uses), borrowed(items), borrowed(tally)
    seen, touched = tally.seen, tally.touched
    n = 0
    for row in range(first, last):
        _fetch(uses, row, last - 1, items, seen)
        item, count, place = uses[row].piece, uses[row].count, uses[row].place
        for k in range(items.starts[item], items.starts[item + 1]):
            token = np.int64(items.tokens[k])
            if token < 0:
                continue
            this = seen[token]
            if this.last != mark:
                this.last = mark
                this.here = n
                touched[n] = token
                tally.part_uses[n] = 0
                tally.part_places[n] = place
                n += 1
            tally.part_uses[this.here] += count
            place += items.lengths[k]
    return n


@njit(nogil=True, cache=True)
def tally_items(items, number, counts, step, known, tally):
    """Adds how often the first items are used in all: item i ``counts[i * step]`` times."""
    for item in range(number):
        count = np.int64(counts[item * step])
        for k in range(items.starts[item], items.starts[item + 1]):
            token, script = items.tokens[k], items.scripts[k]
            if token >= 0:
                tally.seen[token].final += count
                tally.script_tokens[script] += count
                tally.script_characters[script] += count * known.characters[token]


@njit(nogil=True, cache=True)
def failed_documents(uses, borders, items, failed):
    """Sets `failed` for the documents with an item that decoding does not give back."""
    for i in range(len(borders) - 1):
        for row in range(borders[i], borders[i + 1]):
            failed[i] |= items.wrong[uses[row].piece]


@njit(nogil=True, cache=True)
def add_part(tally, n, base, uses, places):
    """Adds the `n` tokens of a part, whose places count from `base` on, to those of a document."""
    for i in range(n):
        token = tally.touched[i]
        uses[token] += tally.part_uses[i]
        places[token] = min(places[token], base + tally.part_places[i])


@njit(nogil=True, cache=True)
def find_scripts(tokens, starts, ends, text, known, out):
    """The script of every token where it stands: ``text[starts[i] : ends[i]]``."""
    for k in range(len(tokens)):
        out[k] = 0
        if tokens[k] >= 0:
            script = np.int64(known.scripts[tokens[k]])
            out[k] = _script_at(starts[k], ends[k], text, known) if script == ASK else script


@njit(nogil=True, cache=True)
def scripts_of_tokens(data, offsets, script_of, out):
    """The script of every token, or ASK, as of `Known`."""
    for token in range(len(offsets) - 1):
        start, end = offsets[token], offsets[token + 1]
        out[token] = ASK if data[start] & 0xC0 == 0x80 else _script(start, end, data, script_of)


@njit(nogil=True, cache=True)
def _script_at(start, end, text, known):
    """The first script that a stretch of text tells, halves of characters counted as whole."""
    while start > 0 and text[start] & 0xC0 == 0x80:
        start -= 1
    while end < len(text) and text[end] & 0xC0 == 0x80:
        end += 1
    return max(_script(start, end, text, known.script_of), ZERO)


@njit(nogil=True, cache=True)
def _script(start, end, text, script_of):
    """The first script of some characters; ASK where only the unfinished last one has one."""
    while start < end:
        lead = np.int64(text[start])
        if lead < 0x80:
            point, start = lead, start + 1
        elif lead < 0xE0:
            point = (lead & 0x1F) << 6 | (text[start + 1] & 0x3F)
            start += 2
        elif lead < 0xF0:
            point = (lead & 0x0F) << 12 | (text[start + 1] & 0x3F) << 6 | (text[start + 2] & 0x3F)
            start += 3
        else:
            point = (
                (lead & 0x07) << 18
                | (text[start + 1] & 0x3F) << 12
                | (text[start + 2] & 0x3F) << 6
                | (text[start + 3] & 0x3F)
            )
            start += 4
        if start > end:
            return np.int64(ASK)
        script = np.int64(script_of[min(point, len(script_of) - 1)])
        if script != 0:
            return script
    return np.int64(0)


@njit(nogil=True, cache=True)
def add_items(items, first, begin, data, offsets, known):
    """Sets `starts` and `wrong` of items from `first` on, whose tokens stand from `begin` on.

    Parameters
    ----------
    data, offsets : their bytes, with 8 more, and where each begins and the last ends
    """
    k = begin
    for i in range(len(offsets) - 1):
        items.starts[first + i] = k
        at, end = offsets[i], offsets[i + 1]
        wrong = np.uint64(0)
        while at < end:
            place, length = known.offsets[items.tokens[k]], np.int64(items.lengths[k])
            for done in range(0, length - 8, 8):
                wrong |= load64(known.data, place + done) ^ load64(data, at + done)
            # What is left: 1 to 8 bytes.
            done = max((length - 1) & ~7, 0)
            rest = load64(known.data, place + done) ^ load64(data, at + done)
            wrong |= rest & (ALL >> np.uint64(64 - 8 * (length - done)))
            at += length
            k += 1
        items.wrong[first + i] = wrong != 0 or at != end
    items.starts[first + len(offsets) - 1] = k

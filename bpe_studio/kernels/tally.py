"""Tokens of documents → how often each is used: in all, in how many documents, where most."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bpe_studio.kernels.machine import borrowed, load64

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
# The first field counts, the others name the first documents.
FAILURES = 101


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
    touched : int32 array, one a token
        Room for the tokens of a part of a document.
    failures : int64 array, shape (FAILURES,)
    """

    seen: NDArray[np.void]
    script_tokens: NDArray[np.int64]
    script_characters: NDArray[np.int64]
    touched: NDArray[np.int32]
    failures: NDArray[np.int64]


@njit(nogil=True, cache=True)
def tally_documents(tokens, starts, ends, borders, number, base, text, known, tally):
    """Adds documents, whole ones, that stand one after another.

    Parameters
    ----------
    tokens : int32, dense; less than 0 for what is no token of the table
    starts, ends : int64
        Where each begins and ends in the text.
    borders : int64
        Document i is ``tokens[borders[i] : borders[i + 1]]``.
    number : of the first document, from 1
    base : int64, one a document
        Where each begins in the text.
    text : uint8, with padding
    """
    tokens, starts, ends = borrowed(tokens), borrowed(starts), borrowed(ends)
    text, known, tally = borrowed(text), borrowed(known), borrowed(tally)
    seen = tally.seen
    for i in range(len(borders) - 1):
        document = np.int64(number + i)
        for k in range(borders[i], borders[i + 1]):
            token = tokens[k]
            if token < 0:
                continue
            this = seen[token]
            this.final += 1
            if this.last != document:
                this.last = document
                this.documents += 1
                this.here = 0
                this.first = starts[k] - base[i]
            this.here += 1
            if this.here > this.largest:
                this.largest = this.here
                this.largest_document = document
                this.place = this.first
            _note_script(token, starts[k], ends[k], text, known, tally)


@njit(nogil=True, cache=True)
def tally_part(tokens, starts, ends, first, last, mark, text, known, tally):
    """Adds ``tokens[first:last]``, a part of a document, without saying anything of documents.

    Parameters
    ----------
    mark : int, negative, and another one for every part

    Returns
    -------
    int
        How many different tokens it has: those in `touched`, with their uses and places in
        `here` and `first` of `seen`.
    """
    tokens, starts, ends = borrowed(tokens), borrowed(starts), borrowed(ends)
    text, known, tally = borrowed(text), borrowed(known), borrowed(tally)
    seen, touched = tally.seen, tally.touched
    n = 0
    for k in range(first, last):
        token = tokens[k]
        if token < 0:
            continue
        this = seen[token]
        this.final += 1
        if this.last != mark:
            this.last = mark
            this.here = 0
            this.first = starts[k]
            touched[n] = token
            n += 1
        this.here += 1
        _note_script(token, starts[k], ends[k], text, known, tally)
    return n


@njit(nogil=True, cache=True, inline="always")
def _note_script(token, start, end, text, known, tally):
    script = np.int64(known.scripts[token])
    if script == ASK:
        script = _script_at(start, end, text, known.script_of)
    tally.script_tokens[script] += 1
    tally.script_characters[script] += known.characters[token]


@njit(nogil=True, cache=True)
def _script_at(start, end, text, script_of):
    """The first script that a stretch of text tells, halves of characters counted as whole."""
    while start > 0 and text[start] & 0xC0 == 0x80:
        start -= 1
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
        script = np.int64(script_of[min(point, len(script_of) - 1)])
        if script != 0:
            return script
    return np.int64(0)


@njit(nogil=True, cache=True)
def check_round_trip(tokens, borders, ends, number, text, known, failures):
    """Notes the documents whose tokens' bytes are not their text.

    Parameters
    ----------
    tokens, borders, number : as of `tally_documents`
    ends : int64
        Where each document ends in the text; the first begins at 0.
    """
    tokens, text, known = borrowed(tokens), borrowed(text), borrowed(known)
    data, offsets = known.data, known.offsets
    at = np.int64(0)
    for i in range(len(borders) - 1):
        wrong = np.uint64(0)
        for k in range(borders[i], borders[i + 1]):
            begin = offsets[tokens[k]]
            length = offsets[tokens[k] + 1] - begin
            if at + length > ends[i]:
                wrong = ALL
                break
            for done in range(0, length - 8, 8):
                wrong |= load64(data, begin + done) ^ load64(text, at + done)
            # What is left: 1 to 8 bytes.
            done = max((length - 1) & ~7, 0)
            rest = load64(data, begin + done) ^ load64(text, at + done)
            wrong |= rest & (ALL >> np.uint64(64 - 8 * (length - done)))
            at += length
        if wrong != 0 or at != ends[i]:
            failures[0] += 1
            if failures[0] < len(failures):
                failures[failures[0]] = number + i
        at = ends[i]

"""UTF-8 bytes to the ends of their pieces.

``pieces.py`` says what a piece is and finds one at a time; ``blocks.py`` finds the same for 64
bytes at once where they are ASCII, and leaves to it what it does not know.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from bpe_studio.kernels.blocks import BLOCK, block_starts, is_ascii
from bpe_studio.kernels.lanes import count_ones
from bpe_studio.kernels.machine import borrowed, trailing_zeros
from bpe_studio.kernels.pieces import (
    LETTER,
    LINE_END,
    NUMBER,
    SLASH,
    SPACE,
    Rules,
    look,
    piece_end,
)

__all__ = ["Rules", "last_cut", "scan"]

_ONE = np.uint64(1)
_LAST = _ONE << np.uint64(63)


@njit(nogil=True, cache=True)
def _write_starts(starts, at, ends, count):
    """Where a piece starts the one before it ends; returns the new count and the last of them."""
    number = np.int64(count_ones(starts))
    written = 0
    # Four at a time: what is written beyond `number` is written over, and the loop's end is
    # easier to foresee.
    while written < number:
        for _ in range(4):
            ends[count + written] = at + trailing_zeros(starts | _LAST)
            starts &= starts - _ONE
            written += 1
    count += number
    return count, ends[count - 1]


@njit(nogil=True, cache=True)
def scan(data, start, end, rules, ends):
    """Cuts ``data[start:end]``, a text of its own, into pieces.

    Writes where each ends into `ends` (int64) until the text or the room is used up.

    Returns
    -------
    count, position : int
        How many ends were written, and the last of them (`start` where there is none); the text
        is finished where it is `end`.
    """
    data, rules = borrowed(data), borrowed(rules)
    count = 0
    at = np.int64(start)
    while at < end and count < len(ends):
        # A block has 64 starts at most.
        if at + BLOCK <= len(data) and count + BLOCK <= len(ends) and is_ascii(data, at):
            starts = block_starts(data, at, end, rules)
            if starts:
                count, at = _write_starts(starts, at, ends, count)
                continue
        at = piece_end(data, at, end, rules)
        ends[count] = at
        count += 1
    return count, at


@njit(nogil=True, cache=True)
def last_cut(data, start, end, rules):
    """The last place where ``data[start:end]`` may be cut in two with the same pieces.

    That is before white space after a character that is none, where it is no line end or the
    character a letter or number; and after a single line feed between characters that are no
    white space (nor a slash, which may follow a line end). Only ASCII white space is looked for.

    Returns
    -------
    int
        `start` where no such place is seen.
    """
    classes = rules.classes
    for at in range(end - 1, start, -1):
        byte = data[at]
        if byte >= 0x80 or not classes[byte] & SPACE:
            continue
        before = at - 1
        while before > start and data[before] & 0xC0 == 0x80:
            before -= 1
        bits, _ = look(data, before, end, classes)
        if bits & SPACE:
            continue
        if bits & (LETTER | NUMBER) or not classes[byte] & LINE_END:
            return np.int64(at)
        after, _ = look(data, at + 1, end, classes)
        if byte == 0x0A and not after & SPACE and data[at + 1] != SLASH:
            return np.int64(at + 1)
    return np.int64(start)

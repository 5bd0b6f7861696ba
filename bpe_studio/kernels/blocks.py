"""The pieces of 64 bytes at once, as far as they are ASCII and the block shows enough.

A character is a bit: every kind of character is a mask of 64 bits, its neighbours are the mask
shifted by one, and the rules of ``pieces.py`` are a few operations on masks instead of a decision
for every character. What cannot be told from the block alone is left out of the answer: what
comes after a character that is not ASCII, or white space and apostrophes whose sequel is not
seen.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from bpe_studio.kernels.lanes import between64, equal64
from bpe_studio.kernels.machine import leading_zeros, load64, trailing_zeros
from bpe_studio.kernels.pieces import (
    AFTER_WORD,
    LETTER,
    LINE_ENDS_AND_SLASHES,
    NO_CONTRACTIONS,
    NOTHING,
    contraction_end,
)

BLOCK = 64
_ZERO, _ONE = np.uint64(0), np.uint64(1)
_ALL = ~_ZERO
_LAST = _ONE << np.uint64(63)
_HIGH_BITS = np.uint64(0x8080808080808080)


@njit(nogil=True, cache=True)
def is_ascii(data, at):
    """Whether the next eight bytes are; else a block would show too little."""
    return load64(data, at) & _HIGH_BITS == _ZERO


@njit(nogil=True, cache=True)
def _after(mask):
    return mask << _ONE


@njit(nogil=True, cache=True)
def _before(mask):
    return mask >> _ONE


@njit(nogil=True, cache=True)
def _below_first(mask):
    """All bits below the lowest that is set; all 64 where none is."""
    return (mask & (_ZERO - mask)) - _ONE


@njit(nogil=True, cache=True)
def _highest(mask):
    """The highest bit that is set, alone; `mask` is not zero."""
    return _LAST >> np.uint64(leading_zeros(mask))


@njit(nogil=True, cache=True)
def block_starts(data, at, end, rules):
    """Where pieces start in ``data[at : at + 64]``, given that one does at `at`.

    Returns
    -------
    uint64
        Bit i for ``at + i``, without that for `at` itself. Zero where nothing is known; else all
        starts up to the last of them.
    """
    capital = between64(data, at, ord("A"), ord("Z"))
    small = between64(data, at, ord("a"), ord("z"))
    letter = capital | small
    if rules.classes[ord("_")] & LETTER:
        letter |= equal64(data, at, ord("_"))
    digit = between64(data, at, ord("0"), ord("9"))
    blank = equal64(data, at, ord(" "))
    space = blank | between64(data, at, ord("\t"), ord("\r"))
    line_end = equal64(data, at, ord("\n")) | equal64(data, at, ord("\r"))
    unknown = between64(data, at, 0x80, 0xFF)
    if end - at < BLOCK:
        unknown |= _ALL << np.uint64(end - at)
    if rules.tail == LINE_ENDS_AND_SLASHES:
        # Such a slash may belong to punctuation further back.
        unknown |= equal64(data, at, ord("/")) & _after(line_end)
    other = ~(letter | digit | space | unknown)
    known = _below_first(unknown)
    solid = ~space & known
    if solid == _ZERO:
        return _ZERO
    # Of white space that reaches to the unknown only the first is sure.
    sure = _after(_highest(solid))
    known &= sure | (sure - _ONE)

    # Where the kind changes, and no space or other character before it is a part of it.
    starts = _ONE | (other & ~_after(other | blank)) | (space & ~_after(space))
    if rules.any_prefix:
        lone = other & ~_after(other | blank)
        starts |= letter & ~_after(letter | lone | (space & ~line_end))
        starts |= digit & ~_after(digit)
    else:
        starts |= letter & ~_after(letter | blank)
        starts |= digit & ~_after(digit | blank)
    if rules.cased:
        starts |= capital & _after(small)
    if rules.digits:
        starts |= _further_numbers(digit, starts, rules.digits)
    # White space gives its last character to what follows.
    if rules.to_line_end:
        starts |= space & ~line_end & ~_before(space)
        first = space & ~line_end & _after(line_end)
        starts |= first
        again = ((space & ~line_end) + first) & line_end & known
        if again:
            # White space goes on to another line end; whether it is cut before is not known.
            known &= _highest(first & _below_first(again)) - _ONE
    else:
        starts |= space & ~_before(space)
    if rules.tail != NOTHING:
        starts &= ~(line_end & _after(other))

    apostrophe = equal64(data, at, ord("'")) & (_before(letter | unknown) | _LAST) & known
    if apostrophe and rules.contractions != NO_CONTRACTIONS:
        starts, known = _with_contractions(data, at, end, rules, apostrophe, letter, starts, known)
    return starts & known & ~_ONE


@njit(nogil=True, cache=True)
def _further_numbers(digit, starts, most):
    """The starts inside digits that are too many for one number."""
    inside = digit
    for _ in range(most):
        inside = digit & _after(inside)
    step = np.uint64(most)
    found = _ZERO
    new = ((starts & digit) << step) & inside
    while new:
        found |= new
        new = (new << step) & inside
    return found


@njit(nogil=True, cache=True)
def _with_contractions(data, at, end, rules, apostrophe, letter, starts, known):
    """The starts with contractions kept whole, and how far they are known now."""
    if rules.contractions == AFTER_WORD:
        apostrophe &= _after(letter)
    else:
        apostrophe &= starts
    used = _ZERO
    while apostrophe:
        place = trailing_zeros(apostrophe)
        bit = _ONE << np.uint64(place)
        apostrophe &= apostrophe - _ONE
        # Three more characters tell what it is.
        if not known >> np.uint64(place) >> np.uint64(3):
            own = bit if rules.contractions != AFTER_WORD else _ZERO
            return starts, known & ((bit - _ONE) | own)
        begin = at + place
        stop = contraction_end(data, begin, end, rules)
        if stop == begin:
            continue
        after = bit << np.uint64(stop - begin)
        inside = after - bit
        if rules.contractions != AFTER_WORD:
            inside &= ~bit
        elif bit & used:
            # An apostrophe after a contraction follows no word.
            continue
        starts = (starts & ~inside) | after
        used = after
    return starts, known

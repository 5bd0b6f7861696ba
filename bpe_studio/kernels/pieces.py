"""One piece of a text, as the pattern reads: one scanner for every preset.

The presets of ``bpe/patterns.py`` are one expression with a few switches (`Rules`). Their
alternatives, in the order in which they are tried:

1. a contraction: ``'s 't 're 've 'm 'll 'd``
2. a word, with a character before it that belongs to it
3. a number
4. punctuation, with a space before it and line ends after it
5. white space: up to the end of the text; or up to its last line end; or all but its last
   character, which belongs to what follows; or that one character

A position is a byte. Texts are valid UTF-8; nothing checks that here.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

# What a character is: the bits of `Rules.classes`. Punctuation is what is none of the first three.
SPACE, LETTER, NUMBER, LINE_END = 1, 2, 4, 8
# May stand in the first or in the second half of a cased word; letters without case and marks
# may stand in both.
UPPER, LOWER = 16, 32
# Equal to "s" without regard to case.
LONG_S = 64

# Values of `Rules.contractions`.
AS_WRITTEN, ANY_CASE, AFTER_WORD, NO_CONTRACTIONS = 0, 1, 2, 3
# Values of `Rules.tail`.
NOTHING, LINE_ENDS, LINE_ENDS_AND_SLASHES = 0, 1, 2

BLANK, APOSTROPHE, SLASH = 0x20, 0x27, 0x2F
_KIND = SPACE | LETTER | NUMBER


class Rules(NamedTuple):
    """What tells one preset from another.

    Attributes
    ----------
    classes : uint8 array, shape (0x110000,)
        Bits for every code point.
    contractions : int
        A piece of their own, `AS_WRITTEN` or in `ANY_CASE`; or, in any case, the end of a word
        (`AFTER_WORD`); or nothing of its own (`NO_CONTRACTIONS`).
    any_prefix : int
        1 where a word may begin with any character but a letter, number or line end; 0 where a
        word or number may begin with a space.
    digits : int
        The most that make one number; 0 for no limit.
    tail : int
        What may follow punctuation in its piece.
    to_line_end : int
        1 where white space is cut after its last line end.
    to_text_end : int
        1 where white space that ends the text is one piece, whatever its line ends.
    cased : int
        1 where a word is capitals followed by small letters: ``HTMLPage|Name``.
    """

    classes: NDArray[np.uint8]
    contractions: int
    any_prefix: int
    digits: int
    tail: int
    to_line_end: int
    to_text_end: int
    cased: int


@njit(nogil=True, cache=True)
def look(data, at, end, classes):
    """The bits of the character at `at`, and where the next one begins.

    The end of the text looks like white space: it ends every run.
    """
    if at >= end:
        return np.int64(SPACE), at
    lead = np.int64(data[at])
    if lead < 0x80:
        return np.int64(classes[lead]), at + 1
    if lead < 0xE0:
        point = ((lead & 0x1F) << 6) | np.int64(data[at + 1] & 0x3F)
        return np.int64(classes[point]), at + 2
    point = (np.int64(data[at + 1] & 0x3F) << 6) | np.int64(data[at + 2] & 0x3F)
    if lead < 0xF0:
        return np.int64(classes[((lead & 0x0F) << 12) | point]), at + 3
    point = ((lead & 0x07) << 18) | (point << 6) | np.int64(data[at + 3] & 0x3F)
    return np.int64(classes[point]), at + 4


@njit(nogil=True, cache=True)
def contraction_end(data, start, end, rules):
    """The end of the contraction that begins at `start`; `start` where none does."""
    if end - start < 2 or data[start] != APOSTROPHE or rules.contractions == NO_CONTRACTIONS:
        return start
    fold = 0 if rules.contractions == AS_WRITTEN else 0x20
    first = data[start + 1] | fold
    if first == ord("s") or first == ord("t") or first == ord("m") or first == ord("d"):
        return start + 2
    if end - start < 3:
        return start
    second = data[start + 2] | fold
    if (first == ord("l") and second == ord("l")) or (
        (first == ord("r") or first == ord("v")) and second == ord("e")
    ):
        return start + 3
    if fold and data[start + 1] >= 0x80:
        bits, after = look(data, start + 1, end, rules.classes)
        if bits & LONG_S:
            return after
    return start


@njit(nogil=True, cache=True)
def _run_end(data, at, end, classes, mask, kind):
    """The end of the characters from `at` on whose bits under `mask` are `kind`."""
    while True:
        bits, after = look(data, at, end, classes)
        if bits & mask != kind:
            return at
        at = after


@njit(nogil=True, cache=True)
def _cased_word_end(data, start, end, rules, capitals_alone):
    """``UPPER* LOWER+``, else, where `capitals_alone`, ``UPPER+``; then a contraction.

    `start` where neither matches.
    """
    classes = rules.classes
    at = start
    lower_end = start
    while True:
        bits, after = look(data, at, end, classes)
        if not bits & UPPER:
            break
        at = after
        if bits & LOWER:
            lower_end = at
    if bits & LOWER:
        at = _run_end(data, at, end, classes, LOWER, LOWER)
    elif lower_end > start:
        # LOWER+ needs a character: the capitals give back all after their last that is one.
        at = lower_end
    elif not capitals_alone or at == start:
        return start
    return contraction_end(data, at, end, rules)


@njit(nogil=True, cache=True)
def _word_end(data, start, end, rules):
    if rules.cased:
        return _cased_word_end(data, start, end, rules, True)
    return _run_end(data, start, end, rules.classes, LETTER, LETTER)


@njit(nogil=True, cache=True)
def _number_end(data, start, end, rules):
    if rules.digits == 0:
        return _run_end(data, start, end, rules.classes, NUMBER, NUMBER)
    at = start
    for _ in range(rules.digits):
        bits, after = look(data, at, end, rules.classes)
        if not bits & NUMBER:
            break
        at = after
    return at


@njit(nogil=True, cache=True)
def _punctuation_end(data, start, end, rules):
    at = _run_end(data, start, end, rules.classes, _KIND, 0)
    if rules.tail != NOTHING:
        while at < end and (
            data[at] == 0x0A
            or data[at] == 0x0D
            or (data[at] == SLASH and rules.tail == LINE_ENDS_AND_SLASHES)
        ):
            at += 1
    return at


@njit(nogil=True, cache=True)
def _space_end(data, start, end, rules):
    at = start
    last = start
    line_end = start
    while at < end:
        bits, after = look(data, at, end, rules.classes)
        if not bits & SPACE:
            break
        last = at
        at = after
        if bits & LINE_END:
            line_end = at
    if rules.to_text_end and at == end:
        return at
    if rules.to_line_end and line_end > start:
        return line_end
    if at < end and last > start:
        return last
    return at


@njit(nogil=True, cache=True)
def piece_end(data, start, end, rules):
    """The end of the piece that begins at `start`."""
    bits, after = look(data, start, end, rules.classes)
    if bits & LETTER:
        return _word_end(data, start, end, rules)
    if rules.contractions != AFTER_WORD:
        stop = contraction_end(data, start, end, rules)
        if stop > start:
            return stop
    next_bits = look(data, after, end, rules.classes)[0]
    blank = data[start] == BLANK
    prefix = blank
    if rules.any_prefix:
        prefix = not bits & (LINE_END | NUMBER)
    if rules.cased and prefix:
        # A mark may be the character before the word, or the word's own first.
        mark = bits & LOWER != 0
        stop = _cased_word_end(data, after, end, rules, not mark)
        if stop > after:
            return stop
        if mark:
            return _cased_word_end(data, start, end, rules, True)
    elif prefix and next_bits & LETTER:
        return _word_end(data, after, end, rules)
    if bits & NUMBER:
        return _number_end(data, start, end, rules)
    if blank and next_bits & NUMBER and not rules.any_prefix:
        return _number_end(data, after, end, rules)
    if not bits & SPACE or (blank and not next_bits & _KIND):
        return _punctuation_end(data, after, end, rules)
    return _space_end(data, start, end, rules)

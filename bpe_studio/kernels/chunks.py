"""Where tokens end → words, numbers, scripts, and the stretches that two tables cut differently.

A chunk is a run of letters and marks, of numbers, or of other signs, with the white space before
it; but white space up to its last line feed is a chunk of its own. So chunks end wherever a text
may be cut into parts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bpe_studio.kernels.machine import borrowed, load64, trailing_zeros

MOST_DIGITS = 12
# So few that those of 8 bytes have room in one.
MOST_AT_A_BYTE = 31
# Rows of `Sums.number_cuts`: longer numbers, and those with a cut inside a digit.
LONG_NUMBER, CUT_DIGIT = 0, 1
NUMBER_CUTS = 2 << MOST_DIGITS

_SPACE, _NUMBER, _LETTER = 1, 4, 2 | 16 | 32  # bits of `char_classes`
_IS_SPACE, _IS_LETTERS, _IS_NUMBER, _IS_OTHER = 0, 1, 2, 3
_LINE_FEED, _A = 0x0A, 0x61
# In every byte: the bit of case, all others, the highest one, and what takes "a", and what comes
# after "z", to it.
_CASE, _LOW, _HIGH = (
    np.uint64(0x2020202020202020), np.uint64(0x7F7F7F7F7F7F7F7F), np.uint64(0x8080808080808080),
)  # fmt: skip
_FROM_A, _AFTER_Z = np.uint64(0x1F1F1F1F1F1F1F1F), np.uint64(0x0505050505050505)
_ALL, _ONES = np.uint64(0xFFFFFFFFFFFFFFFF), np.uint64(0x0101010101010101)


# A stretch that two tables do not cut into equally many tokens: how often, and the tokens of each.
COST = np.dtype([("count", np.int64), ("tokens_a", np.int64), ("tokens_b", np.int64)])


class Sums(NamedTuple):
    """What one thread has counted, of some tables.

    Attributes
    ----------
    script_characters : int64, shape (scripts,)
    script_tokens : int64, shape (tables, scripts)
    words : int64, shape (1,)
    whole_words, word_tokens : int64, shape (tables,)
    number_cuts : int64, shape (tables, NUMBER_CUTS)
        By the bits of cuts after the first, second, … digit, and above them a 1.
    spans : int64, shape (4,)
        Stretches between common cuts of the first two tables: alike; cut by the first one only,
        by the second one only, by both in different places.
    """

    script_characters: NDArray[np.int64]
    script_tokens: NDArray[np.int64]
    words: NDArray[np.int64]
    whole_words: NDArray[np.int64]
    word_tokens: NDArray[np.int64]
    number_cuts: NDArray[np.int64]
    spans: NDArray[np.int64]


class Costs(NamedTuple):
    """Room for stretches in which the first two tables have not the same number of tokens.

    A stretch is as many chunks as it takes until both tables cut where one ends.

    Attributes
    ----------
    data : uint8, their bytes, one after another; with room for all of the text and padding
    ends : int64, where each ends there
    tokens : int32, shape (n, 2)
    """

    data: NDArray[np.uint8]
    ends: NDArray[np.int64]
    tokens: NDArray[np.int32]


@njit(nogil=True, cache=True, inline="always")
def _point(data, at):
    """The character at `at`, and where the next one begins; the text is valid UTF-8."""
    lead = np.int64(data[at])
    if lead < 0x80:
        return lead, at + 1
    if lead < 0xE0:
        return (lead & 0x1F) << 6 | (np.int64(data[at + 1]) & 0x3F), at + 2
    high = (lead & 0x0F) << 12 | (np.int64(data[at + 1]) & 0x3F) << 6
    if lead < 0xF0:
        return high | (np.int64(data[at + 2]) & 0x3F), at + 3
    return (
        (lead & 0x07) << 18
        | (np.int64(data[at + 1]) & 0x3F) << 12
        | (np.int64(data[at + 2]) & 0x3F) << 6
        | (np.int64(data[at + 3]) & 0x3F)
    ), at + 4


@njit(nogil=True, cache=True, inline="always")
def _kind(bits):
    if bits & _SPACE:
        return _IS_SPACE
    if bits & _NUMBER:
        return _IS_NUMBER
    return _IS_LETTERS if bits & _LETTER else _IS_OTHER


@njit(nogil=True, cache=True)
def walk_texts(
    data, texts, classes, script_of, has_words, ends, stride, characters, sums, costs,
):  # fmt: skip
    """Goes through texts that stand one after another, chunk by chunk.

    Parameters
    ----------
    data : uint8
    texts : int64, where they end
    classes, script_of : uint8, shape (0x110000,)
    has_words : bool, one a script
        Whether it puts spaces between words.
    ends : uint8, a row of `stride` a table
        How many tokens end at each byte, at most MOST_AT_A_BYTE; with 8 more at the end.
    characters : int64, one a text; set
    sums : Sums; added to
    costs : Costs

    Returns
    -------
    int
        How many stretches are in `costs`.
    """
    data, ends, sums, costs = borrowed(data), borrowed(ends), borrowed(sums), borrowed(costs)
    classes, script_of, has_words = borrowed(classes), borrowed(script_of), borrowed(has_words)
    latin = np.int64(script_of[_A])
    digits = np.empty(MOST_DIGITS + 1, dtype=np.int64)
    costly = np.int64(0)
    filled = np.int64(0)
    at = np.int64(0)
    for text in range(len(texts)):
        end = texts[text]
        whole = np.int64(0)
        stretch, in_a, in_b = at, np.int64(0), np.int64(0)
        while at < end:
            first, line = at, np.int64(-1)
            point, following = _point(data, at)
            bits = classes[point]
            count = np.int64(0)
            line_count = np.int64(0)
            while bits & _SPACE:
                at = following
                count += 1
                if point == _LINE_FEED:
                    line, line_count = at, count
                if at >= end:
                    break
                point, following = _point(data, at)
                bits = classes[point]
            core, kind, script, length = at, _IS_SPACE, np.int64(0), np.int64(0)
            if line >= 0:
                at, core, count = line, line, line_count
            elif at < end:
                kind = _kind(bits)
                while True:
                    if kind == _IS_LETTERS:
                        plain = _ascii_letters(data, at, end)
                        length += plain
                        at += plain
                        if plain > 0 and script == 0:
                            script = latin
                        if at >= end:
                            break
                        point, following = _point(data, at)
                    if _kind(classes[point]) != kind:
                        break
                    if script == 0:
                        script = np.int64(script_of[point])
                    if kind == _IS_NUMBER and length <= MOST_DIGITS:
                        digits[length] = at
                    length += 1
                    at = following
                    if at >= end:
                        break
                    if kind != _IS_LETTERS:
                        point, following = _point(data, at)
                count += length
            whole += count
            sums.script_characters[script] += count
            is_word = kind == _IS_LETTERS and has_words[script]
            sums.words[0] += is_word
            # Nearly all are short, with one space before them or none.
            width = at - first
            is_short = width <= 8 and core - first <= 1
            own = _ALL >> np.uint64(64 - 8 * min(width, 8))
            last = np.uint64(8 * (min(width, 8) - 1))
            space = np.uint64(0xFF if core > first else 0)
            for table in range(len(sums.word_tokens)):
                row = table * stride
                if is_short:
                    some = load64(ends, row + first) & own
                    tokens = np.int64((some * _ONES) >> np.uint64(56))
                    inside = tokens - np.int64(some & space)
                    ended = np.int64(some >> last)
                else:
                    tokens = _ended(ends, row + first, row + at)
                    inside = tokens - _ended(ends, row + first, row + core)
                    ended = np.int64(ends[row + at - 1])
                if is_word:
                    touched = inside + (ended == 0)
                    sums.word_tokens[table] += touched
                    sums.whole_words[table] += touched == 1
                elif kind == _IS_NUMBER:
                    cut = _number_cut(digits, length, at, inside, ends, row)
                    sums.number_cuts[table, cut] += 1
                sums.script_tokens[table, script] += tokens
                if table == 0:
                    in_a += tokens
                elif table == 1:
                    in_b += tokens
            if at < end and (ends[at - 1] == 0 or ends[stride + at - 1] == 0):
                continue
            if in_a != in_b:
                for place in range(stretch, at):
                    costs.data[filled] = data[place]
                    filled += 1
                costs.ends[costly] = filled
                costs.tokens[costly, 0] = in_a
                costs.tokens[costly, 1] = in_b
                costly += 1
            stretch, in_a, in_b = at, np.int64(0), np.int64(0)
        characters[text] = whole
    return costly


@njit(nogil=True, cache=True, inline="always")
def _ascii_letters(data, at, end):
    """How many ASCII letters stand in a row; the data are padded."""
    begin = at
    while at < end:
        some = load64(data, at)
        lower = some | _CASE
        # Bytes below 128 do not carry into the next one; others are told by their own high bit.
        letters = ((lower & _LOW) + _FROM_A) & ~((lower & _LOW) + _AFTER_Z) & ~some & _HIGH
        others = letters ^ _HIGH
        if others:
            at += trailing_zeros(others) >> 3
            break
        at += 8
    return min(at, end) - begin


@njit(nogil=True, cache=True, inline="always")
def _ended(ends, begin, end):
    """How many tokens end in a stretch."""
    tokens = np.int64(0)
    while begin < end:
        some = load64(ends, begin)
        if end - begin < 8:
            some &= _ALL >> np.uint64(64 - 8 * (end - begin))
        # The product has the sum of all bytes in its highest one.
        tokens += np.int64((some * _ONES) >> np.uint64(56))
        begin += 8
    return tokens


@njit(nogil=True, cache=True)
def _number_cut(digits, length, end, tokens, ends, row):
    """The row of `Sums.number_cuts` for digits that begin at these places."""
    if length > MOST_DIGITS:
        return np.int64(LONG_NUMBER)
    mask = np.int64(1) << length
    inside = tokens - ends[row + end - 1]
    for i in range(length - 1):
        ended = np.int64(ends[row + digits[i + 1] - 1])
        inside -= ended
        if ended > 0:
            mask |= np.int64(1) << i
    return np.int64(CUT_DIGIT) if inside > 0 else mask


@njit(nogil=True, cache=True)
def count_spans(texts, ends, stride, spans):
    """Adds the stretches between common cuts of two tables; see `Sums.spans`."""
    ends = borrowed(ends)
    at = np.int64(0)
    for text in range(len(texts)):
        kind = 0
        last = at
        while at < texts[text]:
            some = load64(ends, at) | load64(ends, stride + at)
            if some == 0:
                at += 8
                continue
            at += trailing_zeros(some) >> 3
            if at >= texts[text]:
                break
            in_a, in_b = ends[at] > 0, ends[stride + at] > 0
            at += 1
            if in_a and in_b:
                spans[kind] += 1
                kind = 0
                last = at
            elif in_a:
                kind |= 1
            else:
                kind |= 2
        at = texts[text]
        if last < at:
            spans[kind] += 1


@njit(nogil=True, cache=True)
def add_costs(numbers, tokens, n, sums):
    """Adds `n` stretches, by their numbers, to COST rows."""
    for i in range(n):
        cost = sums[numbers[i]]
        cost.count += 1
        cost.tokens_a += tokens[i, 0]
        cost.tokens_b += tokens[i, 1]

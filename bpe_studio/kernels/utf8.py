"""Which bytes are UTF-8."""

from __future__ import annotations

import numpy as np
from numba import njit

from bpe_studio.kernels.machine import load64

_HIGH_BITS = np.uint64(0x8080808080808080)


@njit(nogil=True, cache=True, inline="always")
def _continues(data, at):
    return data[at] & 0xC0 == 0x80


@njit(nogil=True, cache=True, inline="always")
def _is_of_two(word):
    """Whether a character of two bytes begins in the lowest; C0 and C1 begin none."""
    return (word & np.uint64(0xC0E0)) == np.uint64(0x80C0) and word & np.uint64(0x1E) != 0


@njit(nogil=True, cache=True, inline="always")
def _is_of_three(word):
    """Three bytes likewise: after E0 no overlong form, after ED no surrogate."""
    second = word & np.uint64(0x200F)
    return (
        (word & np.uint64(0xC0C0F0)) == np.uint64(0x8080E0)
        and second != np.uint64(0)
        and second != np.uint64(0x200D)
    )


@njit(nogil=True, cache=True)
def _length_at(data, at):
    """The length of the character at `at`, or 0 where there is none, or only its beginning."""
    lead = data[at]
    left = len(data) - at
    if lead < 0x80:
        return 1
    if lead < 0xC2 or left < 2 or not _continues(data, at + 1):
        return 0
    if lead < 0xE0:
        return 2
    second = data[at + 1]
    if left < 3 or not _continues(data, at + 2):
        return 0
    if lead < 0xF0:
        # No overlong forms, no surrogates.
        valid = (lead != 0xE0 or second >= 0xA0) and (lead != 0xED or second < 0xA0)
        return 3 if valid else 0
    if left < 4 or not _continues(data, at + 3):
        return 0
    valid = lead < 0xF5 and (lead != 0xF0 or second >= 0x90) and (lead != 0xF4 or second < 0x90)
    return 4 if valid else 0


@njit(nogil=True, cache=True)
def valid_length(data):
    """How many bytes from the start are whole, valid characters.

    >>> valid_length(b"caf\\xc3")
    3
    """
    at = np.int64(0)
    end = np.int64(len(data))
    # While 16 bytes are left, characters of a kind are taken in runs, one comparison for each.
    while at + 16 <= end:
        word = load64(data, at)
        if word & _HIGH_BITS == 0:
            at += 8
            continue
        before = at
        while _is_of_two(word) and at + 16 <= end:
            at += 2
            word = load64(data, at)
        while _is_of_three(word) and at + 16 <= end:
            at += 3
            word = load64(data, at)
        if at == before:
            length = _length_at(data, at)
            if length == 0:
                return at
            at += length
    while at < end:
        length = _length_at(data, at)
        if length == 0:
            break
        at += length
    return at

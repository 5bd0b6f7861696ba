"""The bytes of merged tokens, one after another: the left part, then the right one."""

from __future__ import annotations

from numba import njit


@njit(nogil=True, cache=True)
def offsets_of_merged(parts, offsets, known):
    """Fills ``offsets[known + 1 :]`` for tokens ``known …`` with these parts, by their numbers."""
    for row in range(len(parts)):
        left, right = parts[row, 0], parts[row, 1]
        length = offsets[left + 1] - offsets[left] + offsets[right + 1] - offsets[right]
        offsets[known + row + 1] = offsets[known + row] + length


@njit(nogil=True, cache=True)
def bytes_of_merged(parts, offsets, known, data):
    """Fills ``data[offsets[known] :]`` for the same tokens."""
    place = offsets[known]
    for row in range(len(parts)):
        for side in range(2):
            part = parts[row, side]
            for source in range(offsets[part], offsets[part + 1]):
                data[place] = data[source]
                place += 1

"""Stretches of bytes in the order of their bytes, and which of them are equal.

Eight bytes are compared as one number, then the next eight of those that are equal so far, and so
on: whole arrays, while another thread may run. What is still equal after that is rare and is
compared one by one.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["ByteOrder", "iter_byte_order"]

_WORD: Final = 8
_MOST_ROUNDS: Final = 6  # of 8 bytes each
_GROUPS_A_STEP: Final = 500
_AT_ONCE: Final = 1 << 15
_GOES_ON: Final = _WORD + 1
_FIRST: Final = np.array(
    [(1 << 8 * _WORD) - (1 << 8 * (_WORD - size)) for size in range(_WORD + 1)], dtype=np.uint64
)
"""By size: the bits of the first bytes of a word."""


@dataclass(frozen=True, slots=True, eq=False)
class ByteOrder:
    """Stretches in order.

    Attributes
    ----------
    order : int64 array, shape (n,)
        Their numbers in the order of their bytes; equal ones in the order of their numbers.
    is_new : bool array, shape (n,)
        Along `order`: whether the bytes are others than those of the one before.
    """

    order: NDArray[np.int64]
    is_new: NDArray[np.bool_]

    def descending(self) -> NDArray[np.int64]:
        """Their numbers in the opposite order; equal ones in the order of their numbers all the
        same."""
        count = len(self.order)
        firsts = np.flatnonzero(self.is_new)
        behind = count - np.append(firsts[1:], count)
        shift = behind - firsts
        found = np.empty(count, dtype=np.int64)
        found[np.arange(count) + np.repeat(shift, np.diff(firsts, append=count))] = self.order
        return found


def iter_byte_order(
    data: NDArray[np.uint8], starts: NDArray[np.int64], sizes: NDArray[np.int64]
) -> Generator[None, None, ByteOrder]:
    """Sorts the stretches `data[start : start + size]`; yields every some milliseconds."""
    padded = np.concatenate((data, np.zeros(2 * _WORD, dtype=np.uint8)))
    words = np.ndarray((len(data) + _WORD,), dtype=">u8", buffer=padded, strides=(1,))
    keys = _keys(words, starts, sizes)
    yield
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    is_new = np.ones(len(order), dtype=np.bool_)
    is_new[1:] = keys[1:] != keys[:-1]
    yield
    # Where numbers are equal, bytes may differ yet: a NUL, or what comes after.
    unsure = _several(is_new)
    for done in range(0, _WORD * _MOST_ROUNDS, _WORD):
        if not len(unsure):
            break
        unsure = _refine(words, starts, sizes, order, is_new, unsure, done)
        yield
    yield from _one_by_one(data, starts, sizes, order, is_new, unsure)
    return ByteOrder(order, is_new)


def _keys(
    words: NDArray[np.uint64], starts: NDArray[np.int64], sizes: NDArray[np.int64]
) -> NDArray[np.uint64]:
    """The first 8 bytes of every stretch as a number that sorts as they do; 0 for what it lacks.

    In parts, because numpy lets no other thread run meanwhile, and a window may wait.
    """
    keys = np.empty(len(starts), dtype=np.uint64)
    for first in range(0, len(starts), _AT_ONCE):
        part = slice(first, first + _AT_ONCE)
        keys[part] = words[starts[part]]
        keys[part] &= _FIRST[np.minimum(sizes[part], _WORD)]
    return keys


def _several(is_new: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The places of those that are equal to a neighbour."""
    equal = ~is_new
    equal[:-1] |= equal[1:]
    return np.flatnonzero(equal)


def _refine(
    words: NDArray[np.uint64],
    starts: NDArray[np.int64],
    sizes: NDArray[np.int64],
    order: NDArray[np.int64],
    is_new: NDArray[np.bool_],
    places: NDArray[np.int64],
    done: int,
) -> NDArray[np.int64]:
    """Puts groups that are equal up to the byte `done` in the order of 8 more.

    Writes to `order` and `is_new`; returns the places of those that are still equal and go on.
    """
    group = np.cumsum(is_new[places])
    some = order[places]
    rest = sizes[some] - done
    keys = _keys(words, starts[some] + done, rest)
    # Of equal numbers the shorter stretch comes first: the other has a NUL where it has ended.
    ends = np.minimum(rest, _GOES_ON)
    within = np.lexsort((ends, keys, group))
    some, keys, ends, group = some[within], keys[within], ends[within], group[within]
    order[places] = some
    new = np.ones(len(some), dtype=np.bool_)
    new[1:] = (group[1:] != group[:-1]) | (keys[1:] != keys[:-1]) | (ends[1:] != ends[:-1])
    is_new[places] = new
    several = _several(new)
    still: NDArray[np.int64] = places[several[ends[several] == _GOES_ON]]
    return still


def _one_by_one(
    data: NDArray[np.uint8],
    starts: NDArray[np.int64],
    sizes: NDArray[np.int64],
    order: NDArray[np.int64],
    is_new: NDArray[np.bool_],
    places: NDArray[np.int64],
) -> Generator[None, None, None]:
    """Puts the groups at these places, equal so far, in the order of all of their bytes."""
    if not len(places):
        return
    for number, group in enumerate(np.split(places, np.flatnonzero(is_new[places])[1:])):
        if number % _GROUPS_A_STEP == 0:
            yield
        some = order[group].tolist()
        text = {one: data[starts[one] : starts[one] + sizes[one]].tobytes() for one in some}
        in_order = sorted(some, key=text.__getitem__)
        order[group] = in_order
        is_new[group[1:]] = [
            text[one] != text[other] for one, other in zip(in_order, in_order[1:], strict=False)
        ]

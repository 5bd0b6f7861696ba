"""Merging many short pieces at a time.

Every join waits for memory, for the ranks of the two pairs that it makes. Taking turns among
several pieces lets the processor wait for all of them at once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bpe_studio.kernels.machine import trailing_zeros
from bpe_studio.kernels.piece import (
    SHORT,
    gather,
    join,
    lay_out,
    lowest_key,
    starts_of,
    to_symbols,
)
from bpe_studio.kernels.piece_cache import BATCH
from bpe_studio.kernels.ranks import NONE

LANES = 6
# A window of a long piece, and how far the next one is.
_WINDOW = SHORT
_STEP = 38
_WINDOWS = 64
_WAITING, _CLOSED = -1, -2
_ONE = np.uint64(1)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


class Lanes(NamedTuple):
    """Pieces to merge, and room for it.

    Attributes
    ----------
    starts, lengths : int64
        Where each piece begins, and its bytes, at most SHORT.
    symbols : int32
        64 for each piece: its tokens, each at the place of its first symbol plus 1.
    begins : uint64
        For each piece: bit i tells whether a token begins with symbol i.
    keys : int32
        64 for each lane.
    """

    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]
    symbols: NDArray[np.int32]
    begins: NDArray[np.uint64]
    keys: NDArray[np.int32]


def lanes_for() -> Lanes:
    """Room for BATCH pieces."""
    return Lanes(
        starts=np.empty(BATCH, dtype=np.int64),
        lengths=np.empty(BATCH, dtype=np.int64),
        symbols=np.empty(64 * BATCH, dtype=np.int32),
        begins=np.empty(BATCH, dtype=np.uint64),
        keys=np.empty(64 * LANES, dtype=np.int32),
    )


@njit(nogil=True, cache=True)
def merge_lanes(data, ranks, lanes, count):
    """Merges the first `count` pieces; 0, or -1 - b for a byte that the table lacks."""
    starts, lengths, sym, keys = lanes.starts, lanes.lengths, lanes.symbols, lanes.keys
    pieces = np.full(LANES, _WAITING, np.int64)
    sizes = np.zeros(LANES, np.int64)
    taken = np.zeros(LANES, np.uint64)
    bytes_are_symbols = len(ranks.char_symbols) == 0
    done = 0
    active = LANES
    while active > 0:
        for lane in range(LANES):
            k = pieces[lane]
            if k >= 0:
                lowest = lowest_key(keys, 64 * lane, sizes[lane])
                if lowest != NONE:
                    taken[lane] = join(ranks, lowest, taken[lane], sym, 64 * k, keys, 64 * lane)
                    continue
                lanes.begins[k] = starts_of(taken[lane], sizes[lane])
            elif k == _CLOSED:
                continue
            if done == count:
                pieces[lane] = _CLOSED
                active -= 1
                continue
            start = starts[done]
            size = to_symbols(data, start, start + lengths[done], ranks, sym, 64 * done + 1)
            if size < 0:
                return size
            first = start if bytes_are_symbols else np.int64(-1)
            taken[lane] = lay_out(ranks, data, first, size, sym, 64 * done, keys, 64 * lane)
            sizes[lane] = size
            pieces[lane] = done
            done += 1
    return np.int64(0)


# Long pieces


@njit(nogil=True, cache=True)
def merge_in_windows(data, start, end, ranks, lanes, out, n):
    """Merges a long piece in short windows that overlap; see `windows` why this is exact.

    Only for a bytes base and an ordered table (see `Ranks`).

    Returns
    -------
    int
        How many tokens were written to ``out[n:]``; 0 where two windows have no token in common;
        or -1 - b for a byte that the table lacks.
    """
    first = n
    at = start  # the tokens before it are written
    begin = start
    while True:
        count = 0
        while count < _WINDOWS:
            lanes.starts[count] = begin + count * _STEP
            lanes.lengths[count] = min(_WINDOW, end - lanes.starts[count])
            count += 1
            if lanes.starts[count - 1] + _WINDOW >= end:
                break
        state = merge_lanes(data, ranks, lanes, count)
        if state < 0:
            return state
        for k in range(count - 1):
            base = lanes.starts[k]
            shared = _shared(lanes, k, max(at - base - _STEP, 0))
            if shared < 0:
                return np.int64(0)
            upto = np.uint64(_STEP + shared)
            mine = lanes.begins[k] & (_ALL << np.uint64(at - base)) & ~((_ALL << upto) << _ONE)
            n += gather(mine, lanes.symbols, 64 * k, out, n)
            later = lanes.begins[k + 1] & ((_ALL << np.uint64(shared)) << _ONE)
            if later == 0:
                return np.int64(0)
            at = base + _STEP + trailing_zeros(later)
        begin = lanes.starts[count - 1]
        if begin + _WINDOW >= end:
            mine = lanes.begins[count - 1] & (_ALL << np.uint64(at - begin))
            return n - first + gather(mine, lanes.symbols, 64 * (count - 1), out, n)


@njit(nogil=True, cache=True, inline="always")
def _shared(lanes, k, least):
    """Where window k + 1, from symbol `least` on, has a token that window k has too; or -1."""
    both = (lanes.begins[k] >> np.uint64(_STEP)) & lanes.begins[k + 1]
    both &= _ALL << np.uint64(least)
    while both:
        place = trailing_zeros(both)
        if lanes.symbols[64 * k + _STEP + place + 1] == lanes.symbols[64 * k + 64 + place + 1]:
            return place
        both &= both - _ONE
    return np.int64(-1)

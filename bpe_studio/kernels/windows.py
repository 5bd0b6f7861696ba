"""Merging a very long piece window by window, so that what is worked on stays near the processor.

In an ordered table (see `Ranks`) tokens are what a text encodes to exactly if every two neighbours
are what their bytes encode to: no join across a border can come first, since until then both
sides go through the very steps that they go through alone. So two encodings of overlapping
stretches of a text that have one token in common, at the same place, may be joined there: every
two neighbours in the result are neighbours in one of the two.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from bpe_studio.kernels.heap_piece import merge_by_heap
from bpe_studio.kernels.long_piece import Scratch, merge_by_queues
from bpe_studio.kernels.machine import ONE, ZERO

WINDOW = 2048
OVERLAP = 128


@njit(nogil=True, cache=True)
def _scratch(n):
    return Scratch(
        np.empty((n, 4), np.int32), np.empty((3 * n, 2), np.int32), np.empty(n, np.int32)
    )


@njit(nogil=True, cache=True)
def merge_long(ranks, sym, n, queues, weight, counts):
    """Merges ``sym[1 : n + 1]`` to ``sym[0:]``, any number of symbols; how many are left."""
    if ranks.ordered == 0:
        return merge_by_heap(ranks, sym, n, weight, counts)
    if n > 2 * WINDOW and len(counts.created) == 0:
        left = _merge_windows(ranks, sym, n, queues, weight, counts)
        if left > 0:
            return left
    starts = np.empty(n, np.int32)
    return merge_by_queues(ranks, sym, ONE, n, queues, _scratch(n), weight, counts, sym, starts)


@njit(nogil=True, cache=True)
def _merge_windows(ranks, sym, n, queues, weight, counts):
    """As `merge_long`; 0, and nothing changed, where two windows have no token in common."""
    window = np.int64(WINDOW)
    scratch = _scratch(window)
    out = np.empty(n, np.int32)
    tokens, starts = np.empty(WINDOW, np.int32), np.empty(WINDOW, np.int32)
    next_tokens, next_starts = np.empty(WINDOW, np.int32), np.empty(WINDOW, np.int32)
    written = 0
    begin = ZERO
    first = 0  # of the window's tokens that are not written yet
    count = merge_by_queues(
        ranks, sym, ONE, window, queues, scratch, weight, counts, tokens, starts
    )
    while True:
        size = min(WINDOW, n - begin)
        if begin + size == n:
            break
        restart = count - 1
        while restart > first and starts[restart] > size - OVERLAP:
            restart -= 1
        if restart <= first:
            return 0
        shift = np.int64(starts[restart])
        next_size = min(WINDOW, n - begin - shift)
        next_count = merge_by_queues(
            ranks, sym, 1 + begin + shift, next_size, queues, scratch, weight, counts,
            next_tokens, next_starts,
        )  # fmt: skip
        mine, other = _common(tokens, starts, restart, count, next_tokens, next_starts, next_count)
        if mine < 0:
            return 0
        for k in range(first, mine + 1):
            out[written] = tokens[k]
            written += 1
        first, count = other + 1, next_count
        begin += shift
        tokens, next_tokens = next_tokens, tokens
        starts, next_starts = next_starts, starts
    for k in range(first, count):
        out[written] = tokens[k]
        written += 1
    sym[:written] = out[:written]
    return written


@njit(nogil=True, cache=True)
def _common(tokens, starts, restart, count, next_tokens, next_starts, next_count):
    """The places in both windows of the first token from `restart` on that they share, or -1."""
    shift = starts[restart]
    mine, other = restart, 0
    while mine < count and other < next_count:
        ahead = starts[mine] - shift - next_starts[other]
        if ahead == 0 and tokens[mine] == next_tokens[other]:
            return mine, other
        if ahead <= 0:
            mine += 1
        if ahead >= 0:
            other += 1
    return -1, -1

"""Pieces that the cache does not hold: encoded, and kept in it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bpe_studio.kernels.long_piece import Queues, queues_for
from bpe_studio.kernels.machine import ZERO, borrowed
from bpe_studio.kernels.piece import SHORT, Counts, gather, merge_short, to_symbols
from bpe_studio.kernels.piece_cache import BATCH, LONGEST_PIECE, find, is_filled, write
from bpe_studio.kernels.ranks import Ranks
from bpe_studio.kernels.turns import Lanes, lanes_for, merge_in_windows, merge_lanes
from bpe_studio.kernels.whole import find_whole
from bpe_studio.kernels.windows import merge_long


class Batch(NamedTuple):
    """Pieces that are looked up together: where they are, their keys (see `piece_cache`), the
    places of their entries (-1 where a piece is too long for the cache), and which are missing.
    """

    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]
    lows: NDArray[np.uint64]
    highs: NDArray[np.uint64]
    hashes: NDArray[np.uint64]
    places: NDArray[np.int64]
    missing: NDArray[np.int64]


class Desk(NamedTuple):
    """What one thread needs room for while it encodes.

    Attributes
    ----------
    batch : Batch
    lanes : Lanes
    queues : Queues
    tokens : int32
        Those of one piece.
    nothing : Counts
        Empty: nothing is counted.
    """

    batch: Batch
    lanes: Lanes
    queues: Queues
    tokens: NDArray[np.int32]
    nothing: Counts


def desk_for(ranks: Ranks) -> Desk:
    """The room of a thread."""
    return Desk(
        batch=Batch(
            starts=np.empty(BATCH, dtype=np.int64),
            lengths=np.empty(BATCH, dtype=np.int64),
            lows=np.empty(BATCH, dtype=np.uint64),
            highs=np.empty(BATCH, dtype=np.uint64),
            hashes=np.empty(BATCH, dtype=np.uint64),
            places=np.empty(BATCH, dtype=np.int64),
            missing=np.empty(BATCH, dtype=np.int64),
        ),
        lanes=lanes_for(),
        queues=queues_for(len(ranks.rows)),
        tokens=np.empty(LONGEST_PIECE + 4, dtype=np.int32),
        nothing=Counts(*(np.zeros(0, dtype=np.int64) for _ in range(3))),
    )


@njit(nogil=True, cache=True)
def merge_piece(data, start, end, ranks, desk, weight, counts, out, n):
    """Writes the tokens of a piece to ``out[n:]``; their number, or -1 - b for a missing byte."""
    short = end - start <= SHORT
    counting = len(counts.created) > 0
    bytes_are_symbols = len(ranks.char_symbols) == 0
    if not short and bytes_are_symbols and ranks.ordered != 0 and not counting:
        length = merge_in_windows(data, start, end, ranks, desk.lanes, out, n)
        if length != 0:
            return length
    symbols = desk.lanes.symbols if short else np.empty(end - start + 1, np.int32)
    length = to_symbols(data, start, end, ranks, symbols, 1)
    if length < 0:
        return length
    for k in range(length if counting else 0):
        counts.created[symbols[k + 1]] += weight
    if short:
        first = start if bytes_are_symbols else np.int64(-1)
        length = merge_short(ranks, data, first, length, symbols, desk.lanes.keys, weight, counts)
    else:
        length = merge_long(ranks, symbols, length, desk.queues, weight, counts)
    for k in range(length):
        out[n + k] = symbols[k]
    return length


@njit(nogil=True, cache=True, inline="always")
def _keep(data, desk, k, count, cache):
    """Gives piece `k` of the batch an entry with the first `count` tokens on the desk."""
    batch = desk.batch
    low, high, mixed = batch.lows[k], batch.highs[k], batch.hashes[k]
    start, length = batch.starts[k], batch.lengths[k]
    at = find(cache, mixed, low, high, data, start, length)
    if not is_filled(cache, at):
        write(cache, at, low, high, data, start, length, desk.tokens, count)
    batch.places[k] = at


@njit(nogil=True, cache=True)
def _learn_alone(data, desk, misses, ranks, whole, cache):
    """Learns the missing pieces that are tokens or long.

    Returns
    -------
    int
        How many pieces are still missing, or -1 - b for a byte that the table lacks.
    """
    batch, tokens = desk.batch, desk.tokens
    left = ZERO
    for number in range(misses):
        k = batch.missing[number]
        start, length = batch.starts[k], batch.lengths[k]
        if len(whole.words) > 0:
            token = find_whole(whole, batch.hashes[k], batch.lows[k], data, start, length)
            if token >= 0:
                tokens[0] = token
                _keep(data, desk, k, 1, cache)
                continue
        if length <= SHORT:
            batch.missing[left] = k
            left += 1
            continue
        count = merge_piece(
            data, start, start + length, ranks, desk, ZERO, desk.nothing, tokens, ZERO
        )
        if count < 0:
            return count
        _keep(data, desk, k, count, cache)
    return left


@njit(nogil=True, cache=True)
def learn(data, desk, misses, ranks, whole, cache):
    """Encodes the missing pieces of the batch on the desk and gives them entries.

    Returns
    -------
    int
        0, or -1 - b for a byte that the table lacks.
    """
    data, desk, cache = borrowed(data), borrowed(desk), borrowed(cache)
    ranks, whole = borrowed(ranks), borrowed(whole)
    batch, lanes = desk.batch, desk.lanes
    left = _learn_alone(data, desk, misses, ranks, whole, cache)
    if left < 0:
        return left
    for number in range(left):
        k = batch.missing[number]
        lanes.starts[number] = batch.starts[k]
        lanes.lengths[number] = batch.lengths[k]
    state = merge_lanes(data, ranks, lanes, left)
    if state < 0:
        return state
    for number in range(left):
        count = gather(lanes.begins[number], lanes.symbols, 64 * number, desk.tokens, 0)
        _keep(data, desk, batch.missing[number], count, cache)
    return np.int64(0)

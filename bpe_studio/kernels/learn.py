"""Pieces that the cache does not hold: merged, several at a time, and kept in it.

Every join waits for memory twice, for the ranks of the two pairs that it makes. Taking turns among
several pieces lets the processor wait for all of them at once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bpe_studio.kernels.long_piece import Queues, merge_long, queues_for
from bpe_studio.kernels.machine import borrowed, smallest_of_32
from bpe_studio.kernels.piece import (
    SHORT,
    Counts,
    gather,
    join,
    lay_out,
    merge_short,
    to_symbols,
)
from bpe_studio.kernels.piece_cache import BATCH, LONGEST_PIECE, find, is_filled, write
from bpe_studio.kernels.ranks import NONE, Ranks
from bpe_studio.kernels.whole import find_whole

LANES = 6
# A piece in a lane has its keys in 32 places, of which the first has no pair.
_LANE_SYMBOLS = 31
_WAITING, _CLOSED = -1, -2


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
    symbols, keys : int32
        64 for each lane, and 64 more.
    tokens : int32
        Those of one piece.
    nothing : Counts
        Empty: nothing is counted.
    """

    symbols: NDArray[np.int32]
    keys: NDArray[np.int32]
    tokens: NDArray[np.int32]
    queues: Queues
    batch: Batch
    nothing: Counts


def desk_for(ranks: Ranks) -> Desk:
    """The room of a thread."""
    return Desk(
        symbols=np.empty(64 * (LANES + 1), dtype=np.int32),
        keys=np.empty(64 * (LANES + 1), dtype=np.int32),
        tokens=np.empty(LONGEST_PIECE + 4, dtype=np.int32),
        queues=queues_for(len(ranks.rows)),
        batch=Batch(
            starts=np.empty(BATCH, dtype=np.int64),
            lengths=np.empty(BATCH, dtype=np.int64),
            lows=np.empty(BATCH, dtype=np.uint64),
            highs=np.empty(BATCH, dtype=np.uint64),
            hashes=np.empty(BATCH, dtype=np.uint64),
            places=np.empty(BATCH, dtype=np.int64),
            missing=np.empty(BATCH, dtype=np.int64),
        ),
        nothing=Counts(*(np.zeros(0, dtype=np.int64) for _ in range(3))),
    )


@njit(nogil=True, cache=True)
def merge_piece(data, start, end, ranks, symbols, keys, queues, weight, counts, out, n):
    """Writes the tokens of a piece to ``out[n:]``; their number, or -1 - b for a missing byte."""
    short = end - start <= SHORT
    if not short:
        symbols = np.empty(end - start + 1, np.int32)
    length = to_symbols(data, start, end, ranks, symbols, 1)
    if length < 0:
        return length
    for k in range(length if len(counts.created) > 0 else 0):
        counts.created[symbols[k + 1]] += weight
    if short:
        same = len(ranks.char_symbols) == 0
        length = merge_short(
            ranks, data, start if same else -1, length, symbols, keys, weight, counts
        )
    else:
        length = merge_long(ranks, symbols, length, queues, weight, counts)
    for k in range(length):
        out[n + k] = symbols[k]
    return length


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
    batch, sym, keys, tokens = desk.batch, desk.symbols, desk.keys, desk.tokens
    pieces = np.full(LANES, _WAITING, np.int64)
    sizes = np.zeros(LANES, np.int64)
    taken = np.zeros(LANES, np.uint64)
    bytes_are_symbols = len(ranks.char_symbols) == 0
    done = 0
    active = LANES
    while active > 0:
        for lane in range(LANES):
            k = pieces[lane]
            count = 0
            if k >= 0:
                best = smallest_of_32(keys, 64 * lane)
                if best != NONE:
                    taken[lane] = join(ranks, best, taken[lane], sym, keys, 64 * lane)
                    continue
                count = gather(sizes[lane], taken[lane], sym, 64 * lane, tokens, 0)
            elif k == _CLOSED:
                continue
            while True:
                start, length = batch.starts[k], batch.lengths[k]
                low, high, mixed = batch.lows[k], batch.highs[k], batch.hashes[k]
                if count > 0:
                    at = find(cache, mixed, low, high, data, start, length)
                    if not is_filled(cache, at):
                        write(cache, at, low, high, data, start, length, tokens, count)
                    batch.places[k] = at
                if done == misses:
                    pieces[lane] = _CLOSED
                    active -= 1
                    break
                k = batch.missing[done]
                done += 1
                start, length = batch.starts[k], batch.lengths[k]
                if len(whole.words) > 0:
                    token = find_whole(whole, batch.hashes[k], batch.lows[k], data, start, length)
                    if token >= 0:
                        tokens[0] = token
                        count = 1
                        continue
                if length > _LANE_SYMBOLS or ranks.ordered == 0:
                    count = merge_piece(
                        data, start, start + length, ranks,
                        desk.symbols[64 * LANES :], desk.keys[64 * LANES :], desk.queues,
                        np.int64(0), desk.nothing, tokens, 0,
                    )  # fmt: skip
                    if count < 0:
                        return count
                    continue
                base = 64 * lane
                size = to_symbols(data, start, start + length, ranks, sym, base + 1)
                if size < 0:
                    return size
                first = start if bytes_are_symbols else np.int64(-1)
                taken[lane] = lay_out(ranks, data, first, size, sym, keys, base)
                sizes[lane] = size
                pieces[lane] = k
                break
    return 0

"""Pieces to tokens: whole batches of pieces, through a cache or without one."""

from __future__ import annotations

import numpy as np
from numba import njit

from bpe_studio.kernels.learn import learn, merge_piece
from bpe_studio.kernels.machine import ZERO, borrowed, mix, prefetch
from bpe_studio.kernels.piece_cache import (
    BATCH,
    LONGEST_PIECE,
    find,
    first_place,
    has_room,
    is_filled,
    key_of,
    read,
)
from bpe_studio.kernels.scan import scan
from bpe_studio.kernels.whole import find_whole, slot_of

# Bytes that must be readable after the last piece.
PADDING = 32
# What a call ended with: it did what was asked for; or the cache is full; or -1 - b where the
# table lacks the byte b.
DONE, FULL = 0, 1
_GROUP = 32


@njit(nogil=True, cache=True)
def encode_pieces(
    data, offsets, first, last, ranks, whole, desk, weights, counts, out, out_offsets
):
    """Encodes pieces `first` … `last` - 1 of an arena, without a cache.

    Parameters
    ----------
    data, offsets : the pieces' bytes, one after another, and where each begins
        For an engine that takes whole pieces PADDING bytes more.
    weights : int64, one a piece; may be empty where nothing is counted
    out : int32, at least as long as the bytes; out_offsets : int64, the same length as `offsets`
        Results; ``out_offsets[first]`` must be set.

    Returns
    -------
    int
        -1, or the number of a byte that the table lacks; then the results are unfinished.
    """
    ranks, desk, counts = borrowed(ranks), borrowed(desk), borrowed(counts)
    data, out, whole = borrowed(data), borrowed(out), borrowed(whole)
    for i in range(first, last):
        weight = weights[i] if len(counts.created) > 0 else np.int64(0)
        begin = out_offsets[i]
        if len(whole.words) > 0:
            low, high = key_of(data, offsets[i], offsets[i + 1] - offsets[i])
            token = find_whole(
                whole, mix(low, high), low, data, offsets[i], offsets[i + 1] - offsets[i]
            )
            if token >= 0:
                out[begin] = token
                out_offsets[i + 1] = begin + 1
                continue
        length = merge_piece(
            data, offsets[i], offsets[i + 1], ranks, desk, weight, counts, out, begin
        )
        if length < 0:
            return -1 - length
        out_offsets[i + 1] = begin + length
    return -1


@njit(nogil=True, cache=True)
def _read_rest(data, desk, first, size, ranks, cache, out, n):
    """Writes the tokens of pieces `first` … `size` - 1 of the batch; the new length of `out`."""
    batch = desk.batch
    for k in range(first, size):
        if batch.places[k] >= 0:
            n = read(cache, batch.places[k], out, n)
            continue
        start = batch.starts[k]
        added = merge_piece(
            data, start, start + batch.lengths[k], ranks, desk,
            ZERO, desk.nothing, out, n,
        )  # fmt: skip
        if added < 0:
            return added
        n += added
    return n


@njit(nogil=True, cache=True)
def encode_ends(data, begin, ends, first, count, ranks, whole, cache, desk, out, n):
    """Encodes consecutive pieces, of which the first begins at `begin`.

    Parameters
    ----------
    data : uint8, PADDING bytes longer than the text
    ends : int64
        Where pieces `first` … `count` - 1 end.
    out : int32
        Has room for a token a byte, and 4 more.

    Returns
    -------
    tuple of int
        The next piece, where it begins, the new length of `out`, and DONE, FULL (of the cache)
        or -1 - b for a byte that the table lacks.
    """
    data, out, ends, desk = borrowed(data), borrowed(out), borrowed(ends), borrowed(desk)
    ranks, whole, cache = borrowed(ranks), borrowed(whole), borrowed(cache)
    batch = desk.batch
    while first < count:
        if not has_room(cache):
            return first, begin, n, FULL
        size = min(BATCH, count - first)
        misses = ZERO
        unread = size
        for group in range(0, size, _GROUP):
            last = min(group + _GROUP, size)
            start = begin
            for k in range(group, last):
                length = ends[first + k] - start
                low, high = key_of(data, start, length)
                mixed = mix(low, high)
                batch.starts[k], batch.lengths[k] = start, length
                batch.lows[k], batch.highs[k], batch.hashes[k] = low, high, mixed
                prefetch(cache.words, first_place(cache, mixed))
                start += length
            begin = start
            for k in range(group, last):
                low, high, mixed = batch.lows[k], batch.highs[k], batch.hashes[k]
                length = batch.lengths[k]
                if length > LONGEST_PIECE:
                    batch.places[k] = -1
                    unread = min(unread, k)
                    continue
                at = find(cache, mixed, low, high, data, batch.starts[k], length)
                if is_filled(cache, at):
                    if unread == size:
                        n = read(cache, at, out, n)
                    else:
                        batch.places[k] = at
                    continue
                if len(whole.words) > 0:
                    prefetch(whole.words, slot_of(whole, mixed))
                batch.missing[misses] = k
                misses += 1
                unread = min(unread, k)
        if unread < size:
            missing = learn(data, desk, misses, ranks, whole, cache)
            if missing == 0:
                missing = _read_rest(data, desk, unread, size, ranks, cache, out, n)
            if missing < 0:
                return first, begin, n, missing
            n = missing
        first += size
    return first, begin, n, DONE


@njit(nogil=True, cache=True)
def encode_texts(
    data, borders, text, position, stop, rules, ends, ranks, whole, cache, desk, out, out_borders
):
    """Scans and encodes consecutive texts from a position in text number `text` on.

    Parameters
    ----------
    data : uint8, PADDING bytes longer than the texts
    borders : int64, shape (texts + 1,)
        Text i is ``data[borders[i] : borders[i + 1]]``.
    stop : int
        Where a piece ends at or after this position, it is enough for one call.
    ends : int64, of any length
        Room for the scanner.
    out : int32
        Has room for a token a byte, and 4 more.
    out_borders : int64, shape (texts + 1,)
        Text i is ``out[out_borders[i] : out_borders[i + 1]]``; of the current text the entry i + 1
        is where its tokens so far end.

    Returns
    -------
    tuple of int
        The text and the position where to go on (there are no more texts at the end), and DONE,
        FULL or -1 - b as from `encode_ends`.
    """
    texts = len(borders) - 1
    while text < texts:
        n = out_borders[text + 1]
        while position < borders[text + 1]:
            if position >= stop:
                return text, position, DONE
            count, _ = scan(data, position, borders[text + 1], rules, ends)
            _, position, n, state = encode_ends(
                data, position, ends, ZERO, count, ranks, whole, cache, desk, out, n
            )
            out_borders[text + 1] = n
            if state != DONE:
                return text, position, state
        text += 1
        if text < texts:
            out_borders[text + 1] = n
    return text, position, DONE


@njit(nogil=True, cache=True)
def add_lengths(tokens, lengths, bounds):
    """Where each token begins and the last ends, from 0, into `bounds` of one more."""
    position = np.int64(0)
    bounds[0] = 0
    for i in range(len(tokens)):
        position += lengths[tokens[i]]
        bounds[i + 1] = position


@njit(nogil=True, cache=True)
def to_ids(tokens, ids):
    """Dense tokens to ids, in place."""
    for i in range(len(tokens)):
        tokens[i] = ids[tokens[i]]

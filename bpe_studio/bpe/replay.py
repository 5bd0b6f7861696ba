"""The merges of a table on counted pieces: how often each of them is applied there."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.arrays import read_only
from bpe_studio.bpe.engine import Engine, Room
from bpe_studio.bpe.table import MergeTable, MissingByteError
from bpe_studio.bpe.words import WordCounts

__all__ = ["Replay", "replay", "replay_into"]


class Replay(NamedTuple):
    """What merging has made of some pieces.

    Attributes
    ----------
    base_symbols : int
        The tokens before any merge.
    applied : int64 array, shape (merges,)
        By rank: how often a merge joined two tokens, so that where every merge uses only what
        earlier ones make, the first k leave ``base_symbols - applied[:k].sum()`` tokens.
    """

    base_symbols: int
    applied: NDArray[np.int64]


def replay(words: WordCounts, table: MergeTable) -> Generator[None, None, Replay]:
    """Encodes pieces by merges alone and counts; yields every few milliseconds, returns a `Replay`.

    Raises
    ------
    MissingByteError
        The table lacks a byte of the pieces.
    """
    counted = np.zeros(len(table.merges), dtype=np.int64)
    applied = np.zeros(len(table.merges), dtype=np.int64)
    tokens = np.empty(len(words.data), dtype=np.int32)
    offsets = np.zeros(len(words) + 1, dtype=np.int64)
    yield from replay_into(words, table, tokens, offsets, counted, applied)
    left = int(np.dot(np.diff(offsets), words.counts))
    return Replay(left + int(applied.sum()), applied)


def replay_into(
    words: WordCounts,
    table: MergeTable,
    tokens: NDArray[Any],
    offsets: NDArray[np.int64],
    counted: NDArray[np.int64],
    applied: NDArray[np.int64],
) -> Iterator[None]:
    """As `replay`, into arrays of zeros; the dense tokens, too, and where each piece's begin."""
    from bpe_studio.kernels import encode, piece

    engine = Engine(table, "merges")
    desk = Room(engine.ranks).desk
    data = read_only(words.data)
    created = np.zeros(len(table), dtype=np.int64)
    for first, last in words.slices():
        missing = encode.encode_pieces(
            data, words.offsets, first, last, engine.ranks, engine.whole, desk,
            words.counts, piece.Counts(created, counted, applied), tokens, offsets,
        )  # fmt: skip
        if missing >= 0:
            raise MissingByteError(missing)
        yield

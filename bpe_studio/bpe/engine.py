"""What the encoding kernels work on: the tables of one tokenizer, and a room for each thread.

Every call has a room of its own: a cache of pieces and what merging needs. Rooms are kept for the
next calls, so that there are as many as there ever were calls at one time.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.table import MergeTable

if TYPE_CHECKING:
    from bpe_studio.kernels.learn import Desk
    from bpe_studio.kernels.piece_cache import Cache
    from bpe_studio.kernels.ranks import Ranks
    from bpe_studio.kernels.whole import Whole

EngineName = Literal["merges", "whole-piece-first"]

# A cache has 2**bits entries of 32 bytes. When half of them are filled it grows by a step, or, at
# its largest, starts afresh. Short texts want it small, so that it stays near the processor.
CACHE_BITS: Final = (12, 16, 18, 19)
_ENDS: Final = 2048


class Room:
    """What one thread works with.

    Attributes
    ----------
    cache : Cache
        The pieces that were met, with their tokens.
    desk : Desk
    ends : int64 array
        For the scanner.
    """

    def __init__(self, ranks: Ranks) -> None:
        from bpe_studio.kernels import learn, piece_cache

        self._kernel: Any = piece_cache
        self.cache: Cache = piece_cache.cache_of(CACHE_BITS[0])
        self.desk: Desk = learn.desk_for(ranks)
        self.ends: NDArray[np.int64] = np.empty(_ENDS, dtype=np.int64)

    def make_space(self) -> None:
        """The cache is full: a larger one with the same pieces, or an empty one."""
        larger = [bits for bits in CACHE_BITS if bits > 64 - self.cache.shift]
        old, self.cache = self.cache, self._kernel.cache_of(min(larger, default=CACHE_BITS[-1]))
        if larger:
            self._kernel.move(old, self.cache)


class Engine:
    """The tables of a merge table as kernels want them. Safe to share between threads.

    Attributes
    ----------
    ranks : Ranks
    whole : Whole
    lengths : int32 array
        Bytes of every token.
    ids : int32 array, or None
        The ids of the dense tokens; None where they are the same numbers.
    """

    def __init__(self, table: MergeTable, name: EngineName) -> None:
        from bpe_studio.kernels import ranks, whole

        self.ranks: Ranks = ranks.rank_table(
            table.dense_merges, table.dense_bytes, table.dense_chars, len(table)
        )
        self.whole: Whole = (
            whole.whole_table(*_tokens_of_pieces(table))
            if name == "whole-piece-first"
            else whole.no_whole()
        )
        self.lengths: NDArray[np.int32] = np.diff(table.token_offsets).astype(np.int32)
        same = len(table) == 0 or int(table.ids[-1]) == len(table) - 1
        self.ids: NDArray[np.int32] | None = None if same else np.array(table.ids)
        self._lock = threading.Lock()
        self._rooms: list[Room] = []

    @contextmanager
    def room(self) -> Iterator[Room]:
        """A room that nobody else is in."""
        with self._lock:
            room = self._rooms.pop() if self._rooms else None
        room = room or Room(self.ranks)
        yield room
        # Not after an error, which may have come in the middle of something.
        with self._lock:
            self._rooms.append(room)


def _tokens_of_pieces(table: MergeTable) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The bytes of the tokens that a piece may be, and their offsets; others are empty.

    A byte to fall back to is none where the character itself has a token.
    """
    lengths = np.diff(table.token_offsets)
    single = np.flatnonzero(lengths == 1)
    symbols = table.byte_ids[table.token_data[table.token_offsets[single]]]
    shadowed = single[(symbols >= 0) & (symbols != table.ids[single])]
    if not len(shadowed):
        return table.token_data, table.token_offsets
    kept = np.ones(len(table.token_data), dtype=np.bool_)
    kept[table.token_offsets[shadowed]] = False
    lengths[shadowed] = 0
    return table.token_data[kept], np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)

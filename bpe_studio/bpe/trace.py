"""Every merge of some pieces in order of time: what they are at every vocabulary size.

The lowest rank present is always joined first, so under the first k merges a piece goes the same
way up to the first join of rank k or more, and ends there. That holds for every table, also where
a merge uses what a later rank makes: then ranks may fall on the way, and what counts is the largest
so far.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.table import MergeTable

__all__ = ["Trace"]

_NEVER: Final = np.iinfo(np.int32).max


@dataclass(frozen=True, eq=False)
class Trace:
    """Every join of some pieces, piece after piece, in order of time.

    Attributes
    ----------
    table : MergeTable
    symbols : int32 array, shape (n,)
        The ids of the base symbols.
    bounds : int64 array, shape (n + 1,)
        Where each of them begins and the last ends, in the bytes of the pieces laid one after
        another.
    pieces : int64 array, shape (p + 1,)
        Piece i is ``symbols[pieces[i] : pieces[i + 1]]``.
    joins : int32 array, shape (j, 4)
        Rows of (merge, place, middle, end): by the merge in that row of the table's `merges` the
        symbols ``place : middle`` and ``middle : end``, counted through all pieces, became one.
    first_joins : int64 array, shape (p + 1,)
        The joins of piece i are ``joins[first_joins[i] : first_joins[i + 1]]``.
    sizes : int32 array, shape (j,)
        How many first merges of the table a join needs: 1 + the largest rank among it and the
        earlier joins of its piece.
    whole_ids, whole_sizes : int32 arrays, shape (p,)
        For an engine that takes whole pieces first: the token that a piece is, or -1, and how
        many merges it needs (0 where no merge makes it: it is always there).
    """

    table: MergeTable
    symbols: NDArray[np.int32]
    bounds: NDArray[np.int64]
    pieces: NDArray[np.int64]
    joins: NDArray[np.int32]
    first_joins: NDArray[np.int64]
    sizes: NDArray[np.int32]
    whole_ids: NDArray[np.int32]
    whole_sizes: NDArray[np.int32]

    @property
    def made(self) -> NDArray[np.int32]:
        """int32 (j,): the id of the token that each join makes."""
        tokens: NDArray[np.int32] = self.table.merges[self.joins[:, 0], 2]
        return tokens

    def counts(self, weights: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """Tokens under the first 0, 1, … merges, all of them last: int64 (merges + 1,).

        Parameters
        ----------
        weights : int64 array, shape (p,), optional
            How often each piece counts.
        """
        borders = self._gone < _NEVER
        many = None
        total = len(self.symbols)
        if weights is not None:
            each = np.repeat(weights, np.diff(self.pieces))
            total, many = int(each.sum()), each[borders].astype(np.float64)
        gone = np.bincount(self._gone[borders], many, len(self.table.merges) + 1)
        return (total - np.cumsum(gone.astype(np.int64))).astype(np.int64)

    def tokens_at(self, merges: int) -> int:
        """How many tokens the pieces are under the first `merges` merges."""
        return int(np.count_nonzero(self._gone > merges))

    def begins(self, merges: int, first: int = 0, last: int | None = None) -> NDArray[np.int64]:
        """The symbols from `first` to `last` that begin a token under the first merges."""
        return np.flatnonzero(self._gone[first:last] > merges) + first

    def cut(self, merges: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The tokens under the first `merges` merges.

        Returns
        -------
        ids : int32 array, shape (t,)
        bounds : int64 array, shape (t + 1,)
            Where each begins and the last ends, in bytes as in `.bounds`.
        """
        places = self.begins(merges)
        return self.ids_at(places, merges), self.bounds[np.append(places, len(self.symbols))]

    def ids_at(self, places: NDArray[np.int64], merges: int) -> NDArray[np.int32]:
        """The tokens that begin at these symbols, which do begin tokens under `merges` merges."""
        ids = self.symbols[places]
        keys, made = self._last_joins
        if len(keys):
            at = np.searchsorted(keys, (places << 32) | merges, side="right") - 1
            found = (at >= 0) & (keys[at] >> 32 == places)
            ids[found] = made[at[found]]
        if (self.whole_ids >= 0).any():
            piece = np.searchsorted(self.pieces, places, side="right") - 1
            whole = (self.whole_ids[piece] >= 0) & (self.whole_sizes[piece] <= merges)
            ids[whole] = self.whole_ids[piece[whole]]
        return ids

    @cached_property
    def _gone(self) -> NDArray[np.int32]:
        """int32 (n,): how many merges it takes that a symbol no longer begins a token."""
        gone = np.full(len(self.symbols), _NEVER, dtype=np.int32)
        gone[self.joins[:, 2]] = self.sizes
        whole = np.flatnonzero(self.whole_ids >= 0)
        if len(whole):
            lengths = np.diff(self.pieces)
            sizes = np.full(len(lengths), _NEVER, dtype=np.int32)
            sizes[whole] = self.whole_sizes[whole]
            gone = np.minimum(gone, np.repeat(sizes, lengths))
        firsts = self.pieces[:-1][np.diff(self.pieces) > 0]
        gone[firsts] = _NEVER
        return gone

    @cached_property
    def _last_joins(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """``place << 32 | merges needed`` of every join, ascending, and the token that it makes."""
        places = self.joins[:, 1].astype(np.int64)
        order = np.argsort(places, kind="stable")
        return (places[order] << 32) | self.sizes[order], self.made[order]

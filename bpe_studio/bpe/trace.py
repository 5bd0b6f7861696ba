"""Every merge of some pieces in order of time: what they are at every vocabulary size.

The lowest rank present is always joined first, so under the first k merges a piece goes the same
way up to the first join of rank k or more, and ends there. That holds for every table, also where
a merge uses what a later rank makes: then ranks may fall on the way, and what counts is the largest
so far.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.encoder import Encoder
from bpe_studio.bpe.plain_encoder import PlainEncoder
from bpe_studio.bpe.scanner import PADDING
from bpe_studio.bpe.table import MergeTable, MissingByteError, read_only

__all__ = ["Trace", "Tracer"]

_SYMBOLS_A_SLICE: Final = 1 << 17  # about 10 ms
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
        Rows of (rank, place, middle, end): the symbols ``place : middle`` and ``middle : end``,
        counted through all pieces, became one.
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

    def cut(self, merges: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The tokens under the first `merges` merges.

        Returns
        -------
        ids : int32 array, shape (t,)
        bounds : int64 array, shape (t + 1,)
            Where each begins and the last ends, in bytes as in `.bounds`.
        """
        places = np.flatnonzero(self._gone > merges)
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


@dataclass(frozen=True, eq=False)
class Tracer:
    """Traces pieces under one table and engine. Safe to share between threads.

    Attributes
    ----------
    encoder : Encoder
    plain : PlainEncoder or None
        For tables whose symbols only this one knows.
    """

    encoder: Encoder
    plain: PlainEncoder | None = None

    def trace(
        self, data: bytes, ends: NDArray[np.int64], given: NDArray[np.int32] | None = None
    ) -> Generator[None, None, Trace]:
        """The trace of pieces, in slices.

        Parameters
        ----------
        data : the pieces' bytes, one after another
        ends : int64, where each ends
        given : int32, one a piece, optional
            The id of a piece that is one token before anything is merged; -1 for the others.

        Raises
        ------
        MissingByteError
            The table lacks a byte.
        """
        offsets = np.concatenate((np.zeros(1, dtype=np.int64), ends))
        merged = np.ones(len(ends), dtype=np.bool_) if given is None else given < 0
        spelled = self._spell(*_some(data, offsets, merged))
        yield
        if given is not None and not merged.all():
            spelled = _with_given(*spelled, given, np.diff(offsets))
        symbols, widths, pieces = spelled
        bounds = np.concatenate(([0], np.cumsum(widths, dtype=np.int64)))
        found = yield from self._join(symbols, pieces)
        whole_ids = np.full(len(ends), -1, dtype=np.int32)
        if self.encoder.engine == "whole-piece-first":
            whole_ids[merged] = self._whole_ids(*_some(data, offsets, merged))
        return Trace(
            self.encoder.table, symbols, bounds, pieces, *found,
            whole_ids, self._sizes_of(whole_ids),
        )  # fmt: skip

    def _spell(
        self, data: bytes, offsets: NDArray[np.int64]
    ) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]:
        """Ids of base symbols, their bytes, and where pieces begin and end."""
        if self.plain is not None:
            return _spell_plainly(self.plain, data, offsets)
        from bpe_studio.kernels.trace import spell

        engine = self.encoder.tables
        symbols = np.empty(len(data), dtype=np.int32)
        pieces = np.empty(len(offsets), dtype=np.int64)
        count = spell(_array(data), offsets, engine.ranks, symbols, pieces)
        if count < 0:
            raise MissingByteError(-1 - count)
        dense = symbols[:count]
        return self.encoder.table.ids[dense], engine.lengths[dense], pieces

    def _join(
        self, symbols: NDArray[np.int32], pieces: NDArray[np.int64]
    ) -> Generator[None, None, tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]]]:
        from bpe_studio.kernels.trace import COLUMNS, trace_pieces

        longest = int(np.diff(pieces).max(initial=0))
        nodes = np.empty((longest, 4), dtype=np.int32)
        heap = np.empty(2 * longest, dtype=np.int64)
        joins = np.empty((len(symbols), COLUMNS), dtype=np.int32)
        sizes = np.empty(len(symbols), dtype=np.int32)
        first_joins = np.zeros(len(pieces), dtype=np.int64)
        ranks, dense = self.encoder.tables.ranks, self._dense(symbols)
        piece = 0
        while piece < len(pieces) - 1:
            piece = trace_pieces(
                ranks, dense, pieces, piece, _SYMBOLS_A_SLICE, nodes, heap,
                joins, sizes, first_joins,
            )  # fmt: skip
            yield
        used = int(first_joins[-1])
        return joins[:used].copy(), first_joins, sizes[:used].copy()

    def _dense(self, symbols: NDArray[np.int32]) -> NDArray[np.int32]:
        """The places of ids in the table; of those that are not there, a number without merges."""
        ids = self.encoder.table.ids
        places = np.minimum(np.searchsorted(ids, symbols), max(len(ids) - 1, 0))
        nobody = self.encoder.tables.ranks.nobody
        known = ids[places] == symbols if len(ids) else np.zeros(len(symbols), dtype=np.bool_)
        return np.where(known, places, nobody).astype(np.int32)

    def _whole_ids(self, data: bytes, offsets: NDArray[np.int64]) -> NDArray[np.int32]:
        """The token that each piece is, or -1."""
        if self.plain is not None:
            find = self.encoder.table.find
            found = (find(data[a:b]) for a, b in pairwise(offsets.tolist()))
            return np.array([-1 if token is None else token for token in found], dtype=np.int32)
        from bpe_studio.kernels.trace import find_wholes

        tokens = np.empty(len(offsets) - 1, dtype=np.int32)
        find_wholes(_array(data), offsets, self.encoder.tables.whole, tokens)
        ids = self.encoder.table.ids
        return np.where(tokens >= 0, ids[np.maximum(tokens, 0)], -1).astype(np.int32)

    def _sizes_of(self, tokens: NDArray[np.int32]) -> NDArray[np.int32]:
        """How many merges each token needs to be in the vocabulary."""
        table = self.encoder.table
        made, first = np.unique(table.merges[:, 2], return_index=True)
        sizes = np.zeros(len(tokens), dtype=np.int32)
        if len(made):
            at = np.minimum(np.searchsorted(made, tokens), len(made) - 1)
            found = made[at] == tokens
            sizes[found] = first[at[found]] + 1
        return sizes


def _spell_plainly(
    plain: PlainEncoder, data: bytes, offsets: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]:
    symbols: list[int] = []
    widths: list[int] = []
    pieces = [0]
    for begin, end in pairwise(offsets.tolist()):
        found, lengths = plain.symbols(data[begin:end].decode("utf-8", "surrogateescape"))
        symbols += found
        widths += lengths
        pieces.append(len(symbols))
    as_int = np.int32
    return np.array(symbols, as_int), np.array(widths, as_int), np.array(pieces, np.int64)


def _with_given(
    symbols: NDArray[np.int32],
    widths: NDArray[np.int32],
    pieces: NDArray[np.int64],
    given: NDArray[np.int32],
    lengths: NDArray[np.int64],
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]:
    """What is spelled, and between it the pieces that are one token each."""
    merged = given < 0
    places = pieces[np.cumsum(merged)[~merged]]
    counts = np.ones(len(given), dtype=np.int64)
    counts[merged] = np.diff(pieces)
    return (
        np.insert(symbols, places, given[~merged]),
        np.insert(widths, places, lengths[~merged].astype(np.int32)),
        np.concatenate(([0], np.cumsum(counts))),
    )


def _some(
    data: bytes, offsets: NDArray[np.int64], wanted: NDArray[np.bool_]
) -> tuple[bytes, NDArray[np.int64]]:
    """Some of the pieces, one after another, and their offsets."""
    if wanted.all():
        return data, offsets
    lengths = np.diff(offsets)
    kept = np.frombuffer(data, dtype=np.uint8)[np.repeat(wanted, lengths)]
    return kept.tobytes(), np.concatenate(([0], np.cumsum(lengths[wanted])))


def _array(data: bytes) -> NDArray[np.uint8]:
    """The bytes, and as many more as the kernels may read."""
    return read_only(np.frombuffer(data + bytes(PADDING), dtype=np.uint8))

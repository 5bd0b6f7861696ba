"""Tracing pieces: bytes to base symbols, and every join of these in order of time."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.arrays import read_only
from bpe_studio.bpe.encoder import Encoder
from bpe_studio.bpe.plain_encoder import PlainEncoder
from bpe_studio.bpe.scanner import PADDING
from bpe_studio.bpe.table import MissingByteError
from bpe_studio.bpe.trace import Trace

__all__ = ["SizedPieces", "Tracer"]

_SYMBOLS_A_SLICE: Final = 1 << 17  # about 10 ms


class SizedPieces(NamedTuple):
    """What some pieces become, in dense tokens.

    Attributes
    ----------
    pieces : int64 array, shape (p + 1,)
        Piece i has ``pieces[i + 1] - pieces[i]`` base symbols.
    tokens, at_size : int32 arrays
        Under all merges, and under some first ones.
    gone : int32 array
        For every border between base symbols that is lost, how many merges that takes.
    borders : int64 array, shape (p + 1, 3)
        Where the tokens, those at a size, and the lost borders of each piece begin.
    """

    pieces: NDArray[np.int64]
    tokens: NDArray[np.int32]
    at_size: NDArray[np.int32]
    gone: NDArray[np.int32]
    borders: NDArray[np.int64]


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

    def sized(self, data: NDArray[np.uint8], offsets: NDArray[np.int64], size: int) -> SizedPieces:
        """Pieces under all merges, under the first `size`, and their tokens at every size.

        Parameters
        ----------
        data : uint8, the pieces one after another, padded
        offsets : int64, where each begins and the last ends

        Raises
        ------
        MissingByteError
            The table lacks a byte.
        """
        from bpe_studio.kernels.sized import Merged, merge_sized

        symbols, pieces = self._spell_dense(data, offsets)
        wholes = np.full(len(offsets) - 1, -1, dtype=np.int32)
        whole_sizes = wholes
        if self.encoder.engine == "whole-piece-first":
            wholes = self._wholes(data, offsets)
            ids = self.encoder.table.ids[np.maximum(wholes, 0)]
            whole_sizes = np.where(wholes >= 0, self._sizes_of(ids), -1).astype(np.int32)
        merged = Merged(
            tokens=np.empty(len(symbols), dtype=np.int32),
            at_size=np.empty(len(symbols), dtype=np.int32),
            gone=np.empty(len(symbols), dtype=np.int32),
            borders=np.zeros((len(offsets), 3), dtype=np.int64),
        )
        merge_sized(
            self.encoder.tables.ranks, symbols, pieces, wholes, whole_sizes, size,
            *_room_for(pieces), merged,
        )  # fmt: skip
        in_all, in_size, lost = merged.borders[-1].tolist()
        return SizedPieces(
            pieces=pieces,
            tokens=merged.tokens[:in_all],
            at_size=merged.at_size[:in_size],
            gone=merged.gone[:lost],
            borders=merged.borders,
        )

    def _spell(
        self, data: bytes, offsets: NDArray[np.int64]
    ) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]:
        """Ids of base symbols, their bytes, and where pieces begin and end."""
        if self.plain is not None:
            return _spell_plainly(self.plain, data, offsets)
        dense, pieces = self._spell_dense(_array(data), offsets)
        return self.encoder.table.ids[dense], self.encoder.tables.lengths[dense], pieces

    def _spell_dense(
        self, data: NDArray[np.uint8], offsets: NDArray[np.int64]
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """As `_spell`, in dense numbers and without lengths; of bytes and characters only."""
        from bpe_studio.kernels.trace import spell

        symbols = np.empty(len(data), dtype=np.int32)
        pieces = np.empty(len(offsets), dtype=np.int64)
        count = spell(read_only(data), offsets, self.encoder.tables.ranks, symbols, pieces)
        if count < 0:
            raise MissingByteError(-1 - count)
        return symbols[:count], pieces

    def _join(
        self, symbols: NDArray[np.int32], pieces: NDArray[np.int64]
    ) -> Generator[None, None, tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]]]:
        from bpe_studio.kernels.trace import COLUMNS, trace_pieces

        nodes, heap = _room_for(pieces)
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
        tokens, ids = self._wholes(_array(data), offsets), self.encoder.table.ids
        return np.where(tokens >= 0, ids[np.maximum(tokens, 0)], -1).astype(np.int32)

    def _wholes(self, data: NDArray[np.uint8], offsets: NDArray[np.int64]) -> NDArray[np.int32]:
        """As `_whole_ids`, in dense numbers; the data are padded."""
        from bpe_studio.kernels.trace import find_wholes

        tokens = np.empty(len(offsets) - 1, dtype=np.int32)
        find_wholes(read_only(data), offsets, self.encoder.tables.whole, tokens)
        return tokens

    @cached_property
    def _first_merges(self) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Every token that merges make, and the first of its merges."""
        made, first = np.unique(self.encoder.table.merges[:, 2], return_index=True)
        return made, first.astype(np.int64)

    def _sizes_of(self, tokens: NDArray[np.int32]) -> NDArray[np.int32]:
        """How many merges each token needs to be in the vocabulary."""
        made, first = self._first_merges
        sizes = np.zeros(len(tokens), dtype=np.int32)
        if len(made):
            at = np.minimum(np.searchsorted(made, tokens), len(made) - 1)
            found = made[at] == tokens
            sizes[found] = first[at[found]] + 1
        return sizes


def _room_for(pieces: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Nodes and heap for the longest of some pieces."""
    longest = int(np.diff(pieces).max(initial=0))
    return np.empty((longest, 4), dtype=np.int32), np.empty(2 * longest, dtype=np.int64)


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

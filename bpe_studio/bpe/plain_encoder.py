"""Merging in plain Python, for tables whose symbols the kernels do not know.

Old tables write an end mark at the last symbol of a piece (``low</w>``), some a mark at every
symbol but the first (``##ow``); others have a token for bytes that they lack. Such tables are rare.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.engine import EngineName
from bpe_studio.bpe.table import MergeTable, MissingByteError
from bpe_studio.bpe.text_rules import TextRules

__all__ = ["PlainEncoder", "needs_plain"]

_CACHED_PIECES = 1 << 16
_GONE = -1


def needs_plain(table: MergeTable, rules: TextRules) -> bool:
    """Whether a table's symbols are such that only `PlainEncoder` knows them."""
    if rules.word_prefix or rules.word_end:
        return True
    lacks_bytes = bool((table.byte_ids < 0).any())
    return table.base == "bytes" and rules.unknown is not None and lacks_bytes


@dataclass(frozen=True, eq=False)
class PlainEncoder:
    """Encodes pieces under any table. Safe to share between threads."""

    table: MergeTable
    rules: TextRules
    engine: EngineName
    _cache: dict[str, tuple[list[int], list[int]]] = field(default_factory=dict)

    def encode(self, pieces: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The ids of pieces, and where each token begins and the last ends, in bytes: (n + 1,)."""
        ids: list[int] = []
        lengths: list[int] = [0]
        for piece in pieces:
            found = self._cache.get(piece)
            if found is None:
                if len(self._cache) >= _CACHED_PIECES:
                    self._cache.clear()
                found = self._cache[piece] = self._encode(piece)
            ids += found[0]
            lengths += found[1]
        return np.array(ids, dtype=np.int32), np.cumsum(lengths, dtype=np.int64)

    def _encode(self, piece: str) -> tuple[list[int], list[int]]:
        """The ids of a piece, and the bytes that each covers."""
        if self.engine == "whole-piece-first":
            whole = self.table.find(piece.encode())
            if whole is not None:
                return [whole], [len(piece.encode())]
        symbols, widths = self.symbols(piece)
        merges = self.table.merge_ranks
        following = [*range(1, len(symbols)), -1]
        previous = list(range(-1, len(symbols) - 1))
        waiting: list[tuple[int, int, int, int, int]] = []

        def wait(place: int) -> None:
            if place >= 0 and (after := following[place]) >= 0:
                pair = symbols[place], symbols[after]
                if pair in merges:
                    rank, new = merges[pair]
                    heappush(waiting, (rank, place, *pair, new))

        for place in range(len(symbols)):
            wait(place)
        while waiting:
            _rank, place, left, right, new = heappop(waiting)
            after = following[place]
            if symbols[place] != left or after < 0 or symbols[after] != right:
                continue  # one of the two has been merged with another since
            symbols[place], symbols[after] = new, _GONE
            widths[place] += widths[after]
            following[place] = following[after]
            if following[place] >= 0:
                previous[following[place]] = place
            wait(previous[place])
            wait(place)
        kept = [place for place, symbol in enumerate(symbols) if symbol != _GONE]
        return [symbols[place] for place in kept], [widths[place] for place in kept]

    def symbols(self, piece: str) -> tuple[list[int], list[int]]:
        """The base symbols of a piece, and the bytes that each covers.

        A byte that is no UTF-8 is a lone surrogate, as `surrogateescape` makes it.
        """
        if self.table.base == "bytes":
            units = [bytes([byte]) for byte in piece.encode("utf-8", "surrogateescape")]
        else:
            units = [char.encode("utf-8", "surrogateescape") for char in piece]
        prefix, end = self.rules.word_prefix.encode(), self.rules.word_end.encode()
        symbols: list[int] = []
        widths: list[int] = []
        for place, unit in enumerate(units):
            marked = (prefix if place else b"") + unit + (end if place == len(units) - 1 else b"")
            found = self.table.find(marked)
            if found is not None:
                symbols.append(found)
                widths.append(len(unit))
            elif self.rules.unknown is None:
                raise MissingByteError(unit[0])
            elif self.rules.unknown.fuse and symbols[-1:] == [self.rules.unknown.id]:
                widths[-1] += len(unit)
            else:
                symbols.append(self.rules.unknown.id)
                widths.append(len(unit))
        return symbols, widths

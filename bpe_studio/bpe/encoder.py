"""Text to ids, through pieces and a bounded cache of pieces."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.patterns import Pattern
from bpe_studio.bpe.scanner import iter_pieces
from bpe_studio.bpe.table import MergeTable, MissingByteError

Engine = Literal["merges", "whole-piece-first"]
_CACHED_PIECES: Final = 1 << 18
_CACHED_BYTES: Final = 1 << 25
_NO_COUNTS: Final = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Encoding:
    """What a text became.

    Attributes
    ----------
    ids : int32 array, shape (n,)
    offsets : int64 array, shape (n, 2)
        Byte spans in the UTF-8 text: token i covers bytes ``offsets[i, 0]`` to ``offsets[i, 1]``.
        A token that was added (bos, eos) has an empty span.
    """

    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.ids)


class SurrogateError(ValueError):
    """The text holds half of a surrogate pair, which no UTF-8 can hold."""

    def __init__(self, text: str) -> None:
        self.position = next(i for i, char in enumerate(text) if "\ud800" <= char <= "\udfff")
        super().__init__(
            f"The text holds a lone surrogate (U+{ord(text[self.position]):04X}) at character "
            f"{self.position:,}; replace it, for example with U+FFFD."
        )


def encoded(text: str) -> bytes:
    """The UTF-8 bytes of a text.

    Raises
    ------
    SurrogateError
        The text holds a lone surrogate.
    """
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise SurrogateError(text) from None


class _PieceIndex(dict[str, int]):
    """Numbers pieces as they come; new ones also wait in `pending`."""

    def __init__(self) -> None:
        super().__init__()
        self.pending: list[str] = []

    def __missing__(self, piece: str) -> int:
        number = len(self)
        self[piece] = number
        self.pending.append(piece)
        return number


class Encoder:
    """Encodes plain text under one table, pattern and engine. Safe to share between threads.

    Tokens are dense numbers here: places among ``table.ids``.
    """

    def __init__(self, table: MergeTable, pattern: Pattern, engine: Engine = "merges") -> None:
        self.table = table
        self.pattern = pattern
        self.engine = engine
        self._lock = threading.Lock()
        self._pairs: tuple[Any, ...] | None = None
        self._forget()

    def _forget(self) -> None:
        self._index = _PieceIndex()
        self._arena = np.zeros(1 << 12, dtype=np.int32)
        self._starts = np.zeros(1 << 10, dtype=np.int64)
        self._lengths = np.zeros(1 << 10, dtype=np.int64)
        self._used = 0
        self._cached_bytes = 0

    def encode(self, text: str) -> NDArray[np.int32]:
        """The dense tokens of a text without specials.

        Raises
        ------
        ValueError
            A lone surrogate, with its position; a byte that the table lacks; and what
            `split_pieces` raises.
        """
        parts = [self._encode_slice(pieces, text) for pieces in iter_pieces(self.pattern, text)]
        return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int32)

    def _encode_slice(self, pieces: list[str], text: str) -> NDArray[np.int32]:
        from bpe_studio.kernels import encode as kernel

        with self._lock:
            numbers = np.fromiter(
                map(self._index.__getitem__, pieces), dtype=np.int64, count=len(pieces)
            )
            if self._index.pending:
                self._learn_pending(text)
            tokens: NDArray[np.int32] = kernel.gather(
                numbers, self._starts, self._lengths, self._arena
            )
            if len(self._index) > _CACHED_PIECES or self._cached_bytes > _CACHED_BYTES:
                self._forget()
        return tokens

    def _learn_pending(self, text: str) -> None:
        """Encodes the pieces that were not in the cache; on an error the cache starts afresh."""
        try:
            data = [piece.encode() for piece in self._index.pending]
            tokens, offsets = self.encode_pieces(data)
        except UnicodeEncodeError:
            self._forget()
            raise SurrogateError(text) from None
        except MissingByteError as error:
            self._forget()
            raise MissingByteError(error.byte, text, self.table.char_ids) from None
        count = len(self._index)
        first = count - len(data)
        self._starts = _with_room(self._starts, count)
        self._lengths = _with_room(self._lengths, count)
        self._arena = _with_room(self._arena, self._used + len(tokens))
        self._starts[first:count] = offsets[:-1] + self._used
        self._lengths[first:count] = np.diff(offsets)
        self._arena[self._used : self._used + len(tokens)] = tokens
        self._used += len(tokens)
        self._cached_bytes += sum(map(len, data))
        self._index.pending.clear()

    def encode_pieces(self, pieces: Sequence[bytes]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Encodes pieces as they are, without pattern or cache.

        Returns
        -------
        tokens : int32 array of dense tokens, one piece after another
        offsets : int64 array, shape (len(pieces) + 1,)
            Piece i is ``tokens[offsets[i]:offsets[i + 1]]``.
        """
        starts = np.zeros(len(pieces) + 1, dtype=np.int64)
        starts[1:] = np.cumsum([len(piece) for piece in pieces])
        data = np.frombuffer(b"".join(pieces), dtype=np.uint8)
        tokens, offsets = self.encode_arena(data, starts)
        if self.engine == "whole-piece-first":
            return self._whole_first(pieces, tokens, offsets)
        return tokens, offsets

    def encode_arena(
        self,
        data: NDArray[np.uint8],
        starts: NDArray[np.int64],
        *,
        weights: NDArray[np.int64] | None = None,
        created: NDArray[np.int64] | None = None,
        counted: NDArray[np.int64] | None = None,
        applied: NDArray[np.int64] | None = None,
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """As `encode_pieces` by merges alone, on an arena of bytes.

        With `weights` (int64, one a piece) these grow by the weight of a piece: ``created`` (one
        a token) each time a token comes to be on the way, base symbols included; ``counted`` (one
        a merge) for every pair present when a merge fires, ``applied`` for every pair it joins.
        """
        from bpe_studio.kernels import encode as kernel

        keys, values, shift = self._pair_table()
        tokens = np.empty(len(data), dtype=np.int32)
        offsets = np.zeros(len(starts), dtype=np.int64)
        missing = kernel.encode_pieces(
            data, starts, 0, len(starts) - 1, self.table.dense_bytes, self.table.dense_chars,
            keys, values, shift, tokens, offsets,
            *self._count_arrays(weights, created, counted, applied),
        )  # fmt: skip
        if missing >= 0:
            raise MissingByteError(missing)
        return tokens[: offsets[-1]], offsets

    def _count_arrays(
        self,
        weights: NDArray[np.int64] | None,
        created: NDArray[np.int64] | None,
        counted: NDArray[np.int64] | None,
        applied: NDArray[np.int64] | None,
    ) -> tuple[NDArray[np.int64], ...]:
        """The kernel fills all three counts or none."""
        if weights is None:
            return (_NO_COUNTS,) * 4
        merges = len(self.table.merges)
        return (
            weights,
            np.zeros(len(self.table), dtype=np.int64) if created is None else created,
            np.zeros(merges, dtype=np.int64) if counted is None else counted,
            np.zeros(merges, dtype=np.int64) if applied is None else applied,
        )

    def _pair_table(self) -> tuple[Any, ...]:
        if self._pairs is None:
            from bpe_studio.kernels import encode as kernel

            self._pairs = kernel.pair_table(self.table.dense_merges)
        return self._pairs

    def _whole_first(
        self, pieces: Sequence[bytes], tokens: NDArray[np.int32], offsets: NDArray[np.int64]
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """A piece that is a token as a whole stays whole, whatever the merges would make of it."""
        runs: list[NDArray[np.int32]] = []
        for number, piece in enumerate(pieces):
            run = tokens[offsets[number] : offsets[number + 1]]
            whole = self.table.find(piece) if len(run) > 1 else None
            runs.append(run if whole is None else self._dense(whole))
        lengths = np.array([len(run) for run in runs], dtype=np.int64)
        joined = np.concatenate(runs) if runs else tokens
        return joined.astype(np.int32), np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)

    def _dense(self, token_id: int) -> NDArray[np.int32]:
        return np.array([self.table.index_of(token_id)], dtype=np.int32)


def _with_room(array: NDArray[Any], length: int) -> NDArray[Any]:
    if length <= len(array):
        return array
    grown = np.zeros(max(length, 2 * len(array)), dtype=array.dtype)
    grown[: len(array)] = array
    return grown

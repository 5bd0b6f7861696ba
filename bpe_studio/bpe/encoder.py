"""Text to ids: bytes, slices for the kernels, and what may be wrong with a text."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.arrays import Scalar, read_only
from bpe_studio.bpe.engine import Engine, EngineName, Room
from bpe_studio.bpe.patterns import Pattern
from bpe_studio.bpe.scanner import PADDING, piece_ends, rules_of
from bpe_studio.bpe.table import MergeTable, MissingByteError

__all__ = ["Encoder", "Encoding", "EngineName", "SurrogateError", "TextError", "encoded", "told"]

# Of a text in one call of a kernel: 10 ms or so.
_SLICE_BYTES: Final = 1 << 20
_PART_CHARS: Final = 1 << 15
_NO_COUNTS: Final = np.zeros(0, dtype=np.int64)
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Encoding:
    """What a text became.

    Attributes
    ----------
    ids : int32 array, shape (n,)
    offsets : int64 array, shape (n, 2)
        Byte spans in the UTF-8 text: token i covers bytes ``offsets[i, 0]`` to ``offsets[i, 1]``.
        A token that was added (bos, eos) has an empty span. The spans tile the text.
    """

    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]

    @classmethod
    def of_bounds(cls, ids: NDArray[np.int32], bounds: NDArray[np.int64]) -> Encoding:
        """Of where each token begins and the last ends; the spans are a view, not a copy."""
        spans = np.lib.stride_tricks.as_strided(
            bounds, (len(bounds) - 1, 2), 2 * bounds.strides, writeable=False
        )
        return cls(ids, spans)

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


class TextError(ValueError):
    """One of many texts cannot be encoded.

    Attributes
    ----------
    text : int
        Its number, from 0.
    error : Exception
        What is wrong with it.
    """

    def __init__(self, text: int, error: Exception) -> None:
        self.text = text
        self.error = error
        super().__init__(f"Text {text:,}: {error}")


def encoded(text: str) -> bytes:
    """The UTF-8 bytes of a text.

    Raises
    ------
    SurrogateError
        The text holds a lone surrogate.
    TypeError
        It is no text.
    """
    if not isinstance(text, str):
        raise TypeError(f"A text is a str, not {type(text).__name__}; decode bytes first.")
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise SurrogateError(text) from None


class Encoder:
    """Encodes plain text under one table, pattern and engine. Safe to share between threads."""

    def __init__(self, table: MergeTable, pattern: Pattern, engine: EngineName = "merges") -> None:
        self.table = table
        self.pattern = pattern
        self.engine = engine
        self._lock = threading.Lock()
        self._tables: Engine | None = None

    @property
    def tables(self) -> Engine:
        """The tables of the kernels, made at the first use."""
        with self._lock:
            if self._tables is None:
                self._tables = Engine(self.table, self.engine)
            return self._tables

    def encode(self, text: str) -> NDArray[np.int32]:
        """The ids of a text without specials.

        Raises
        ------
        ValueError
            A lone surrogate, with its position; a byte that the table lacks; and what
            `split_pieces` raises.
        """
        return self._to_ids(self._tokens(text))

    def encode_bounds(self, text: str) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """As `encode`, and where each token begins and the last ends, in bytes: (n + 1,)."""
        from bpe_studio.kernels import encode as kernel

        tokens = self._tokens(text)
        bounds = np.empty(len(tokens) + 1, dtype=np.int64)
        kernel.add_lengths(tokens, self.tables.lengths, bounds)
        return self._to_ids(tokens), bounds

    def encode_cut(
        self, data: bytes, ends: NDArray[np.int64]
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """As `encode_bounds`, of a text that is cut already: its pieces end at the bytes `ends`."""
        from bpe_studio.kernels import encode as kernel

        try:
            tokens = self._encode_ends(_padded(data), iter([ends]))
        except _LacksByteError as lack:
            raise MissingByteError(
                lack.byte, data.decode("utf-8", "replace"), self.table.char_ids
            ) from None
        bounds = np.empty(len(tokens) + 1, dtype=np.int64)
        kernel.add_lengths(tokens, self.tables.lengths, bounds)
        return self._to_ids(tokens), bounds

    def encode_many(self, texts: Sequence[str], *, first: int = 0) -> list[NDArray[np.int32]]:
        """As `encode` of each; short texts take less time in this way.

        Raises
        ------
        TextError
            What is wrong with a text, and its number; that of the first is `first`.
        """
        if rules_of(self.pattern) is None:
            return [told(number, self.encode, text) for number, text in enumerate(texts, first)]
        parts = [told(number, encoded, text) for number, text in enumerate(texts, first)]
        try:
            borders = np.zeros(len(parts) + 1, dtype=np.int64)
            borders[1:] = np.cumsum([len(part) for part in parts])
            tokens, borders = self._scan_and_encode(_padded(b"".join(parts)), borders)
        except _LacksByteError as lack:
            error = MissingByteError(lack.byte, texts[lack.text], self.table.char_ids)
            raise TextError(first + lack.text, error) from None
        ids = self._to_ids(tokens)
        places = borders.tolist()
        return [ids[begin:end] for begin, end in zip(places[:-1], places[1:], strict=True)]

    def encode_arena_cut(
        self, data: NDArray[np.uint8], offsets: NDArray[np.int64]
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The dense tokens of pieces that stand one after another.

        Parameters
        ----------
        data : uint8 array, with `PADDING` bytes after the last piece
        offsets : int64 array, shape (pieces + 1,)

        Returns
        -------
        tokens : int32 array, shape (n,)
        bounds : int64 array, shape (n + 1,)
            Where each begins and the last ends, in bytes.

        Raises
        ------
        MissingByteError
        """
        from bpe_studio.kernels import encode as kernel

        try:
            tokens = self._encode_ends(read_only(data), iter([offsets[1:]]))
        except _LacksByteError as lack:
            raise MissingByteError(lack.byte) from None
        bounds = np.empty(len(tokens) + 1, dtype=np.int64)
        kernel.add_lengths(tokens, self.tables.lengths, bounds)
        return tokens, bounds

    def _to_ids(self, tokens: NDArray[np.int32]) -> NDArray[np.int32]:
        if self.tables.ids is not None:
            from bpe_studio.kernels import encode as kernel

            kernel.to_ids(tokens, self.tables.ids)
        return tokens

    def _tokens(self, text: str) -> NDArray[np.int32]:
        """The dense tokens of a text."""
        try:
            data = _padded_text(text)
            if rules_of(self.pattern) is None:
                return self._encode_ends(data, piece_ends(self.pattern, text))
            borders = np.array([0, len(data) - PADDING], dtype=np.int64)
            return self._scan_and_encode(data, borders)[0]
        except _LacksByteError as lack:
            raise MissingByteError(lack.byte, text, self.table.char_ids) from None

    def _scan_and_encode(
        self, data: NDArray[np.uint8], borders: NDArray[np.int64]
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The dense tokens of texts, one after another, and where each begins and the last ends.

        Text i is ``data[borders[i] : borders[i + 1]]``; the data are padded.
        """
        from bpe_studio.kernels import encode as kernel

        texts = len(borders) - 1
        out = np.empty(len(data), dtype=np.int32)
        out_borders = np.zeros(texts + 1, dtype=np.int64)
        rules, tables = rules_of(self.pattern), self.tables
        text = position = 0
        with tables.room() as room:
            while text < texts:
                text, position, state = kernel.encode_texts(
                    data, borders, text, position, position + _SLICE_BYTES, rules, room.ends,
                    tables.ranks, tables.whole, room.cache, room.desk, out, out_borders,
                )  # fmt: skip
                _look_at(state, room, text)
        return _cut_off(out, int(out_borders[-1])), out_borders

    def _encode_ends(
        self, data: NDArray[np.uint8], parts: Iterator[NDArray[np.int64]]
    ) -> NDArray[np.int32]:
        """As `_scan_and_encode` for one text, of which something else tells where pieces end."""
        from bpe_studio.kernels import encode as kernel

        out = np.empty(len(data), dtype=np.int32)
        tables = self.tables
        position = n = 0
        with tables.room() as room:
            for ends in parts:
                first = 0
                while first < len(ends):
                    first, position, n, state = kernel.encode_ends(
                        data, position, ends, first, len(ends),
                        tables.ranks, tables.whole, room.cache, room.desk, out, n,
                    )  # fmt: skip
                    _look_at(state, room, 0)
        return _cut_off(out, n)

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
        data = _padded(b"".join(pieces))
        return self._encode_arena(data, starts, self.tables.whole, (_NO_COUNTS,) * 4)

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
        a token) each time a token comes to be on the way, base symbols included; ``applied`` (one
        a merge) for every pair that a merge joins; ``counted`` for every pair present when it
        first fires, or, where a merge may use what a later rank makes, as ``applied``.
        """
        from bpe_studio.kernels.whole import no_whole

        counts = self._count_arrays(weights, created, counted, applied)
        return self._encode_arena(read_only(data), starts, no_whole(), counts)

    def _encode_arena(
        self,
        data: NDArray[np.uint8],
        starts: NDArray[np.int64],
        whole: Any,
        counts: tuple[NDArray[np.int64], ...],
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        from bpe_studio.kernels import encode as kernel
        from bpe_studio.kernels.piece import Counts

        tokens = np.empty(len(data), dtype=np.int32)
        offsets = np.zeros(len(starts), dtype=np.int64)
        tables = self.tables
        with tables.room() as room:
            missing = kernel.encode_pieces(
                data, _writeable(starts), 0, len(starts) - 1, tables.ranks, whole, room.desk,
                counts[0], Counts(*counts[1:]), tokens, offsets,
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
            _writeable(weights),
            np.zeros(len(self.table), dtype=np.int64) if created is None else created,
            np.zeros(merges, dtype=np.int64) if counted is None else counted,
            np.zeros(merges, dtype=np.int64) if applied is None else applied,
        )


class _LacksByteError(Exception):
    """The table lacks a byte of text number `text` of those that were given to a kernel."""

    def __init__(self, byte: int, text: int) -> None:
        super().__init__(byte, text)
        self.byte = byte
        self.text = text


def _look_at(state: int, room: Room, text: int) -> None:
    """Sees to what a kernel ended with."""
    if state < 0:
        raise _LacksByteError(-1 - state, text)
    if state > 0:
        room.make_space()


def told(number: int, function: Callable[..., _T], *arguments: Any) -> _T:
    """What a function makes of text number `number`; its error tells that number."""
    try:
        return function(*arguments)
    except (ValueError, TypeError) as error:
        raise TextError(number, error) from error


def _padded_text(text: str) -> NDArray[np.uint8]:
    """The UTF-8 bytes of a text, and as many more as the kernels may read.

    A part at a time: memory that is used over and over needs no pages of the system, which cost
    more than the copy.
    """
    if not isinstance(text, str) or len(text) <= _PART_CHARS:
        return _padded(encoded(text))
    array = np.empty((1 if text.isascii() else 4) * len(text) + PADDING, dtype=np.uint8)
    end = 0
    for first in range(0, len(text), _PART_CHARS):
        try:
            part = text[first : first + _PART_CHARS].encode()
        except UnicodeEncodeError:
            raise SurrogateError(text) from None
        array[end : end + len(part)] = np.frombuffer(part, dtype=np.uint8)
        end += len(part)
    array[end : end + PADDING] = 0
    return read_only(array[: end + PADDING])


def _padded(data: bytes) -> NDArray[np.uint8]:
    """The bytes, and as many more as the kernels may read."""
    array = np.empty(len(data) + PADDING, dtype=np.uint8)
    array[: len(data)] = np.frombuffer(data, dtype=np.uint8)
    array[len(data) :] = 0
    return read_only(array)


def _cut_off(array: NDArray[np.int32], length: int) -> NDArray[np.int32]:
    """The first `length` of an array of our own, which then takes no more memory than these."""
    array.resize(length, refcheck=False)
    return array


def _writeable(array: NDArray[Scalar]) -> NDArray[Scalar]:
    """The array or a copy: but for texts, kernels are compiled for arrays that one may write to."""
    return array if array.flags.writeable and array.flags.c_contiguous else array.copy()

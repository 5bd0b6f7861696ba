"""Tokens of a Hugging Face vocabulary → their bytes, and which of them text can reach."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.table import Base, MergeTable
from bpe_studio.bpe.text_rules import Unknown
from bpe_studio.formats.hf.spelling import Spelling
from bpe_studio.formats.ranks.byte_alphabet import LETTERS

__all__ = ["Symbols", "TableMaker", "lacks_bytes"]

#: The bytes that no valid UTF-8 holds.
_NEVER: Final = frozenset((0xC0, 0xC1, *range(0xF5, 0x100)))


def lacks_bytes(byte_ids: Collection[int]) -> bool:
    """Whether some text has a byte without a token."""
    return any(number < 0 and byte not in _NEVER for byte, number in enumerate(byte_ids))


@dataclass(frozen=True, slots=True)
class Symbols:
    """What pieces consist of before the first merge, as `MergeTable` wants it."""

    base: Base
    byte_ids: list[int]
    char_ids: dict[str, int]


@dataclass(slots=True)
class TableMaker:
    """Bytes of tokens, and what is wrong with some of them.

    Attributes
    ----------
    vocab : dict from token to id
    spelling : Spelling
    fallback : dict from byte to id
        The tokens <0x00> … where characters without a token become bytes; else empty.
    notes, unclear : list of str
        Sentences for the user; why our engines would not do as the library does.
    """

    vocab: dict[str, int]
    spelling: Spelling
    fallback: dict[int, int]
    notes: list[str] = field(default_factory=list)
    unclear: list[str] = field(default_factory=list)
    _dead: set[int] = field(default_factory=set)
    _data: dict[int, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        bytes_of = self.spelling.bytes_of
        contents = list(map(bytes_of, self.vocab))
        self._data = dict(zip(self.vocab.values(), contents, strict=True))  # type: ignore[arg-type]
        if None in contents:
            self._dead = {number for number, made in self._data.items() if made is None}
            for token, number in self.vocab.items():
                if number in self._dead:
                    self._data[number] = token.encode()
        for byte, number in self.fallback.items():
            self._data[number] = bytes([byte])
            self._dead.discard(number)
        if (empty := self.vocab.get("")) is not None:
            del self._data[empty]
            self.notes.append(f"The token {empty} is empty; it never occurs and is left out.")

    def live(self, rows: NDArray[np.int32]) -> NDArray[np.int32]:
        """The merges that some text can set off."""
        no_text = self._dead | ({self.vocab[""]} if "" in self.vocab else set())
        if not no_text:
            return rows
        keep = ~np.isin(rows, list(no_text)).any(axis=1)
        if lost := len(rows) - int(keep.sum()):
            self.notes.append(
                f"{lost:,} {'merge joins' if lost == 1 else 'merges join'} characters that never "
                f"come to {'it; it is' if lost == 1 else 'them; they are'} left out."
            )
        return rows[keep]

    def symbols(self) -> Symbols:
        """The base symbols."""
        get = self.vocab.get
        if self.spelling.byte_level:
            return Symbols("bytes", [get(letter, -1) for letter in LETTERS], {})
        mark = self.spelling.mark
        chars = {
            " " if token == mark else token: number
            for token, number in self.vocab.items()
            if len(token) == 1 and number not in self._dead
        }
        byte_ids = [
            chars[chr(byte)] if byte < 128 and chr(byte) in chars else self.fallback.get(byte, -1)
            for byte in range(256)
        ]
        return Symbols("chars", byte_ids, {c: n for c, n in chars.items() if not c.isascii()})

    def check(
        self, rows: NDArray[np.int32], symbols: Symbols, unknown: Unknown | None, *, affixes: bool
    ) -> None:
        """Finds what our engines would not do as the library does."""
        if unknown is not None and (rows == unknown.id).any():
            self.unclear.append("merges use the unknown token")
        if not self.fallback:
            return
        if np.isin(rows, list(self.fallback.values())).any():
            self.unclear.append("merges use the tokens of single bytes such as <0x0A>")
        if affixes:
            self.unclear.append("byte_fallback goes together with a prefix or suffix of words")
        if unknown is not None and lacks_bytes(symbols.byte_ids):
            self.unclear.append("byte_fallback is on, and some of the 256 byte tokens are missing")
        if self.spelling.byte_level:
            self.unclear.append("byte_fallback goes together with ByteLevel")
        if self.spelling.mark and self.spelling.mark not in self.vocab:
            self.unclear.append(f"byte_fallback is on and {self.spelling.mark} is no token")

    def set_apart(self, *, by_bytes: bool) -> dict[str, int]:
        """Takes tokens away that no text gives, where their bytes are those of one that it gives.

        Parameters
        ----------
        by_bytes : bool
            Whether the engine finds tokens by their bytes: then all of them go.
        """
        if not self._dead:
            return {}
        given = {data for number, data in self._data.items() if number not in self._dead}
        apart = {
            token: number
            for token, number in self.vocab.items()
            if number in self._dead and (by_bytes or self._data[number] in given)
        }
        for number in apart.values():
            self._data.pop(number, None)
        return {token: number for token, number in apart.items() if token}

    def table(
        self, rows: NDArray[np.int32], symbols: Symbols, added: Collection[int]
    ) -> MergeTable:
        """The table; an added token stays in it only where a merge or a symbol needs it."""
        if self.unclear and self.fallback:
            rows = rows[~np.isin(rows, list(self.fallback.values())).any(axis=1)]
        symbol_ids = {*symbols.byte_ids, *symbols.char_ids.values()}
        candidates = [number for number in added if number not in symbol_ids]
        joined = np.isin(candidates, rows)
        for number, is_joined in zip(candidates, joined.tolist(), strict=True):
            if not is_joined:
                self._data.pop(number, None)
        ids = np.array(sorted(self._data), dtype=np.int32)
        contents = [self._data[number] for number in ids.tolist()]
        offsets = np.zeros(len(ids) + 1, dtype=np.int64)
        np.cumsum(np.fromiter(map(len, contents), np.int64, len(contents)), out=offsets[1:])
        return MergeTable(
            base=symbols.base,
            byte_ids=np.array(symbols.byte_ids, dtype=np.int32),
            char_ids=symbols.char_ids,
            merges=rows,
            token_ids=ids,
            token_data=np.frombuffer(b"".join(contents), dtype=np.uint8),
            token_offsets=offsets,
        )

"""The metadata at the head of a GGUF file: keys and values, every length checked.

The file begins with GGUF, a version, the number of tensors and the number of keys. A key is a text,
the kind of its value, and the value; a list has one kind for all its values. All numbers are
little-endian, and a text has its length in front of it. What follows (the tensors, gigabytes of
them) is not read.
"""

from __future__ import annotations

import reprlib
import struct
from collections.abc import Callable
from typing import Any, Final, NoReturn

import numpy as np

from bpe_studio.formats.source import Source
from bpe_studio.formats.strict.json import MAX_DEPTH

__all__ = ["MAGIC", "Metadata", "read_metadata"]

MAGIC: Final = b"GGUF"

_STRING, _LIST, _BOOL = 8, 9, 7
# The kinds of numbers: as numpy names them.
_NUMBERS: Final = {
    0: "<u1",
    1: "<i1",
    2: "<u2",
    3: "<i2",
    4: "<u4",
    5: "<i4",
    6: "<f4",
    _BOOL: "<u1",
    10: "<u8",
    11: "<i8",
    12: "<f8",
}
_LENGTH: Final = struct.Struct("<Q")
_SMALLEST_KEY: Final = 8 + 1 + 4 + 1
_REPORT_EVERY: Final = 1 << 16  # texts

Metadata = dict[str, Any]


def read_metadata(source: Source, wanted: Callable[[str], bool]) -> Metadata:
    """The values of the wanted keys: numbers, truth values, texts, lists of texts, arrays.

    Raises
    ------
    ValueError
        The file is of another version or byte order, cut off, or damaged; with key and byte.
    """
    return _Reader(source).read(wanted)


class _Reader:
    def __init__(self, source: Source) -> None:
        self.data = source.data
        self.source = source
        self.place = 0
        self.key = "the head"

    def read(self, wanted: Callable[[str], bool]) -> Metadata:
        self._take(4)
        version = self._number("<u4")
        if version and not version & 0xFFFF:
            self._fail("tells that the file is big-endian, and only little-endian ones are read")
        if version not in (2, 3):
            self._fail(f"tells version {version}, and 2 and 3 are known; convert the model again")
        self._number("<u8")
        count = self._number("<u8")
        if count * _SMALLEST_KEY > len(self.data) - self.place and self.source.whole:
            keys = f"{count:,} key{'' if count == 1 else 's'}"
            self._fail(f"tells of {keys}, and the file is too small for that; download it again")
        found: Metadata = {}
        seen: set[str] = set()
        for number in range(count):
            self.key = f"key {number}"
            name = self._text()
            if name in seen:
                self._fail(f"is {reprlib.repr(name)}, which is there twice")
            seen.add(name)
            if len(name) <= 100 and name.isprintable():
                self.key = name
            value = self._value(self._number("<u4"), wanted(name), 0)
            if wanted(name):
                found[name] = value
        return found

    def _value(self, kind: int, keep: bool, depth: int) -> Any:
        if kind in _NUMBERS:
            value = self._number(_NUMBERS[kind])
            return bool(value) if kind == _BOOL else value
        if kind == _STRING:
            return self._text() if keep else self._skip_text()
        if kind == _LIST:
            if depth >= MAX_DEPTH:
                self._fail(f"is nested deeper than {MAX_DEPTH} levels")
            return self._list(keep, depth)
        self._fail(f"is of the kind {kind}, which there is not")

    def _list(self, keep: bool, depth: int) -> Any:
        kind, count = self._number("<u4"), self._number("<u8")
        if kind in _NUMBERS:
            type_ = np.dtype(_NUMBERS[kind])
            start = self._take(count * type_.itemsize)
            return np.frombuffer(self.data, type_, count, start) if keep else None
        # A text takes 8 bytes at least, a list 12: so this many can be there at all.
        if count > (len(self.data) - self.place) // 8:
            self._take(count * 8)
        if kind == _STRING:
            return self._texts(count) if keep else self._skip_texts(count)
        values = [self._value(kind, keep, depth + 1) for _ in range(count)]
        return values if keep else None

    def _texts(self, count: int) -> list[str]:
        data, place, end = self.data, self.place, len(self.data)
        texts: list[str] = []
        try:
            for number in range(count):
                (length,) = _LENGTH.unpack_from(data, place)
                place += 8
                if length > end - place:
                    break
                texts.append(data[place : place + length].decode())
                place += length
                if not number % _REPORT_EVERY:
                    self.source.report(0.5 * place / end)
        except struct.error:
            pass
        except UnicodeDecodeError:
            self.place = place
            self._fail(f"[{len(texts)}] is no UTF-8")
        self.place = place
        if len(texts) < count:
            self.key = f"{self.key}[{len(texts)}]"
            self._cut_off()
        return texts

    def _skip_texts(self, count: int) -> None:
        data, place, end = self.data, self.place, len(self.data)
        for _ in range(count):
            if end - place < 8:
                self._cut_off()
            place += 8 + _LENGTH.unpack_from(data, place)[0]
            if place > end:
                self._cut_off()
        self.place = place

    def _text(self) -> str:
        length = self._number("<u8")
        start = self._take(length)
        try:
            return self.data[start : start + length].decode()
        except UnicodeDecodeError:
            self._fail("is no UTF-8")

    def _skip_text(self) -> None:
        self._take(self._number("<u8"))

    def _number(self, kind: str) -> Any:
        type_ = np.dtype(kind)
        start = self._take(type_.itemsize)
        return np.frombuffer(self.data, type_, 1, start)[0].item()

    def _take(self, length: int) -> int:
        """The place of the next bytes, and on past them."""
        start = self.place
        if length > len(self.data) - start:
            self._cut_off()
        self.place = start + length
        return start

    def _cut_off(self) -> NoReturn:
        if self.source.whole:
            self._fail("goes on behind the end of the file; a part of the file is missing")
        size = len(self.data) >> 20
        self._fail(f"goes on behind the first {size} MiB of the file, and that is the limit")

    def _fail(self, reason: str) -> NoReturn:
        # What the reason begins with in brackets belongs to the key.
        space = "" if reason.startswith("[") else " "
        raise ValueError(f"{self.source.name}: {self.key}{space}{reason} (byte {self.place:,}).")

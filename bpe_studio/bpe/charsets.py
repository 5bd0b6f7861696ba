"""Bytes → text, a chunk at a time, with a count of what is no text.

UTF-8 unless a byte-order mark or the look of the first bytes says UTF-16 or UTF-32.
Invalid bytes are left out, counted, and the first one's place is kept; a character
that two chunks share comes out whole.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

__all__ = ["SAMPLE", "Encoding", "TextDecoder", "is_binary", "replace_surrogates", "sniff"]

_Decode = Callable[[bytes, str, bool], tuple[str, int]]

_DECODE: dict[str, _Decode] = {
    "utf-8": codecs.utf_8_decode,
    "utf-16-le": codecs.utf_16_le_decode,
    "utf-16-be": codecs.utf_16_be_decode,
    "utf-32-le": codecs.utf_32_le_decode,
    "utf-32-be": codecs.utf_32_be_decode,
}

# UTF-32 first: its little-endian mark begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

SAMPLE = 8192  # bytes that `sniff` and `is_binary` want to see, as many as git looks at
_SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Encoding:
    """How a file's bytes are to be read: the codec, and the length of its mark."""

    name: str
    mark: int = 0


def sniff(head: bytes) -> Encoding:
    """Tell the encoding from the first bytes of a file.

    `b"\\xff\\xfeh\\0i\\0"` → utf-16-le with a mark of 2; `b"h\\0i\\0…"` → utf-16-le.
    """
    for mark, name in _MARKS:
        if head.startswith(mark):
            return Encoding(name, len(mark))
    return Encoding(_utf16_without_mark(head[:SAMPLE]) or "utf-8")


def _utf16_without_mark(sample: bytes) -> str | None:
    """Western text in UTF-16 has a NUL in every second byte, nearly always the same one."""
    pairs = len(sample) // 2
    if pairs < 2:
        return None
    even, odd = sample[0 : 2 * pairs : 2].count(0), sample[1 : 2 * pairs : 2].count(0)
    name = "utf-16-le" if odd > even else "utf-16-be"
    if max(even, odd) < 0.4 * pairs or min(even, odd) > 0.02 * pairs:
        return None
    try:
        text, _used = _DECODE[name](sample, "strict", False)
    except UnicodeDecodeError:
        return None
    # Counters and tables of small numbers have such NULs too, but no plain text in between.
    return name if all(char.isprintable() or char.isspace() for char in text) else None


def is_binary(head: bytes, encoding: Encoding) -> bool:
    """Whether a file that begins so is no text: a NUL among its first 8 KiB, as in git."""
    sample = head[encoding.mark : SAMPLE]
    return encoding.name == "utf-8" and 0 in sample


def replace_surrogates(text: str) -> tuple[str, int]:
    """Put U+FFFD for every lone surrogate; the text and how many there were."""
    if text.isascii():
        return text, 0
    return _SURROGATES.subn("\ufffd", text)


@dataclass(slots=True)
class TextDecoder:
    """Decodes one file, chunk after chunk.

    Attributes
    ----------
    dropped : int
        Bytes left out because they are invalid.
    first_dropped : int or None
        Offset of the first of them in the (decompressed) file.
    """

    encoding: Encoding
    dropped: int = 0
    first_dropped: int | None = None
    _tail: bytes = b""
    _offset: int = field(init=False)

    def __post_init__(self) -> None:
        self._offset = self.encoding.mark

    def decode(self, data: bytes, *, final: bool = False) -> str:
        """Text of the next chunk; a character cut by its end waits for the next one.

        The first chunk begins after the byte-order mark.
        """
        buffer = self._tail + data if self._tail else data
        decode = _DECODE[self.encoding.name]
        try:
            text, used = decode(buffer, "strict", final)
        except UnicodeDecodeError as error:
            text, used = decode(buffer, "ignore", final)
            self._note(self._offset + error.start, used - len(text.encode(self.encoding.name)))
        self._offset += used
        self._tail = buffer[used:]
        return text

    def to_utf8(self, data: bytes, *, final: bool = False) -> bytes:
        """As `decode`, encoded; text that is valid UTF-8 already is only looked through."""
        if self.encoding.name != "utf-8":
            return self.decode(data, final=final).encode()
        from bpe_studio.kernels.utf8 import valid_length

        buffer = self._tail + data if self._tail else data
        valid = int(valid_length(np.frombuffer(buffer, dtype=np.uint8)))
        self._tail = b""
        self._offset += valid
        if valid == len(buffer):
            return buffer
        return buffer[:valid] + self.decode(buffer[valid:], final=final).encode()

    def _note(self, offset: int, count: int) -> None:
        self.dropped += count
        if self.first_dropped is None:
            self.first_dropped = offset

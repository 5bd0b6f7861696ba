"""Compressed files, told by their first bytes, and how what they hold begins.

Never more than a few kilobytes are unpacked, so that a small file cannot become a large one.
"""

from __future__ import annotations

import bz2
import lzma
import re
import zlib
from collections.abc import Callable
from typing import Final

__all__ = ["look_inside"]

_ENOUGH: Final = 1 << 16
_READ: Final = 1 << 20  # a block of bz2 has up to 900 KB
_MEMORY: Final = 128 << 20


def look_inside(data: bytes) -> tuple[str, bytes] | None:
    """The kind of compression and the first bytes inside (none where they cannot be told); None
    for what is not compressed."""
    for mark, kind, unpack in _KINDS:
        if data.startswith(mark):
            try:
                start = unpack(data[:_READ])
            except (OSError, EOFError, ValueError, IndexError, zlib.error, lzma.LZMAError):
                start = b""
            # The mark of zlib is short enough to begin a text.
            return None if kind == "zlib" and not start else (kind, start)
    return None


def _zlib(data: bytes) -> bytes:
    return zlib.decompressobj(zlib.MAX_WBITS | 32).decompress(data, _ENOUGH)


def _joblib(data: bytes) -> bytes:
    """The oldest form: a mark, the length in hexadecimal in a field of spaces, and then zlib."""
    head = re.match(rb"ZF0x[0-9a-fA-F]+L? *", data)
    return _zlib(data[head.end() :]) if head else b""


def _bz2(data: bytes) -> bytes:
    return bz2.BZ2Decompressor().decompress(data, _ENOUGH)


def _lzma(data: bytes) -> bytes:
    return lzma.LZMADecompressor(memlimit=_MEMORY).decompress(data, _ENOUGH)


def _lz4(data: bytes) -> bytes:
    """The literals at the front of the first block."""
    flags = data[4]
    at = 7 + (8 if flags & 8 else 0) + (4 if flags & 1 else 0)
    block = data[at + 4 :]
    if data[at + 3] & 0x80:  # a block that is stored as it is
        return block[:_ENOUGH]
    length, at = block[0] >> 4, 1
    if length == 15:
        while block[at] == 255:
            at += 1
        at += 1
    return block[at : at + 15]


def _unknown(data: bytes) -> bytes:
    return b""


_KINDS: Final[tuple[tuple[bytes, str, Callable[[bytes], bytes]], ...]] = (
    (b"\x1f\x8b", "gzip", _zlib),
    (b"\x78\x01", "zlib", _zlib),
    (b"\x78\x5e", "zlib", _zlib),
    (b"\x78\x9c", "zlib", _zlib),
    (b"\x78\xda", "zlib", _zlib),
    (b"ZF0x", "zlib", _joblib),
    (b"BZh", "bz2", _bz2),
    (b"\xfd7zXZ\x00", "xz", _lzma),
    (b"\x5d\x00\x00", "lzma", _lzma),
    (b"\x04\x22\x4d\x18", "lz4", _lz4),
    (b"\x28\xb5\x2f\xfd", "zstd", _unknown),
)

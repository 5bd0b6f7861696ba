"""A file on disk → its bytes, decompressed, a chunk at a time.

`.gz .bz2 .xz .zst` are told by their suffix and read to the last of their frames (tools
that append or compress in parallel write several). No more than a chunk is held.
"""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import lzma
import os
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, cast

import zstandard

from bpe_studio.files import open_regular

__all__ = ["DAMAGE", "ByteStream", "open_stream", "without_compression"]

DAMAGE = (OSError, EOFError, zlib.error, lzma.LZMAError, zstandard.ZstdError)
"""What reading a `ByteStream` may raise: a broken frame, a broken disk."""

# A frame may ask for a window of 2 GiB (`zstd --long=31`); larger ones do not exist.
_ZSTD_WINDOW = 1 << 31
# One byte of a zstd frame can stand for 32 KiB, so little is fed at a time.
_ZSTD_FEED = 1024
_READ = 1 << 16


class _Counted(io.RawIOBase):
    """The raw file up to the size that it had when opened, counting what was read.

    A file that somebody still writes to would otherwise be read for ever.
    """

    def __init__(self, raw: BinaryIO) -> None:
        self._raw = raw
        self._state = self._look()
        self.size = self._state[0]
        self.position = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        left = self.size - self.position
        data = self._raw.read(left if size < 0 else min(size, left))
        self.position += len(data)
        return data

    def close(self) -> None:
        self._raw.close()
        super().close()

    def changed(self) -> bool:
        return self._look() != self._state

    def _look(self) -> tuple[int, int]:
        info = os.fstat(self._raw.fileno())
        return info.st_size, info.st_mtime_ns


class _ZstdFrames:
    """`read` over any number of zstd frames; a cut-off frame is an EOFError."""

    def __init__(self, raw: _Counted) -> None:
        self._raw = raw
        self._frame: zstandard.ZstdDecompressionObj | None = None
        self._ready = b""

    def read(self, size: int) -> bytes:
        while not self._ready:
            data = self._raw.read(_ZSTD_FEED)
            if not data:
                if self._frame is not None:
                    raise EOFError("the last frame is cut off")
                return b""
            self._ready = b"".join(self._decompress(data))
        chunk, self._ready = self._ready[:size], self._ready[size:]
        return chunk

    def _decompress(self, data: bytes) -> Iterator[bytes]:
        while data:
            if self._frame is None:
                reader = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW)
                self._frame = reader.decompressobj()
            yield self._frame.decompress(data)
            data = self._frame.unused_data
            if self._frame.eof:
                self._frame = None


# `read1`, because `read` throws away what it has gathered when a later frame is broken.
_READERS: dict[str, Callable[[_Counted], Callable[[int], bytes]]] = {
    ".gz": lambda raw: gzip.GzipFile(fileobj=cast(BinaryIO, raw), mode="rb").read1,
    ".bz2": lambda raw: bz2.BZ2File(cast(BinaryIO, raw)).read1,
    ".xz": lambda raw: lzma.LZMAFile(cast(BinaryIO, raw)).read1,  # noqa: SIM115
    ".zst": lambda raw: _ZstdFrames(raw).read,
}


def without_compression(name: str) -> str:
    """Name a file would have unpacked: `rows.jsonl.zst` → `rows.jsonl`."""
    stem, suffix = os.path.splitext(name)
    return stem if suffix.lower() in _READERS else name


class ByteStream:
    """The decompressed bytes of one file.

    Attributes
    ----------
    size : int
        Bytes on disk when it was opened.
    """

    def __init__(self, path: Path, *, follow_links: bool = False) -> None:
        self._raw = _Counted(open_regular(path, follow_links=follow_links))
        self.size = self._raw.size
        self._ready = b""
        self._taken = 0
        reader = _READERS.get(path.suffix.lower())
        self._read_some = None if reader is None else reader(self._raw)

    @property
    def position(self) -> int:
        """Bytes on disk read so far."""
        return self._raw.position

    def read(self, size: int) -> bytes:
        """At most `size` bytes, often fewer; none at the end. Raises one of `DAMAGE`.

        The decompressor is always asked for the same amount, so that what can be read
        before a damaged place does not depend on `size`.
        """
        if self._read_some is None:
            return self._raw.read(size)
        if self._taken == len(self._ready):
            self._ready, self._taken = self._read_some(_READ), 0
        chunk = self._ready[self._taken : self._taken + size]
        self._taken += len(chunk)
        return chunk

    def changed(self) -> bool:
        """Whether somebody has written to the file since it was opened."""
        return self._raw.changed()

    def close(self) -> None:
        self._raw.close()


@contextlib.contextmanager
def open_stream(path: Path, *, follow_links: bool = False) -> Iterator[ByteStream]:
    """Open `path` as a `ByteStream`; OSError in one sentence when it cannot be opened."""
    stream = ByteStream(path, follow_links=follow_links)
    try:
        yield stream
    finally:
        stream.close()

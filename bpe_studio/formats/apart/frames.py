"""Messages between the window and the process that reads a file for it: a kind, a length, bytes.

No pickle: whoever wrote the file may have taken that process over. So every length is checked
before anything is allocated, and what arrives is looked at as if it came from a stranger.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from typing import Any, BinaryIO, Final

__all__ = [
    "ABOUT",
    "ARRAY",
    "END",
    "ERROR",
    "ROWS",
    "SHARE",
    "BadMessageError",
    "json_of",
    "read_frames",
    "write_frame",
]

SHARE: Final = b"S"  # how much is done, a double
ERROR: Final = b"E"  # JSON: what kind of error, and its sentence
ABOUT: Final = b"T"  # JSON: all that is small
ROWS: Final = b"R"  # JSON: a name, and some of the rows of that name
ARRAY: Final = b"A"  # the bytes of the next array
END: Final = b"Z"

# Parsing JSON holds up every thread of the window, so that no part of it may be large.
_LARGEST: Final = {
    SHARE: 8,
    ERROR: 1 << 20,
    ABOUT: 8 << 20,
    ROWS: 4 << 20,
    ARRAY: 512 << 20,
    END: 0,
}
_LARGEST_SUM: Final = 1 << 30
_HEAD: Final = struct.Struct("<cQ")
_AT_ONCE: Final = 1 << 20


class BadMessageError(ValueError):
    """What was sent is not what the other side sends."""


def write_frame(stream: BinaryIO, kind: bytes, data: bytes | memoryview) -> None:
    """Send one message."""
    size = data.nbytes if isinstance(data, memoryview) else len(data)
    if size > _LARGEST[kind]:
        raise ValueError(f"it takes a message of {size:,} bytes, and {_LARGEST[kind]:,} is most")
    stream.write(_HEAD.pack(kind, size))
    stream.write(data)


def read_frames(stream: BinaryIO) -> Iterator[tuple[bytes, bytearray]]:
    """The messages, one after another, to the last one or to the end of the stream.

    Raises
    ------
    BadMessageError
        A message of an unknown kind, too long, or cut off.
    """
    total = 0
    while head := _read(stream, _HEAD.size):
        if len(head) < _HEAD.size:
            raise BadMessageError("a message is cut off")
        kind, size = _HEAD.unpack(head)
        total += size
        if size > _LARGEST.get(kind, -1) or total > _LARGEST_SUM:
            raise BadMessageError("a message is too long")
        data = _read(stream, size)
        if len(data) < size:
            raise BadMessageError("a message is cut off")
        yield kind, data
        if kind in (END, ERROR):
            return


def _read(stream: BinaryIO, size: int) -> bytearray:
    """`size` bytes, fewer only at the end; the room grows with what arrives."""
    data = bytearray()
    while len(data) < size and (chunk := stream.read(min(size - len(data), _AT_ONCE))):
        data += chunk
    return data


def json_of(data: bytes | bytearray) -> Any:
    """The value of a message in JSON."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise BadMessageError("a message is not valid JSON") from None

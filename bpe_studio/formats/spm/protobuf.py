"""The wire format of Protocol Buffers: the fields of a message, every length checked.

A message is a row of fields, each a tag (number of the field × 8 + kind of value) and a value.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NoReturn

__all__ = ["FIXED32", "FIXED64", "LENGTH", "VARINT", "fields"]

VARINT: Final = 0
FIXED64: Final = 1
LENGTH: Final = 2
FIXED32: Final = 5

_MAX_VARINT_BYTES: Final = 10
_MAX_TAG: Final = (1 << 32) - 1


def fields(
    data: bytes,
    start: int = 0,
    end: int | None = None,
    *,
    source: str = "the message",
    most: int = 1_000_000,
) -> Iterator[tuple[int, int, int]]:
    """The fields of the message in ``data[start:end]``: rows (tag, value, 0) or (tag, start, end).

    A varint is given as its value (of 64 bits, without sign); everything else as the place of its
    bytes, which is inside of the message. Nothing is copied.

    Parameters
    ----------
    source : str
        How errors name the file.
    most : int
        The most fields that the message may have.

    Raises
    ------
    ValueError
        A field that is cut off or of an unknown kind, or too many; with its byte.

    Examples
    --------
    >>> list(fields(b"\\x08\\x05\\x12\\x02hi"))
    [(8, 5, 0), (18, 4, 6)]
    """
    place = start
    stop = len(data) if end is None else end
    count = 0
    while place < stop:
        first = place
        tag = data[place]
        place += 1
        if tag >= 0x80:
            tag, place = _varint(data, first, stop, source)
        kind = tag & 7
        if kind in (LENGTH, VARINT):
            if place >= stop:
                _cut_off(source, first)
            value = data[place]
            place += 1
            if value >= 0x80:
                value, place = _varint(data, place - 1, stop, source)
            if kind == VARINT:
                yield tag, value, 0
            else:
                if value > stop - place:
                    _cut_off(source, first)
                yield tag, place, place + value
                place += value
        elif kind in (FIXED32, FIXED64):
            size = 4 if kind == FIXED32 else 8
            if size > stop - place:
                _cut_off(source, first)
            yield tag, place, place + size
            place += size
        else:
            _fail(source, first, "begins a field of a kind that there is not")
        if tag < 8 or tag > _MAX_TAG:
            _fail(source, first, "begins a field of a number that there is not")
        count += 1
        if count > most:
            _fail(source, first, f"begins one field more than {most:,}, which is the limit")


def _varint(data: bytes, place: int, stop: int, source: str) -> tuple[int, int]:
    value = shift = 0
    first = place
    for place in range(first, min(stop, first + _MAX_VARINT_BYTES)):
        byte = data[place]
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            if value >> 64:
                break
            return value, place + 1
        shift += 7
    if stop - first < _MAX_VARINT_BYTES and place == stop - 1:
        _cut_off(source, first)
    _fail(source, first, "begins a number of over 64 bits")


def _cut_off(source: str, place: int) -> NoReturn:
    _fail(
        source, place, "begins a field that goes on behind its end; a part of the file is missing"
    )


def _fail(source: str, place: int, reason: str) -> NoReturn:
    raise ValueError(f"{source}: byte {place:,} {reason}.")

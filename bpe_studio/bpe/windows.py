"""Small windows on streamed documents: the bytes around given places, and their lines."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from bpe_studio.bpe.corpus import Block

__all__ = ["Window", "fill_windows"]


@dataclass(slots=True)
class Window:
    """A part of a document, and a place in it.

    Attributes
    ----------
    document : int
        Its number in the stream.
    begin, end : int
        In bytes of the document's text.
    place : int
        From `begin` to `end`.
    data : bytearray
        The bytes that were found; fewer where the document is shorter.
    line, column : int
        Of the place, from 1, in lines and characters; 0 where the document is shorter. Inside a
        character it is the column of that one.
    """

    document: int
    begin: int
    place: int
    end: int
    data: bytearray = field(default_factory=bytearray)
    line: int = 0
    column: int = 0


def fill_windows(blocks: Iterable[Block], windows: Iterable[Window]) -> Generator[int, None, None]:
    """Fills windows from a stream; yields the bytes read on disk, and stops when all are full."""
    waiting = sorted(windows, key=lambda window: (window.document, window.begin), reverse=True)
    here: list[Window] = []
    document, begin = -1, 0
    cursor = _Cursor()
    for block in blocks:
        if block.document != document:
            document, begin, cursor = block.document, 0, _Cursor()
        while waiting and waiting[-1].document < document:
            waiting.pop()
        end = begin + len(block.data)
        while waiting and waiting[-1].document == document and waiting[-1].begin < end:
            here.append(waiting.pop())
        if here or (waiting and waiting[-1].document == document):
            _take(block.data, begin, here, cursor)
        here = [] if block.last else [window for window in here if window.end > end]
        begin = end
        yield block.bytes_read
        if not here and not waiting:
            return


def _take(data: bytes, begin: int, windows: Sequence[Window], cursor: _Cursor) -> None:
    """Gives windows what a block has of them; the block begins at `begin` of the document."""
    done = 0
    for window in sorted(windows, key=lambda window: window.place):
        first, last = max(window.begin - begin, 0), window.end - begin
        window.data += data[first:last]
        at = window.place - begin
        if 0 <= at < len(data):
            cursor.advance(data[done:at])
            done = at
            window.line = cursor.line
            window.column = cursor.characters + (data[at] & 0xC0 != 0x80)
    cursor.advance(data[done:])


class _Cursor:
    """Counts lines, and the characters that begin in the newest."""

    def __init__(self) -> None:
        self.line = 1
        self.characters = 0

    def advance(self, data: bytes) -> None:
        newest = data.rfind(b"\n") + 1
        if newest:
            self.line += data.count(b"\n")
            self.characters = 0
        values = np.frombuffer(data, dtype=np.uint8)[newest:]
        self.characters += int(np.count_nonzero((values & 0xC0) != 0x80))

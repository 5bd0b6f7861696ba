"""Ids in text, as `encode` prints them: words or lists, a document a line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO, NamedTuple

from bpe_studio.cli.output import shown

__all__ = ["IdRow", "read_ids"]

_READ = 1 << 18
# An id is one word of digits, so much without a border between words is no text of ids.
_LONGEST_WORD = 1 << 16
_MOST_HELD = 32  # rows, each of at most a quarter of a megabyte of text
_BORDERS = re.compile(rb"[\s,\[\]]")
_BRACKETS = re.compile(r"([\[\]])")


class IdRow(NamedTuple):
    """Some ids of one line, and where they stand."""

    ids: list[int]
    source: str
    line: int
    first_word: int

    def place(self, index: int) -> str:
        """`ids.txt, line 2, word 7`"""
        return f"{self.source}, line {self.line:,}, word {self.first_word + index:,}"


def read_ids(stream: BinaryIO, source: str) -> Iterator[IdRow]:
    """Ids, a part of a line at a time; lists are closed, whatever lines they go over.

    Raises
    ------
    ValueError
        Something is no id, or a bracket has no other; with line and word.
    """
    reader = _Reader(source)
    held: list[IdRow] = []
    for row in _rows(stream, reader):
        held.append(row)
        # What is in an open list waits, so that a part of a list is not taken for the whole.
        if not reader.open_lines or len(held) == _MOST_HELD:
            yield from held
            held.clear()
    reader.check_closed()
    yield from held


def _rows(stream: BinaryIO, reader: _Reader) -> Iterator[IdRow]:
    waiting = b""
    while data := stream.read(_READ):
        if b"\0" in data or data.startswith((b"\x93NUMPY", b"PK")):
            raise ValueError(
                f"{reader.source}: it is binary, not text; give an array of ids as a file that "
                "ends in .npy or .bin."
            )
        waiting += data
        cut = _after_last_border(waiting)
        if cut == 0 and len(waiting) > _LONGEST_WORD:
            cut = len(waiting)  # the reader will say that it is no id
        yield from reader.rows_of(waiting[:cut])
        waiting = waiting[cut:]
    yield from reader.rows_of(waiting)


def _after_last_border(data: bytes) -> int:
    found = _BORDERS.search(data[::-1])
    return 0 if found is None else len(data) - found.start()


@dataclass(slots=True)
class _Reader:
    source: str
    line: int = 1
    words: int = 0
    open_lines: list[int] = field(default_factory=list)

    def rows_of(self, data: bytes) -> Iterator[IdRow]:
        *ended, rest = data.decode("utf-8", "replace").split("\n")
        for text in ended:
            yield from self._row_of(text)
            self.line += 1
            self.words = 0
        yield from self._row_of(rest)

    def check_closed(self) -> None:
        if self.open_lines:
            raise ValueError(
                f"{self.source}, line {self.open_lines[-1]:,}: the list that begins here is not "
                "closed, so a part of it may be missing."
            )

    def _row_of(self, text: str) -> Iterator[IdRow]:
        row = IdRow([], self.source, self.line, self.words + 1)
        for part in _BRACKETS.split(text):
            if part == "[":
                self.open_lines.append(self.line)
            elif part == "]":
                self._close()
            else:
                self._take(part, row.ids)
        if row.ids:
            yield row

    def _take(self, text: str, ids: list[int]) -> None:
        words = text.replace(",", " ").split()
        for word in words:
            self.words += 1
            if not (word.isascii() and word.isdecimal()):
                raise ValueError(
                    f"{self.source}, line {self.line:,}, word {self.words:,}: "
                    f"'{shown(word[:20])}' is no id."
                )
        # No id has more than ten digits; Python refuses to read thousands of them.
        ids += [int(word[:20]) for word in words]

    def _close(self) -> None:
        if not self.open_lines:
            raise ValueError(
                f"{self.source}, line {self.line:,}: there is a ] that no [ comes before."
            )
        self.open_lines.pop()

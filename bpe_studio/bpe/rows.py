"""Text of a JSONL file → its rows → the string that each row holds under the text key."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field

__all__ = ["ROW_LIMIT", "RowReader", "is_rows"]

ROW_LIMIT = 1 << 28
"""Characters of the longest row; a row has to be held whole."""

# Numbers are not looked at, and an int of 5,000 digits would be an error.
_DECODER = json.JSONDecoder(parse_int=float, parse_constant=float)


def is_rows(name: str) -> bool:
    """Whether a file of this (uncompressed) name holds one document a row."""
    return name.lower().endswith((".jsonl", ".ndjson"))


@dataclass(slots=True)
class _Fault:
    count: int
    first_row: int
    reason: str


@dataclass(slots=True)
class RowReader:
    """Takes the text of one file as it comes and gives the documents in it.

    Only a newline ends a row (U+2028 and its like are content). Empty lines are no rows.
    A row that is no JSON object with a string under `text_key` is left out and counted; one of
    `left_out` (numbers from 1) is not looked at.
    """

    text_key: str
    left_out: frozenset[int] = frozenset()
    row: int = 0
    rows_left_out: int = 0
    faults: dict[str, _Fault] = field(default_factory=dict)
    _parts: list[str] = field(default_factory=list)
    _length: int = 0

    def feed(self, text: str) -> Iterator[str]:
        """Documents whose rows end in `text`."""
        *lines, rest = text.split("\n")
        for line in lines:
            self._hold(line)
            yield from self._finish()
        self._hold(rest)

    def close(self) -> Iterator[str]:
        """The document of a last row that no newline ends."""
        if self._length:
            yield from self._finish()

    def fault_sentences(self) -> list[str]:
        """`2 rows are not valid JSON (first row 7, column 3)`, one for each kind."""
        return [
            f"{fault.count:,} {'row' if fault.count == 1 else 'rows'} {kind} "
            f"(first row {fault.first_row:,}{fault.reason})"
            for kind, fault in self.faults.items()
        ]

    def _hold(self, part: str) -> None:
        self._length += len(part)
        if self._length > ROW_LIMIT:
            self._parts.clear()
        elif part:
            self._parts.append(part)

    def _finish(self) -> Iterator[str]:
        self.row += 1
        line, length = "".join(self._parts), self._length
        self._parts.clear()
        self._length = 0
        if self.leaves_out():
            return
        if length > ROW_LIMIT:
            self.note_fault("longer than 256 MiB", "")
        elif line.strip(" \t\r"):
            text = self._text_of(line)
            if text is not None:
                yield text

    def leaves_out(self) -> bool:
        """Whether the row that was read last is to be left out; counts it then."""
        leaves = self.row in self.left_out
        self.rows_left_out += leaves
        return leaves

    def _text_of(self, line: str) -> str | None:
        try:
            value, end = _DECODER.raw_decode(line, len(line) - len(line.lstrip(" \t\r")))
            if line[end:].strip(" \t\r"):
                raise json.JSONDecodeError("there is more after the value", line, end)
        except RecursionError:
            self.note_fault("not valid JSON", ", which is nested too deeply")
            return None
        except json.JSONDecodeError as error:
            self.note_fault("not valid JSON", f", column {error.pos + 1:,}")
            return None
        if not isinstance(value, dict):
            self.note_fault("without an object", "")
            return None
        text = value.get(self.text_key)
        if isinstance(text, str):
            return text
        keys = ", ".join(map(repr, list(value)[:8])) or "no keys"
        self.note_fault(f"without a string under {self.text_key!r}", f", which has {keys}")
        return None

    def note_fault(self, kind: str, reason: str) -> None:
        """Take note of something wrong with the row that was read last."""
        known = self.faults.setdefault(kind, _Fault(0, self.row, reason))
        known.count += 1

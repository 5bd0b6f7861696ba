"""The `.model` of minbpe: a text with the pattern, the specials, and the merges as pairs of ids.

The bytes are 0 … 255, and the merges are numbered from 256 on in the order of the lines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, NoReturn

from bpe_studio.bpe.built_tokens import MAX_ID
from bpe_studio.bpe.patterns import OTHERS, Pattern
from bpe_studio.bpe.specials import roles_of
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.formats.expressions import pattern_in
from bpe_studio.formats.ranks.table import merged_table
from bpe_studio.formats.source import Source
from bpe_studio.formats.strict.json import Node, quoted
from bpe_studio.formats.strict.token_bytes import make_tokens
from bpe_studio.formats.text_lines import text_lines

__all__ = ["NAME", "SUFFIXES", "TITLE", "read", "sniff"]

NAME: Final = "minbpe"
TITLE: Final = "minbpe (.model)"
SUFFIXES: Final = (".model",)

_BOM: Final = b"\xef\xbb\xbf"
_MARK: Final = re.compile(rb"minbpe v[0-9]")
_VERSION: Final = "minbpe v1"
_MAX_SPECIALS: Final = 1 << 20
_FIRST_MERGE: Final = 256


def sniff(data: bytes) -> bool:
    """Whether the first line is that of minbpe."""
    return _MARK.match(data.removeprefix(_BOM)) is not None


def read(source: Source) -> Tokenizer:
    """Read a model of minbpe.

    Raises
    ------
    ValueError
        With the line.
    """
    lines = _Lines.of(source)
    if (version := lines.take("the version")) != _VERSION:
        lines.fail(f"must be {_VERSION!r}, not {quoted(version)}")
    pattern = _pattern(lines)
    specials = _specials(lines)
    first_line = lines.number + 1
    merges = _merges(lines)
    source.report(0.5)

    def fail(rank: int, reason: str) -> NoReturn:
        raise ValueError(f"{source.name}: line {first_line + rank:,} {reason}.")

    symbols = {byte: bytes([byte]) for byte in range(256)}
    tokens = make_tokens(symbols, merges, fail=fail, in_order=True)
    for name, token_id in specials.items():
        if token_id in tokens:
            lines.fail_file(f"the special {quoted(name)} has the id {token_id}, as a token has")
    return Tokenizer(
        merged_table(tokens, merges), pattern, special_ids=specials, roles=roles_of(specials)
    )


@dataclass(slots=True)
class _Lines:
    """The lines of the text, taken one after another."""

    name: str
    lines: list[str]
    number: int = 0

    @classmethod
    def of(cls, source: Source) -> _Lines:
        return cls(source.name, text_lines(source))

    def take(self, what: str) -> str:
        """The next line."""
        if self.number == len(self.lines):
            self.number += 1
            self.fail(f"is missing: {what} should stand there")
        self.number += 1
        return self.lines[self.number - 1]

    def fail(self, reason: str) -> NoReturn:
        """Of the line that was taken last."""
        self.fail_file(f"line {self.number:,} {reason}")

    def fail_file(self, reason: str) -> NoReturn:
        raise ValueError(f"{self.name}: {reason}.")


def _pattern(lines: _Lines) -> Pattern:
    # minbpe strips the line too. Without a pattern the whole text is one piece.
    expression = lines.take("the pattern").strip()
    if not expression:
        return OTHERS["whole"]
    return pattern_in(Node(lines.name, f"line {lines.number}: the pattern", expression))


def _specials(lines: _Lines) -> dict[str, int]:
    count = _number(lines.take("the number of specials"))
    if count is None or count > _MAX_SPECIALS:
        lines.fail(f"must be the number of specials, up to {_MAX_SPECIALS:,}")
    specials: dict[str, int] = {}
    ids: set[int] = set()
    for _ in range(count):
        # A name may hold spaces.
        name, _, digits = lines.take("a special and its id").rpartition(" ")
        token_id = _number(digits)
        if not name or token_id is None:
            lines.fail(f"must be a special, a space and its id from 0 to {MAX_ID}")
        if name in specials or token_id in ids:
            lines.fail("has a special or an id that an earlier line has")
        specials[name] = token_id
        ids.add(token_id)
    return specials


def _merges(lines: _Lines) -> list[tuple[int, int, int]]:
    """Numbered from 256; that each uses only what is there is checked with the bytes."""
    merges: list[tuple[int, int, int]] = []
    end = len(lines.lines)
    while end > lines.number and not lines.lines[end - 1]:
        end -= 1
    seen: set[tuple[int, int]] = set()
    while lines.number < end:
        left, _, right = lines.take("a merge").partition(" ")
        pair = _number(left), _number(right)
        if pair[0] is None or pair[1] is None:
            lines.fail("must be a merge: two ids with a space between them")
        if pair in seen:
            lines.fail("has a merge that an earlier line has")
        seen.add((pair[0], pair[1]))
        merges.append((pair[0], pair[1], _FIRST_MERGE + len(merges)))
    return merges


def _number(digits: str) -> int | None:
    """An id in digits, or None."""
    if not digits.isascii() or not digits.isdigit() or len(digits) > 10:
        return None
    return number if (number := int(digits)) <= MAX_ID else None

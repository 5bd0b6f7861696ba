"""What a filter box understands: `text`, `id:262`, `rank:10-20`, `flag:rare`, or a mixture."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.flag_marks import FlagMarks, flag_words, named_kinds
from bpe_studio.analysis.merge_rows import MergeRows

FIELDS: Final = ("rank", "id", "left", "right", "count", "applied", "bytes")
FLAG: Final = "flag:"
_FLAG: Final = re.compile(r"(?:^|(?<=\s))flag:(\S*)\s?")
_CONDITION: Final = re.compile(rf"(?:^|(?<=\s))({'|'.join(FIELDS)}):(\S*)\s?")
_RANGE: Final = re.compile(r"(>=|<=|>|<|)(\d+)(?:(?:-|\.\.|…)(\d*))?$")
_HEX: Final = re.compile("⟨([0-9A-Fa-f ]+)⟩")
_SHOWN: Final = {"␠": " ", "␣": " ", "·": " ", "⏎": "\n", "⇥": "\t", "␡": "\x7f"}


@dataclass(frozen=True, slots=True)
class Bounds:
    """Numbers from `low` to `high`, both included; no `high` means no end."""

    field: str
    low: int
    high: int | None

    def holds(self, values: NDArray[np.int64]) -> NDArray[np.bool_]:
        inside = values >= self.low
        return inside if self.high is None else inside & (values <= self.high)


@dataclass(frozen=True, slots=True)
class RowFilter:
    """Bounds that must all hold, and bytes that a token must contain.

    `any_case` says that ASCII letters match in both cases: the text was typed in lower case.
    `flags` has for every `flag:` the kinds of which a token must have one; None is any kind.
    """

    bounds: tuple[Bounds, ...]
    text: bytes
    any_case: bool
    number: int | None = None
    flags: tuple[frozenset[str] | None, ...] = ()

    def mask(self, rows: MergeRows, marks: FlagMarks | None = None) -> NDArray[np.bool_]:
        """bool (rows,): which merges it lets through; without marks no token has a flag."""
        mask = np.ones(len(rows), dtype=bool)
        for kinds in self.flags:
            mask &= marks.mask(rows.new, kinds) if marks is not None else False
        for bounds in self.bounds:
            mask &= bounds.holds(_values(rows, bounds.field))
        if self.text:
            found = containing(rows, self.text, any_case=self.any_case)
            if self.number is not None:
                found |= rows.new == self.number
            mask &= found
        return mask


def parse_filter(query: str) -> RowFilter:
    """Read what was typed.

    >>> parse_filter("rank:10-20 low").bounds
    (Bounds(field='rank', low=10, high=20),)

    Raises
    ------
    ValueError
        A field whose value is no number and no range, or a flag that there is not.
    """
    flags = tuple(_kinds(match[1]) for match in _FLAG.finditer(query))
    text = _FLAG.sub("", query)
    bounds = tuple(_bounds(match[1], match[2]) for match in _CONDITION.finditer(text))
    text = _CONDITION.sub("", text)
    text = text.strip() if bounds or flags else text
    number = int(text) if text.isdecimal() and len(text) < 10 else None
    return RowFilter(bounds, plain(text), text == text.lower(), number, flags)


def with_flag(query: str, wanted: bool) -> str:
    """The query with `flag:` in it, or without any.

    >>> with_flag("low", True), with_flag("flag:rare low", False)
    ('flag: low', 'low')
    """
    rest = _FLAG.sub("", query)
    return f"{FLAG} {rest}".rstrip() if wanted else rest.rstrip() if has_flag(query) else query


def has_flag(query: str) -> bool:
    """Whether a query asks for flags."""
    return _FLAG.search(query) is not None


def plain(shown: str) -> bytes:
    """The bytes of a text in which `␠`, `⏎`, `⟨E2 82⟩` and the like may stand for themselves.

    >>> plain("␠low⟨E2 82⟩"), plain("⟨200B⟩")
    (b' low\\xe2\\x82', b'\\xe2\\x80\\x8b')
    """
    parts = _HEX.split(shown)
    data = [_bytes_of_hex(part) if place % 2 else _plain(part) for place, part in enumerate(parts)]
    return b"".join(data)


def containing(rows: MergeRows, text: bytes, *, any_case: bool) -> NDArray[np.bool_]:
    """bool (rows,): whose token contains these bytes."""
    data, wanted = rows.data, np.frombuffer(text, dtype=np.uint8)
    if any_case:
        data = _lowered(data)
    mask = np.zeros(len(rows), dtype=bool)
    places = np.flatnonzero(data[: max(0, len(data) - len(wanted) + 1)] == wanted[0])
    for offset in range(1, len(wanted)):
        places = places[data[places + offset] == wanted[offset]]
    found = np.searchsorted(rows.ends, places, side="right")
    mask[found[places + len(wanted) <= rows.ends[found]]] = True
    return mask


def _kinds(word: str) -> frozenset[str] | None:
    """The kinds that a `flag:` asks for; None for any."""
    kinds = named_kinds(word.lower()) if word else None
    if kinds is not None and not kinds:
        raise ValueError(f"flag: there is no kind {word!r}; the kinds are {flag_words()}.")
    return kinds


def _values(rows: MergeRows, field: str) -> NDArray[np.int64]:
    columns: dict[str, Callable[[], NDArray[np.int64]]] = {
        "rank": lambda: np.arange(len(rows), dtype=np.int64),
        "id": lambda: rows.new.astype(np.int64),
        "left": lambda: rows.left.astype(np.int64),
        "right": lambda: rows.right.astype(np.int64),
        "count": lambda: rows.counts,
        "applied": lambda: rows.applied,
        "bytes": lambda: rows.ends - rows.starts,
    }
    return columns[field]()


def _bounds(field: str, value: str) -> Bounds:
    match = _RANGE.match(value.replace(",", "").replace("_", ""))
    if match is None:
        raise ValueError(
            f"{field}: takes a number or a range such as 10-20 or >100, not {value!r}."
        )
    sign, number = match[1], int(match[2])
    if match[3] and int(match[3]) < number:
        raise ValueError(f"{field}: the range {value} ends before it begins.")
    if match[3] is not None:
        return Bounds(field, number, int(match[3]) if match[3] else None)
    if sign in (">", ">="):
        return Bounds(field, number + (sign == ">"), None)
    if sign:
        return Bounds(field, 0, number - (sign == "<"))
    return Bounds(field, number, number)


def _plain(shown: str) -> bytes:
    text = "".join(
        _SHOWN.get(char) or (chr(ord(char) - 0x2400) if 0x2400 <= ord(char) < 0x2420 else char)
        for char in shown
    )
    return text.encode("utf-8", "replace")


def _bytes_of_hex(digits: str) -> bytes:
    code = digits.strip()
    if len(code) > 2 and " " not in code:
        number = int(code, 16)
        return chr(number).encode("utf-8", "replace") if number < 0x110000 else b""
    return bytes(int(part, 16) & 0xFF for part in code.split())


def _lowered(data: NDArray[np.uint8]) -> NDArray[np.uint8]:
    capital = (data - np.uint8(ord("A"))) < 26  # what is below wraps to above
    lowered: NDArray[np.uint8] = data | (capital.view(np.uint8) << np.uint8(5))
    return lowered

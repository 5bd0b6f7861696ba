"""Where lines that no editor can bear are broken for display.

Qt lays out a line as a whole, and letters with all that combines with them as one: a line of a
million characters, or a letter with a hundred thousand accents, stops the window for minutes.
"""

from __future__ import annotations

import sys
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

LONG_LINE = 50_000
"""Characters in one line from which Qt's editor becomes slow to type in."""
CHUNK = 1_000
ORDINARY_RUN = 4
"""Characters that combine with one letter, in the writing systems that have most of them."""
MOST_HEAVY = 1_500
"""Characters that combine beyond that in one line, from which it becomes slow to type in."""
MOST_IN_TEXT = 4_000
"""As many in the whole text: a page of such lines is slow to paint."""
MOST_AT_ALL = 128
"""In one line of a text that has more of them, and characters of no shape and no width in any."""
HEAVY_CHUNK = 48
"""A shown line has fewer than twice as many; letters are kept with their marks where they can."""
_MARK, _SHAPELESS = 1, 2
_JOINERS = (0x200C, 0x200D)
_TAGS = (*range(0xFFF9, 0xFFFC), 0xE0001, *range(0xE0020, 0xE0080))


def break_places(text: str) -> NDArray[np.int64]:
    """Return the characters before which a text is broken for display, in order; mostly none."""
    codes = _codes(text)
    parts = [*_in_lines(codes), *_in_heavy_lines(codes)]
    return np.unique(np.concatenate(parts)) if parts else np.empty(0, np.int64)


def why_broken(text: str) -> str:
    """Return what in a text is broken for display: "line", "marks", "controls", or nothing."""
    codes = _codes(text)
    if _in_lines(codes):
        return "line"
    heavy = _Heavy.of(codes)
    if heavy is None or not heavy.breaks().size:
        return ""
    return "controls" if heavy.shapeless.sum() * 2 > len(heavy.places) else "marks"


def needs_breaks(text: str) -> bool:
    """Whether a text has a line that is broken for display."""
    return bool(break_places(text).size)


def broken(text: str, places: NDArray[np.int64]) -> str:
    """Put a line end before each of these characters."""
    cuts = [0, *places.tolist(), len(text)]
    return "\n".join(text[a:b] for a, b in zip(cuts[:-1], cuts[1:], strict=True))


def _codes(text: str) -> NDArray[np.unsignedinteger]:
    if text.isascii():
        return np.frombuffer(text.encode(), np.uint8)
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def _in_lines(codes: NDArray[np.unsignedinteger]) -> list[NDArray[np.int64]]:
    if len(codes) <= LONG_LINE:
        return []
    ends = np.append(np.flatnonzero(codes == 0x0A), len(codes))
    starts = np.append(0, ends[:-1] + 1)
    return [
        np.arange(starts[line] + CHUNK, ends[line], CHUNK)
        for line in np.flatnonzero(ends - starts > LONG_LINE)
    ]


def _in_heavy_lines(codes: NDArray[np.unsignedinteger]) -> list[NDArray[np.int64]]:
    """Many on one place: to paint a page of them, thousands of tokens are asked where they are."""
    heavy = _Heavy.of(codes)
    return [] if heavy is None else [heavy.breaks()]


@dataclass(frozen=True, slots=True, eq=False)
class _Heavy:
    """The characters that are slow to paint, in order.

    `places` are where they stand, `bases` where the letter stands that they combine with,
    `lengths` how many stand on it, `shapeless` which have no shape, and `lines` number their lines.
    """

    places: NDArray[np.int64]
    bases: NDArray[np.int64]
    lengths: NDArray[np.int64]
    shapeless: NDArray[np.bool_]
    lines: NDArray[np.int64]

    @classmethod
    def of(cls, codes: NDArray[np.unsignedinteger]) -> _Heavy | None:
        """Find them; None where they are too few to matter."""
        odd = np.flatnonzero((codes < 0x20) | (codes >= 0x7F))
        if len(odd) <= MOST_AT_ALL:
            return None
        kinds = _kinds()[codes[odd]]
        marks = odd[kinds == _MARK]
        numbers = np.arange(len(marks))
        begins = np.diff(marks, prepend=-2) > 1
        firsts = np.maximum.accumulate(np.where(begins, numbers, 0))
        beyond = numbers - firsts >= ORDINARY_RUN
        runs = np.bincount(firsts[beyond], minlength=len(marks))[firsts[beyond]]
        alone = odd[kinds == _SHAPELESS]
        places = np.concatenate((marks[beyond], alone))
        if len(places) <= MOST_AT_ALL:
            return None
        order = np.argsort(places)
        return cls(
            places=places[order],
            bases=np.concatenate((marks[firsts[beyond]] - 1, alone))[order],
            lengths=np.concatenate((runs, np.ones_like(alone)))[order],
            shapeless=np.repeat((False, True), (beyond.sum(), len(alone)))[order],
            lines=np.searchsorted(np.flatnonzero(codes == 0x0A), places[order]),
        )

    def breaks(self) -> NDArray[np.int64]:
        """The places before which their lines are broken."""
        most = MOST_HEAVY if len(self.places) <= MOST_IN_TEXT else MOST_AT_ALL
        shapeless = np.bincount(self.lines, self.shapeless)
        marks = np.bincount(self.lines) - shapeless
        broken = (marks > most) | (shapeless > MOST_AT_ALL)
        in_line = np.arange(len(self.lines)) - np.searchsorted(self.lines, self.lines)
        at = broken[self.lines] & (in_line > 0) & (in_line % HEAVY_CHUNK == 0)
        return np.where(self.lengths <= HEAVY_CHUNK, self.bases, self.places)[at]


@lru_cache(maxsize=1)
def _kinds() -> NDArray[np.uint8]:
    """For every code point: does it combine with the one before it, or has it no shape at all."""
    found = np.zeros(sys.maxunicode + 1, np.uint8)
    for first, last in ((0x300, 0x20000), (0xE0100, 0xE01F0)):
        for code in range(first, last):
            if unicodedata.category(chr(code)) in ("Mn", "Me", "Mc"):
                found[code] = _MARK
    found[list(_JOINERS)] = _MARK
    controls = [code for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\t\n\r"]
    found[[*controls, *_TAGS]] = _SHAPELESS
    return found

"""Where lines that no editor can bear are broken for display.

Qt lays out a line as a whole, and letters with all that combines with them as one: a line of a
million characters, or a letter with a hundred thousand accents, stops the window for minutes.
"""

from __future__ import annotations

import sys
import unicodedata
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

LONG_LINE = 50_000
"""Characters in one line from which Qt's editor becomes slow to type in."""
CHUNK = 1_000
ORDINARY_RUN = 4
"""Characters that combine with one letter, in the writing systems that have most of them."""
LONG_RUN = 64
"""More of them than are ordinary, in one line: they all stand on a few letters."""
_FIRST_MARK = "\u0300"
_JOINERS = (0x200C, 0x200D)


def break_places(text: str) -> NDArray[np.int64]:
    """Return the characters before which a text is broken for display, in order; mostly none."""
    if text.isascii():
        codes = np.frombuffer(text.encode(), np.uint8)
    else:
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    parts = [*_in_lines(codes), *(() if text.isascii() else _in_runs(codes))]
    return np.unique(np.concatenate(parts)) if parts else np.empty(0, np.int64)


def needs_breaks(text: str) -> bool:
    """Whether a text has a line that is broken for display."""
    return bool(break_places(text).size)


def broken(text: str, places: NDArray[np.int64]) -> str:
    """Put a line end before each of these characters."""
    cuts = [0, *places.tolist(), len(text)]
    return "\n".join(text[a:b] for a, b in zip(cuts[:-1], cuts[1:], strict=True))


def _in_lines(codes: NDArray[np.unsignedinteger]) -> list[NDArray[np.int64]]:
    if len(codes) <= LONG_LINE:
        return []
    ends = np.append(np.flatnonzero(codes == 0x0A), len(codes))
    starts = np.append(0, ends[:-1] + 1)
    return [
        np.arange(starts[line] + CHUNK, ends[line], CHUNK)
        for line in np.flatnonzero(ends - starts > LONG_LINE)
    ]


def _in_runs(codes: NDArray[np.uint32]) -> list[NDArray[np.int64]]:
    high = np.flatnonzero(codes >= ord(_FIRST_MARK))
    if len(high) <= LONG_RUN:
        return []
    marks = high[_combining()[codes[high]]]
    if len(marks) <= LONG_RUN:
        return []
    begins = np.append(True, np.diff(marks) > 1)
    numbers = np.arange(len(marks)) - np.maximum.accumulate(
        np.where(begins, np.arange(len(marks)), 0)
    )
    heavy = marks[numbers >= ORDINARY_RUN]
    if len(heavy) <= LONG_RUN:
        return []
    lines = np.searchsorted(np.flatnonzero(codes == 0x0A), heavy)
    in_line = np.arange(len(heavy)) - np.searchsorted(lines, lines)
    return [heavy[(in_line > 0) & (in_line % LONG_RUN == 0)]]


@lru_cache(maxsize=1)
def _combining() -> NDArray[np.bool_]:
    """For every code point, whether it combines with the character before it."""
    found = np.zeros(sys.maxunicode + 1, np.bool_)
    for first, last in ((0x300, 0x20000), (0xE0100, 0xE01F0)):
        for code in range(first, last):
            found[code] = unicodedata.category(chr(code)) in ("Mn", "Me", "Mc")
    found[list(_JOINERS)] = True
    return found

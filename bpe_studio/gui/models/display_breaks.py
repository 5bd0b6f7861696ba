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
MOST_HEAVY = 128
"""In one line: characters that combine beyond that, and such as have no shape and no width."""
HEAVY_CHUNK = 32
_MARK, _SHAPELESS = 1, 2
_JOINERS = (0x200C, 0x200D)
_TAGS = (*range(0xFFF9, 0xFFFC), 0xE0001, *range(0xE0020, 0xE0080))


def break_places(text: str) -> NDArray[np.int64]:
    """Return the characters before which a text is broken for display, in order; mostly none."""
    if text.isascii():
        codes = np.frombuffer(text.encode(), np.uint8)
    else:
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    parts = [*_in_lines(codes), *_in_heavy_lines(codes)]
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


def _in_heavy_lines(codes: NDArray[np.unsignedinteger]) -> list[NDArray[np.int64]]:
    """Many on one place: to paint a page of them, thousands of tokens are asked where they are."""
    odd = np.flatnonzero((codes < 0x20) | (codes >= 0x7F))
    if len(odd) <= MOST_HEAVY:
        return []
    kinds = _kinds()[codes[odd]]
    marks = odd[kinds == _MARK]
    places = np.arange(len(marks))
    begins = np.diff(marks, prepend=-2) > 1
    in_run = places - np.maximum.accumulate(np.where(begins, places, 0))
    heavy = np.concatenate((marks[in_run >= ORDINARY_RUN], odd[kinds == _SHAPELESS]))
    if len(heavy) <= MOST_HEAVY:
        return []
    heavy.sort()
    lines = np.searchsorted(np.flatnonzero(codes == 0x0A), heavy)
    first, last = (np.searchsorted(lines, lines, side=side) for side in ("left", "right"))
    in_line = np.arange(len(heavy)) - first
    return [heavy[(last - first > MOST_HEAVY) & (in_line > 0) & (in_line % HEAVY_CHUNK == 0)]]


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

"""Readable bytes in sentences.

Few fonts have the sign ␠ for a leading space, and the one that a system falls back to draws two
letters too small to read. Cells and chips draw an open box; labels, tips and messages write one.
"""

from __future__ import annotations

import regex

from bpe_studio.gui.models.display_breaks import ORDINARY_RUN

SPACE = "␠"
OPEN_BOX = "␣"  # U+2423
MOST_CODES = 2  # of a run of marks
# Marks of direction would change the order of what is around them, such as the end of a name.
_DIRECTIONS = regex.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_MARKS = regex.compile(rf"\p{{M}}{{{ORDINARY_RUN + 1},}}")


def legible(text: str) -> str:
    """The text with an open box for a leading space, for everything that Qt writes itself.

    >>> legible("It is one token here: “␠low” (id 264).")
    'It is one token here: “␣low” (id 264).'
    """
    return spread(text.replace(SPACE, OPEN_BOX))


def spread(text: str) -> str:
    """The text with the code points of marks that would pile up on one letter.

    >>> spread("Z" + "\u0301\u0302" * 20)
    'Z⟨0301 0302 … 40 marks⟩'
    """
    if text.isascii():
        return text
    return _MARKS.sub(_written, _DIRECTIONS.sub(lambda found: f"⟨{ord(found[0]):04X}⟩", text))


def _written(found: regex.Match[str]) -> str:
    run = found.group()
    codes = " ".join(f"{ord(mark):04X}" for mark in run[:MOST_CODES])
    return f"⟨{codes} … {len(run):,} marks⟩"

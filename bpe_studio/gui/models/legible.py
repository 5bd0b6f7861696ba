"""Readable bytes in sentences.

Few fonts have the sign ␠ for a leading space, and the one that a system falls back to draws two
letters too small to read. Cells and chips draw an open box; labels, tips and messages write one.
"""

from __future__ import annotations

SPACE = "␠"
OPEN_BOX = "␣"  # U+2423


def legible(text: str) -> str:
    """The text with an open box for a leading space, for everything that Qt writes itself.

    >>> legible("It is one token here: “␠low” (id 264).")
    'It is one token here: “␣low” (id 264).'
    """
    return text.replace(SPACE, OPEN_BOX)

"""The shortest text on which the answer to *why is this not one token?* can be seen."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Proof:
    """A text by itself in which the same rule keeps the same characters from being one token.

    Attributes
    ----------
    text : str
        A part of the text that was asked about, as short as can be.
    start, end : int
        Where the span lies in it, in characters.
    ids : tuple of int
        What it is encoded to.
    """

    text: str
    start: int
    end: int
    ids: tuple[int, ...]

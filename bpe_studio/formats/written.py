"""What a format makes of a tokenizer that is saved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["Written"]


@dataclass(frozen=True, slots=True)
class Written:
    """The files of a tokenizer, and what they could not hold.

    Attributes
    ----------
    files : mapping from name to content
        The name "" is the path that was asked for; any other is a file beside it.
    losses : tuple of str
        What the format cannot hold, a sentence each. What would change an id or an encoding without
        a word is no loss but a ValueError.
    hint : str
        How the files are used: lines of Python, or nothing.
    """

    files: Mapping[str, bytes]
    losses: tuple[str, ...] = ()
    hint: str = ""

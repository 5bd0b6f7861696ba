"""What a format makes of a tokenizer that is saved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Written", "beside"]


@dataclass(frozen=True, slots=True)
class Written:
    """The files of a tokenizer, and what they could not hold.

    Attributes
    ----------
    files : mapping from name to content
        The name "" is the path that was asked for; any other is a file beside it (`beside`).
    losses : tuple of str
        What the format cannot hold, a sentence each. What would change an id or an encoding without
        a word is no loss but a ValueError.
    hint : str
        How the files are used: lines of Python, or nothing.
    """

    files: Mapping[str, bytes]
    losses: tuple[str, ...] = ()
    hint: str = ""


def beside(asked: Path, name: str) -> Path:
    """Where a further file goes: it shares what the name of the first begins with, so that two
    pairs in one folder do not overwrite each other.

    >>> [beside(Path(p), "merges.txt").name for p in ("vocab.json", "a-vocab.json", "a.json")]
    ['merges.txt', 'a-merges.txt', 'a-merges.txt']
    """
    if asked.name.endswith("vocab.json"):
        return asked.with_name(asked.name.removesuffix("vocab.json") + name)
    return asked.with_name(f"{asked.stem}-{name}")

"""What a format makes of a tokenizer that is saved."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["Written", "beside", "path_mark"]


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
        How the files are used: lines of Python, or nothing. Where they name a file there is what
        `path_mark` gives.
    """

    files: Mapping[str, bytes]
    losses: tuple[str, ...] = ()
    hint: str = ""

    def hint_for(self, asked: str | os.PathLike[str]) -> str:
        """The hint with the paths in it, of files that are saved there."""

        def path(match: re.Match[str]) -> str:
            return repr(str(beside(Path(asked), match[1]) if match[1] else Path(asked)))

        return _MARK.sub(path, self.hint)


# Nothing else in a line of Python holds this character.
_MARK: Final = re.compile("\0(.*?)\0")


def path_mark(name: str = "") -> str:
    """What stands for the path of a file in a hint."""
    return f"\0{name}\0"


def beside(asked: Path, name: str) -> Path:
    """Where a further file goes: it shares what the name of the first begins with, so that two
    pairs in one folder do not overwrite each other.

    >>> [beside(Path(p), "merges.txt").name for p in ("vocab.json", "a-vocab.json", "a.json")]
    ['merges.txt', 'a-merges.txt', 'a-merges.txt']
    """
    if asked.name.endswith("vocab.json"):
        return asked.with_name(asked.name.removesuffix("vocab.json") + name)
    return asked.with_name(f"{asked.stem}-{name}")

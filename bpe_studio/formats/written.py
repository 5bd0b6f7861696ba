"""What a format makes of a tokenizer that is saved."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["Written", "is_folder", "path_mark", "place_in_pair"]


@dataclass(frozen=True, slots=True)
class Written:
    """The files of a tokenizer, and what they could not hold.

    Attributes
    ----------
    files : mapping from name to content
        The name "" is the path that was asked for; any other is a file of a pair with it
        (`place_in_pair`).
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

    def places(self, asked: str | os.PathLike[str]) -> list[Path]:
        """Where the files go that are asked for under this path, in their order.

        Raises
        ------
        ValueError
            It is a folder, and the file has no name of its own.
        """
        return [self._place(asked, name) for name in self.files]

    def hint_for(self, asked: str | os.PathLike[str]) -> str:
        """The hint with the paths in it, of files that are saved there."""
        return _MARK.sub(lambda match: repr(str(self._place(asked, match[1]))), self.hint)

    def _place(self, asked: str | os.PathLike[str], name: str) -> Path:
        if len(self.files) > 1:
            return place_in_pair(asked, name)
        if is_folder(asked):
            raise ValueError(f"{os.fspath(asked)}: it is a folder; name a file in it.")
        return Path(asked)


# Nothing else in a line of Python holds this character.
_MARK: Final = re.compile("\0(.*?)\0")


def path_mark(name: str = "") -> str:
    """What stands for the path of a file in a hint."""
    return f"\0{name}\0"


def is_folder(asked: str | os.PathLike[str]) -> bool:
    """Whether a path means a folder: one that is there, or by the slash at its end."""
    return os.fspath(asked).endswith((os.sep, "/")) or os.path.isdir(asked)


def place_in_pair(asked: str | os.PathLike[str], name: str) -> Path:
    """Where a file of a pair goes, when one of them, or a folder for both, was named.

    The two share what their names begin with, so that two pairs in one folder do not overwrite
    each other.

    Parameters
    ----------
    name : str
        "" for the vocabulary, else the name of the file of merges.

    >>> [place_in_pair(p, "merges.txt").name for p in ("vocab.json", "a-vocab.json", "a.json")]
    ['merges.txt', 'a-merges.txt', 'a-merges.txt']
    >>> [place_in_pair(p, "").name for p in ("merges.txt", "a-merges.txt", "vocab.bpe", "a.json")]
    ['vocab.json', 'a.json', 'encoder.json', 'a.json']
    """
    path = Path(asked)
    if is_folder(asked):
        return path / (name or "vocab.json")
    for vocab, merges in (("vocab.json", "merges.txt"), ("encoder.json", "vocab.bpe")):
        if path.name.endswith(vocab):
            return path.with_name(path.name.removesuffix(vocab) + merges) if name else path
        if path.name.endswith(merges):
            before = path.name.removesuffix(merges)
            first = f"{before[:-1]}.json" if len(before) > 1 and before[-1] == "-" else ""
            other = first if vocab == "vocab.json" and first else before + vocab
            return path if name else path.with_name(other)
    return path.with_name(f"{path.stem}-{name}") if name else path

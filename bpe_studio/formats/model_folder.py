"""Which tokenizer a model folder holds, told by the names that such folders use."""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from pathlib import Path
from typing import Final

__all__ = ["find_in_folder", "half_of_pair", "is_usual_name", "note_on_others", "tokenizers_in"]

# In order of preference: the fullest description first. A name goes with the first that it matches.
_NAMES: Final = tuple(
    re.compile(expression, re.IGNORECASE)
    for expression in (
        r"tokenizer\.json",
        r"tekken.*\.json",
        r"tokenizer\.model",
        r".*\.model\.v\w+",
        r".*\.tiktoken",
        r"vocab\.json",
        r"encoder\.json",
        r".*\.gguf",
        r".*\.model",
    )
)
_GOES_WITH: Final = {"vocab.json": "merges.txt", "encoder.json": "vocab.bpe"}
_MOST_NAMED: Final = 8


def tokenizers_in(folder: str | os.PathLike[str]) -> list[Path]:
    """The tokenizer files directly in a folder, the one to be opened first.

    Raises
    ------
    OSError
        The folder cannot be listed.
    """
    names = sorted(entry.name for entry in os.scandir(folder) if entry.is_file())
    ranked = [(rank, name) for name in names if (rank := _rank(name, names)) is not None]
    # Of several versions of a file the latest is meant.
    latest_first = sorted(ranked, key=lambda item: item[1], reverse=True)
    return [Path(folder, name) for _, name in sorted(latest_first, key=lambda item: item[0])]


def find_in_folder(folder: str | os.PathLike[str]) -> Path | None:
    """The tokenizer file that stands for a model folder; None where it is no such folder."""
    try:
        return next(iter(tokenizers_in(folder)), None)
    except OSError:
        return None


def is_usual_name(name: str) -> bool:
    """Whether model folders all use this name, so that it tells nothing of the model."""
    usual = ("tokenizer.", "tekken.", *_GOES_WITH, *_GOES_WITH.values())
    return name.lower().startswith(usual)


def note_on_others(folder: str | os.PathLike[str]) -> tuple[str, ...]:
    """What is to be said about the files of a model folder that were not opened."""
    opened, *others = tokenizers_in(folder)
    if not others:
        return ()
    verb = "is" if len(others) == 1 else "are"
    names = ", ".join(path.name for path in others[:_MOST_NAMED])
    more = f" and {len(others) - _MOST_NAMED} more" if len(others) > _MOST_NAMED else ""
    return (f"Of the folder, {opened.name} was opened; there {verb} {names}{more} too.",)


def half_of_pair(folder: str | os.PathLike[str]) -> tuple[str, str] | None:
    """A file of a pair that is in a folder, and the other, where that is not there."""
    for pair in _GOES_WITH.items():
        there = [os.path.isfile(os.path.join(folder, name)) for name in pair]
        if any(there) and not all(there):
            return pair if there[0] else (pair[1], pair[0])
    return None


def _rank(name: str, names: Collection[str]) -> int | None:
    other = _GOES_WITH.get(name.lower())
    if other is not None and other not in names:
        return None
    return next((rank for rank, known in enumerate(_NAMES) if known.fullmatch(name)), None)

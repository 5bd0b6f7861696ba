"""Bytes on disk ↔ Tokenizer.

Every format is a module with NAME, TITLE (as a dialog shows it), SUFFIXES (the first is the usual
one), sniff(data) and read(source: Source); one that can be written also has
write(tokenizer) → `Written`. `FORMATS` lists them in the order in which they are asked whether a
file is theirs.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Final

from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.files import write_atomic
from bpe_studio.formats import (
    gguf,
    gpt2,
    huggingface,
    minbpe,
    sentencepiece,
    studio,
    tekken,
    tiktoken,
)
from bpe_studio.formats.refusals import refuse_unsafe
from bpe_studio.formats.source import PatternNeededError, Source
from bpe_studio.formats.written import Written, beside

__all__ = [
    "FORMATS",
    "WRITERS",
    "PatternNeededError",
    "Written",
    "find_table",
    "format_for",
    "is_tokenizer",
    "load",
    "read",
    "save",
    "table_names",
]

# Asked in this order: those with a mark of their own first.
FORMATS: Final[dict[str, ModuleType]] = {
    module.NAME: module
    for module in (
        studio,
        huggingface,
        minbpe,
        gguf,
        sentencepiece,
        tekken,
        tiktoken,
        gpt2,
    )
}
WRITERS: Final[dict[str, ModuleType]] = {
    name: module for name, module in FORMATS.items() if hasattr(module, "write")
}

_TABLES = Path(__file__).parent.parent / "resources" / "tables"


def load(
    path: str | os.PathLike[str],
    *,
    pattern: str | None = None,
    report: Callable[[float], None] | None = None,
) -> Tokenizer:
    """Read a tokenizer file; its content tells the format, whatever its name is.

    Parameters
    ----------
    pattern : str, optional
        The name of a preset or an expression, for a file that does not tell how a text is cut.
    report : callable, optional
        Told how much is done, from 0 to 1.

    Raises
    ------
    PatternNeededError
        The file does not tell how a text is cut, and `pattern` neither.
    ValueError, OSError
        In one sentence that names the file and the place in it.
    """
    options = {} if report is None else {"report": report}
    return read_source(Source.of(path, pattern=pattern, **options))


def read(data: bytes, name: str, *, pattern: str | None = None) -> Tokenizer:
    """As `load`, from bytes; `name` stands for the file in errors."""
    return read_source(Source(data=data, name=name, pattern=pattern))


def read_source(source: Source) -> Tokenizer:
    """As `load`, from a file that has been read."""
    refuse_unsafe(source.data, source.name)
    for module in FORMATS.values():
        if module.sniff(source.data):
            found: Tokenizer = module.read(source)
            return found
    # No mark of any format: the native reader says best what is missing.
    return studio.read(source)


def is_tokenizer(data: bytes) -> bool:
    """Whether a file that begins so has the mark of a format."""
    return any(module.sniff(data) for module in FORMATS.values())


def save(tokenizer: Tokenizer, path: str | os.PathLike[str], format: str | None = None) -> Written:
    """Save a tokenizer, whole or not at all, and say what the format could not hold.

    Parameters
    ----------
    format : str, optional
        A name in `WRITERS`. None takes what the name of the file says, else the native one.

    Raises
    ------
    ValueError
        There is no such format, or it cannot hold this tokenizer.
    OSError
        The file cannot be written.
    """
    name = format_for(path) if format is None else format
    if name not in WRITERS:
        raise ValueError(f"The format {name!r} cannot be written; it must be {', '.join(WRITERS)}.")
    written: Written = WRITERS[name].write(tokenizer)
    for further, data in written.files.items():
        write_atomic(beside(Path(path), further) if further else path, data)
    return written


def format_for(path: str | os.PathLike[str]) -> str:
    """The name of the format in which a file of this name is saved where nobody says it."""
    suffix = Path(path).suffix.lower()
    own = studio.SUFFIXES[0]
    return next(
        (name for name, module in WRITERS.items() if suffix in module.SUFFIXES and suffix != own),
        studio.NAME,
    )


def table_names() -> tuple[str, ...]:
    """Names of the small tables that come with the program."""
    return tuple(sorted(path.stem for path in _TABLES.glob("*.json")))


def find_table(name: str) -> Path:
    """The file of a table that comes with the program; ValueError when there is none."""
    if name not in table_names():
        raise ValueError(
            f"{name}: there is no such file, and no table of that name comes with the "
            f"program; those are {', '.join(table_names())}."
        )
    return _TABLES / f"{name}.json"

"""Bytes on disk ↔ Tokenizer.

Every format is a module with NAME, TITLE, SUFFIX, sniff(data), read(data, source) and
write(tokenizer); `FORMATS` lists them in the order in which they are asked whether a file
is theirs.
"""

from __future__ import annotations

import os
from pathlib import Path
from types import ModuleType
from typing import Final

from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.files import open_regular, write_atomic
from bpe_studio.formats import studio
from bpe_studio.formats.refusals import refuse_unsafe
from bpe_studio.formats.strict_json import MAX_FILE_BYTES

__all__ = ["FORMATS", "find_table", "is_tokenizer", "load", "read", "save", "table_names"]

FORMATS: Final[dict[str, ModuleType]] = {studio.NAME: studio}

_TABLES = Path(__file__).parent.parent / "resources" / "tables"


def load(path: str | os.PathLike[str]) -> Tokenizer:
    """Read a tokenizer file; its content tells the format, whatever its name is.

    Raises
    ------
    ValueError, OSError
        In one sentence that names the file and the place in it.
    """
    source = os.fspath(path)
    with open_regular(path, follow_links=True) as file:
        size = os.fstat(file.fileno()).st_size
        if size > MAX_FILE_BYTES:
            raise ValueError(f"{source}: it has {size:,} bytes, and 256 MiB is the limit.")
        data = file.read(MAX_FILE_BYTES + 1)  # it may have grown since
    return read(data, source)


def read(data: bytes, source: str) -> Tokenizer:
    """As `load`, from bytes; `source` names them in errors."""
    refuse_unsafe(data, source)
    for module in FORMATS.values():
        if module.sniff(data):
            found: Tokenizer = module.read(data, source)
            return found
    # No mark of any format: the native reader says best what is missing.
    return studio.read(data, source)


def is_tokenizer(data: bytes) -> bool:
    """Whether a file that begins so has the mark of a format."""
    return any(module.sniff(data) for module in FORMATS.values())


def save(tokenizer: Tokenizer, path: str | os.PathLike[str], format: str | None = None) -> None:
    """Save a tokenizer, whole or not at all.

    Parameters
    ----------
    format : str, optional
        A name in `FORMATS`. None takes the native one.

    Raises
    ------
    ValueError
        There is no such format, or it cannot hold this tokenizer.
    OSError
        The file cannot be written.
    """
    name = studio.NAME if format is None else format
    if name not in FORMATS:
        raise ValueError(f"The format {name!r} cannot be written; it must be {', '.join(FORMATS)}.")
    write_atomic(path, FORMATS[name].write(tokenizer))


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

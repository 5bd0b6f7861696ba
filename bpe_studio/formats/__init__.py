"""Bytes on disk ↔ Tokenizer.

Every format is a module with NAME, TITLE (as a dialog shows it), SUFFIXES (the first is the usual
one), sniff(data) and read(source: Source); one that can be written also has
write(tokenizer) → `Written`. `FORMATS` lists them in the order in which they are asked whether a
file is theirs; it is made when it is first asked for, because a window opens sooner without it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from bpe_studio.files import check_savable, open_regular, write_atomic
from bpe_studio.formats.model_folder import (
    find_in_folder,
    half_of_pair,
    is_usual_name,
    note_on_others,
    tokenizers_in,
)
from bpe_studio.formats.naming import format_for, format_for_convert
from bpe_studio.formats.source import PatternNeededError, Source
from bpe_studio.formats.written import Written, is_folder

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer
    from bpe_studio.formats.registry import FORMATS, WRITERS

__all__ = [
    "FORMATS",
    "OWN",
    "WRITERS",
    "PatternNeededError",
    "Written",
    "find_in_folder",
    "find_table",
    "format_for",
    "format_for_convert",
    "format_of",
    "format_of_file",
    "is_folder",
    "is_tokenizer",
    "is_usual_name",
    "load",
    "looks_like_tokenizer",
    "make",
    "name_patterns",
    "note_on_others",
    "places",
    "read",
    "read_source",
    "save",
    "store",
    "table_names",
    "tokenizers_in",
]

OWN: Final = "studio"
"""The name of our own format."""

# What a head is: enough for every format to see its mark.
_HEAD_BYTES: Final = 1 << 16

_TABLES = Path(__file__).parent.parent / "resources" / "tables"


def __getattr__(name: str) -> Any:
    if name in ("FORMATS", "WRITERS"):
        from bpe_studio.formats import registry

        return getattr(registry, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def load(
    path: str | os.PathLike[str],
    *,
    pattern: str | None = None,
    report: Callable[[float], None] | None = None,
    name: str | None = None,
) -> Tokenizer:
    """Read a tokenizer file; its content tells the format, whatever its name is.

    Of a model folder the file that says most is read.

    Parameters
    ----------
    pattern : str, optional
        The name of a preset or an expression, for a file that does not tell how a text is cut.
    report : callable, optional
        Told how much is done, from 0 to 1.
    name : str, optional
        How errors name the path, where not by itself.

    Raises
    ------
    PatternNeededError
        The file does not tell how a text is cut, and `pattern` neither.
    ValueError, OSError
        In one sentence that names the file and the place in it.
    """
    options = {} if report is None else {"report": report}
    told = os.fspath(path) if name is None else name
    if not os.path.isdir(path):
        source = Source.of(path, pattern=pattern, **options)
        return read_source(replace(source, name=told))
    found = find_in_folder(path)
    if found is None and (half := half_of_pair(path)) is not None:
        raise ValueError(
            f"{told}: it holds {half[0]} and no {half[1]}, and the one is nothing without the "
            "other; put that beside it."
        )
    if found is None:
        raise ValueError(
            f"{told}: it is a folder without a tokenizer file (such as tokenizer.json or "
            "tokenizer.model); open the file itself."
        )
    source = Source.of(found, pattern=pattern, **options)
    tokenizer = read_source(replace(source, name=os.path.join(told, found.name)))
    return replace(tokenizer, notes=(*note_on_others(path), *tokenizer.notes))


def read(data: bytes, name: str, *, pattern: str | None = None) -> Tokenizer:
    """As `load`, from bytes; `name` stands for the file in errors."""
    return read_source(Source(data=data, name=name, pattern=pattern))


def read_source(source: Source) -> Tokenizer:
    """As `load`, from a file that has been read."""
    from bpe_studio.formats.strict.refusals import refuse_unsafe

    refuse_unsafe(source.data, source.name)
    for module in _formats().values():
        if module.sniff(source.data):
            found: Tokenizer = module.read(source)
            return _with_pattern_told(found, source.pattern)
    if Path(source.name).suffix.lower() == ".tiktoken":
        ranks: Tokenizer = _formats()["tiktoken"].read(source)  # it says which line is wrong
        return _with_pattern_told(ranks, source.pattern)
    # No mark of any format: the native reader says best what is missing.
    own: Tokenizer = _formats()[OWN].read(source)
    return _with_pattern_told(own, source.pattern)


def _with_pattern_told(tokenizer: Tokenizer, asked: str | None) -> Tokenizer:
    """With a note where a pattern was asked for and another one cuts."""
    from bpe_studio.bpe.patterns import resolve_pattern

    if asked is None or resolve_pattern(asked).expression == tokenizer.pattern.expression:
        return tokenizer
    note = "The pattern that was asked for changes nothing: the file tells how a text is cut."
    return replace(tokenizer, notes=(note, *tokenizer.notes))


def is_tokenizer(data: bytes) -> bool:
    """Whether a file that begins so has the mark of a format."""
    return bool(format_of(data))


def format_of(data: bytes) -> str:
    """The name of the format whose mark a file has that begins so, or nothing."""
    return next((name for name, module in _formats().items() if module.sniff(data)), "")


def looks_like_tokenizer(path: str | os.PathLike[str]) -> bool:
    """Whether a file is one to be opened as a tokenizer, and not a text.

    Its first bytes tell it, whatever its name is; a name that texts do not have is enough, so that
    a damaged file is told to be one. Files that are never opened, such as pickles, count too: the
    reader says why.

    Raises
    ------
    OSError
        Only its content can tell, and it cannot be read.
    """
    from bpe_studio.formats.strict.refusals import is_unsafe

    if Path(path).suffix.lower() in _own_suffixes():
        return True
    head = _head(path)
    return is_tokenizer(head) or is_unsafe(head)


def format_of_file(path: str | os.PathLike[str]) -> str:
    """As `format_of`; OSError where the file cannot be read."""
    return format_of(_head(path))


def name_patterns() -> list[str]:
    """What the names of tokenizer files look like, for a dialog: ``["*.json", …]``."""
    versions = ["*.model.*"] if ".model" in _own_suffixes() else []
    return [*(f"*{suffix}" for suffix in _own_suffixes()), *versions, "merges.txt", "vocab.bpe"]


def _own_suffixes() -> list[str]:
    """The suffixes of all formats, but for those that texts have."""
    every = (suffix for module in _formats().values() for suffix in module.SUFFIXES)
    return [suffix for suffix in dict.fromkeys(every) if suffix != ".txt"]


def _head(path: str | os.PathLike[str]) -> bytes:
    with open_regular(path, follow_links=True) as file:
        return file.read(_HEAD_BYTES)


def save(tokenizer: Tokenizer, path: str | os.PathLike[str], format: str | None = None) -> Written:
    """Save a tokenizer, whole or not at all, and say what the format could not hold.

    Parameters
    ----------
    path : str or PathLike
        The pair of GPT-2 takes a folder too, or a path that ends in a slash: one that is made.
    format : str, optional
        A name in `WRITERS`. None takes what the suffix says, else the native one.

    Raises
    ------
    ValueError
        There is no such format, or it cannot hold this tokenizer.
    OSError
        The file cannot be written.
    """
    written = make(tokenizer, format_for(path) if format is None else format, path)
    store(written, path)
    return written


def make(tokenizer: Tokenizer, format: str, path: str | os.PathLike[str] | None = None) -> Written:
    """What a format makes of a tokenizer; nothing is saved yet. Raises as `save` does.

    Parameters
    ----------
    path : str or PathLike, optional
        Where it is to be saved, for the words of an error.
    """
    writers = _writers()
    if format not in writers:
        known = ", ".join(writers)
        raise ValueError(f"The format {format!r} cannot be written; it must be {known}.")
    try:
        written: Written = writers[format].write(tokenizer)
    except ValueError as error:
        raise ValueError(_refused(str(error), writers[format].TITLE, path)) from error
    return written


def _refused(reason: str, title: str, path: str | os.PathLike[str] | None) -> str:
    """Why nothing is saved, in a sentence that names the file and the format."""
    where = "The tokenizer" if path is None else f"{os.fspath(path)}: the tokenizer"
    first, _, rest = reason.partition(" ")
    first = first.lower() if first.isalpha() and first.istitle() else first
    return f"{where} cannot be saved as {title.partition(' (')[0]}: {first} {rest}"


def store(written: Written, path: str | os.PathLike[str]) -> None:
    """Save what `make` has made, each file whole or not at all."""
    found = places(written, path)
    if is_folder(path) and not found[0].parent.exists():
        check_savable(found[0].parent)  # in its words
        found[0].parent.mkdir()
    for place, data in zip(found, written.files.values(), strict=True):
        write_atomic(place, data)


def places(written: Written, path: str | os.PathLike[str]) -> list[Path]:
    """Where the files go, in their order; ValueError for a folder that takes none of them."""
    return written.places(path)


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


def _formats() -> dict[str, ModuleType]:
    from bpe_studio.formats import registry

    return registry.FORMATS


def _writers() -> dict[str, ModuleType]:
    from bpe_studio.formats import registry

    return registry.WRITERS

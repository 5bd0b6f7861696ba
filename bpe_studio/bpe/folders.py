"""Paths that somebody gave → the regular files in them, in an order of their own.

Folders are walked sorted by name, whatever order the file system lists them in. In them
hidden names (with a dot in front) are passed over, and links are not followed; links and
everything else that is no regular file are listed as problems. What somebody names is
read: a hidden file, and what a link leads to. Only names and sizes are looked at, so a
walk is cheap.
"""

from __future__ import annotations

import os
import stat
import sysconfig
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from bpe_studio.files import kind_of_file, reason_of

__all__ = [
    "Corpus",
    "CorpusFile",
    "Errors",
    "Found",
    "Problem",
    "find_files",
    "iter_found",
    "standard_library",
]

Errors = Literal["drop", "skip-file", "strict"]

_YIELD_EVERY = 256  # folder entries


@dataclass(frozen=True, slots=True)
class CorpusFile:
    """A file of a corpus.

    Attributes
    ----------
    path : Path
        Where it is.
    label : str
        Its path relative to the folder that was given, with `/`; a file that was itself
        given has its name only. Labels, not paths, go into a training record.
    size : int
        Bytes on disk when it was found.
    named : bool
        Whether somebody named this very file, so that it may be reached through a link.
    """

    path: Path
    label: str
    size: int
    named: bool = False


@dataclass(frozen=True, slots=True)
class Problem:
    """What was wrong with one file.

    Attributes
    ----------
    label : str
        The file.
    what : str
        What was found; a sentence without its full stop.
    outcome : str
        What was done about it, such as "left out"; may be empty.
    offset : int or None
        The place in bytes, where known.
    """

    label: str
    what: str
    outcome: str = ""
    offset: int | None = None

    @property
    def message(self) -> str:
        """Both, as one sentence."""
        return f"{self.what}; {self.outcome}." if self.outcome else f"{self.what}."


@dataclass(frozen=True, slots=True)
class Corpus:
    """The files to train on and how to read them.

    Attributes
    ----------
    files : tuple of CorpusFile
        In reading order.
    problems : tuple of Problem
        What was found and left out.
    text_key : str
        Key of the text in the rows of `.jsonl` files, and column of the text in `.parquet`.
    errors : {"drop", "skip-file", "strict"}
        What to do about invalid text: leave the bytes or the row out, leave the whole
        file out, or stop with an error.
    """

    files: tuple[CorpusFile, ...]
    problems: tuple[Problem, ...] = ()
    text_key: str = "text"
    errors: Errors = "drop"

    def __post_init__(self) -> None:
        if self.errors not in get_args(Errors):
            raise ValueError(f"errors is {self.errors!r}; it must be drop, skip-file or strict.")

    @property
    def total_bytes(self) -> int:
        """Bytes on disk of all files."""
        return sum(file.size for file in self.files)


@dataclass(frozen=True, slots=True)
class Found:
    """Running counts of a walk; the last one carries the corpus."""

    files: int
    bytes: int
    corpus: Corpus | None = None


def find_files(
    paths: Iterable[str | os.PathLike[str]], *, text_key: str = "text", errors: Errors = "drop"
) -> Corpus:
    """Find the files under `paths`.

    Raises
    ------
    OSError
        When a path in `paths` itself does not exist, cannot be read, or is no file or
        folder. (What goes wrong deeper down is listed in `Corpus.problems`.)
    """
    given = [Path(path) for path in paths]
    for path in given:
        trouble = _trouble_with(path)
        if trouble is not None:
            raise type(trouble)(f"{_printable(path)} cannot be read: {reason_of(trouble)}.")
    *_, found = iter_found(given, text_key=text_key, errors=errors)
    assert found.corpus is not None
    return found.corpus


def iter_found(
    paths: Iterable[str | os.PathLike[str]], *, text_key: str = "text", errors: Errors = "drop"
) -> Iterator[Found]:
    """Walk as `find_files` does, telling the counts on the way; never raises OSError."""
    files: list[CorpusFile] = []
    problems: list[Problem] = []
    size = seen = 0
    for path in map(Path, paths):
        for item in _walk(path):
            if isinstance(item, Problem):
                problems.append(item)
            elif isinstance(item, CorpusFile):
                files.append(item)
                size += item.size
            seen += 1
            if seen % _YIELD_EVERY == 0:
                yield Found(len(files), size)
    corpus = Corpus(tuple(files), tuple(problems), text_key, errors)
    yield Found(len(files), size, corpus)


def standard_library() -> Corpus:
    """The `.py` files of this Python's standard library: a real corpus on every machine."""
    root = Path(sysconfig.get_path("stdlib"))
    found = _walk(root, leave_out=frozenset({"site-packages", "dist-packages"}))
    python = (item for item in found if isinstance(item, CorpusFile))
    return Corpus(tuple(file for file in python if _is_library_source(file.label)))


def _is_library_source(label: str) -> bool:
    # What the build of this Python wrote is left out: it is full of the paths of one machine.
    return label.endswith(".py") and not label.startswith(("_sysconfigdata", "config-"))


def _trouble_with(path: Path) -> OSError | None:
    """Why a path that was given cannot be read; None where it can."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError as error:
        if not os.path.islink(path):
            return error
        target = _printable(os.path.realpath(path))
        return FileNotFoundError(f"it is a link to {target}, and there is no such file or folder")
    except OSError as error:
        return error
    except ValueError:  # a NUL in the name
        return OSError("it is no valid path")
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        return OSError(f"it is a {kind_of_file(mode)}, not a file or a folder")
    # Found out now, not after hours of reading what comes before.
    if not os.access(path, os.R_OK if stat.S_ISREG(mode) else os.R_OK | os.X_OK):
        return PermissionError("permission is denied")
    return None


def _walk(
    root: Path, *, leave_out: frozenset[str] = frozenset()
) -> Iterator[CorpusFile | Problem | None]:
    """Everything under one given path; None for a folder, so that the caller can count."""
    trouble = _trouble_with(root)
    if trouble is not None:
        yield Problem(_printable(root.name or root), _unread(trouble))
        return
    base = os.path.join(root, "")
    # A stack of paths to come, not recursion: folders may be nested deeper than frames.
    waiting = [str(root)]
    while waiting:
        path = waiting.pop()
        label = _printable(path[len(base) :].replace(os.sep, "/") or root.name or root)
        if label in leave_out:
            continue
        named = path == str(root)
        try:
            info = os.stat(path, follow_symlinks=named)
            if stat.S_ISDIR(info.st_mode):
                names = sorted(os.listdir(path), reverse=True)
                waiting.extend(os.path.join(path, name) for name in names if name[0] != ".")
                yield None
            else:
                yield _look_at(path, label, info, named)
        except OSError as error:
            yield Problem(label, _unread(error))


def _look_at(path: str, label: str, info: os.stat_result, named: bool) -> CorpusFile | Problem:
    if stat.S_ISREG(info.st_mode):
        return CorpusFile(Path(path), label, info.st_size, named)
    kind = kind_of_file(info.st_mode)
    return Problem(label, f"It is a {kind}, not a regular file", "left out")


def _unread(error: OSError) -> str:
    return f"It cannot be read: {reason_of(error)}"


def _printable(path: str | Path) -> str:
    """A name that can be saved as UTF-8 whatever bytes it is made of."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")

"""Texts named on the command line → a corpus; and its documents, with no losses.

Standard input, and a pipe that is named, are kept in a file of their own first, so that they
are read by the very rules of files.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import BinaryIO, NamedTuple

from bpe_studio.bpe.corpus import Block, Corpus, CorpusReport, Errors, find_files, read_blocks
from bpe_studio.bpe.documents import BINARY
from bpe_studio.bpe.parquet import is_parquet
from bpe_studio.bpe.patterns import Pattern
from bpe_studio.bpe.rows import is_rows
from bpe_studio.bpe.scanner import last_safe_cut
from bpe_studio.bpe.streams import without_compression
from bpe_studio.cli.run import complain
from bpe_studio.files import is_pipe, open_named, reason_of

__all__ = [
    "Run",
    "open_corpus",
    "open_strict_corpus",
    "read_documents",
    "read_runs",
    "read_strictly",
    "short_names",
    "standard_input",
]

_RUN_CHARACTERS = 1 << 20


@contextmanager
def open_corpus(
    names: Iterable[str], *, text_key: str | None = None, errors: Errors = "drop"
) -> Iterator[Corpus]:
    """The corpus of files and folders; `-` is standard input, one document called stdin.

    A file that is there twice is told on stderr, and so is a text key that no file needs.

    Raises
    ------
    OSError
        Something that was named cannot be read, or is a pipe.
    """
    listed = list(names)
    for name in listed:
        if is_pipe(name):
            raise OSError(f"{name} is a pipe; give it as standard input, which `-` stands for.")
    with _kept_streams(listed, text_key=text_key, errors=errors) as corpus:
        _tell_twice(corpus)
        yield corpus


@contextmanager
def open_strict_corpus(names: Iterable[str], *, text_key: str | None = None) -> Iterator[Corpus]:
    """As `open_corpus`, for ids and comparisons: pipes are read, and all must be text.

    Raises
    ------
    ValueError
        A folder holds what is no file.
    """
    with _kept_streams(list(names), text_key=text_key, errors="strict") as corpus:
        _refuse_problems(CorpusReport(list(corpus.problems)))
        yield corpus


def read_documents(names: Iterable[str], *, text_key: str | None = None) -> Iterator[str]:
    """The documents, one after another, each as a whole.

    Raises
    ------
    ValueError, OSError
        At anything that is no text: comparisons must stand for all that was named.
    """
    parts: list[str] = []
    with open_strict_corpus(names, text_key=text_key) as corpus:
        for block in read_strictly(corpus):
            parts.append(block.text)
            if block.last:
                yield "".join(parts)
                parts.clear()


def read_document(name: str, *, wanted: str, text_key: str | None = None) -> str:
    """The one document of a file, or of standard input (-).

    Parameters
    ----------
    wanted : who takes just one, for the error: "a lesson"

    Raises
    ------
    ValueError, OSError
        None or several; and as `read_documents`.
    """
    documents = list(islice(read_documents([name], text_key=text_key), 2))
    if len(documents) != 1:
        number = "more than one document" if documents else "no document"
        source = "standard input" if name == "-" else name
        raise ValueError(f"{source} holds {number}, and {wanted} takes one.")
    return documents[0]


def short_names(names: Sequence[str]) -> str:
    """The last parts of paths: where somebody keeps his files is nobody's business."""
    return ", ".join("stdin" if name == "-" else Path(name).resolve().name for name in names)


class Run(NamedTuple):
    """A part of a document that may be encoded by itself."""

    text: str
    first: bool
    last: bool
    bytes_read: int


def read_runs(corpus: Corpus, pattern: Pattern, *, whole: bool = False) -> Iterator[Run]:
    """The documents in runs of about a million characters, cut where no piece is.

    `whole` leaves documents whole; so do patterns that are not known to have such places.
    Raises as `read_documents` does.
    """
    waiting: list[str] = []
    length, wanted, first = 0, _RUN_CHARACTERS, True
    for block in read_strictly(corpus):
        waiting.append(block.text)
        length += len(block.text)
        if not block.last and (whole or pattern.safe_cut is None or length < wanted):
            continue
        text = "".join(waiting)
        cut = len(text) if block.last else last_safe_cut(pattern, text)
        waiting, length = [text[cut:]], len(text) - cut
        wanted = length + _RUN_CHARACTERS
        if cut or block.last:
            yield Run(text[:cut], first, block.last, block.bytes_read)
            first = block.last


def standard_input() -> BinaryIO:
    """Standard input in bytes; OSError where it is closed."""
    if sys.stdin is None:
        raise OSError("standard input is closed.")
    if sys.stdin.isatty():
        complain("reading standard input; Ctrl-D ends it.")
    return sys.stdin.buffer


def read_strictly(corpus: Corpus) -> Iterator[Block]:
    """The blocks of a corpus, as `read_documents` reads it."""
    report = CorpusReport()
    for block in read_blocks(corpus, report=report):
        _refuse_problems(report)
        yield block
    _refuse_problems(report)


def _refuse_problems(report: CorpusReport) -> None:
    for problem in report.problems:
        hint = (
            "; give text, as UTF-8 or UTF-16, without zero bytes" if problem.what == BINARY else ""
        )
        raise ValueError(f"{problem.label}: {problem.what}{hint}.")


@contextmanager
def _kept_streams(names: list[str], *, text_key: str | None, errors: Errors) -> Iterator[Corpus]:
    if names.count("-") > 1:
        raise ValueError("`-` is there twice, and standard input can be read only once.")
    streams = [name for name in names if name == "-" or is_pipe(name)]
    with ExitStack() as stack:
        kept: dict[str, Path] = {}
        for name in streams:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="bpe-studio-"))
            kept[name] = _place_for(name, Path(folder))
        paths = [kept.get(name, Path(name)) for name in names]
        # The other names are looked at before a stream is read, which may take long.
        find_files(paths, text_key=text_key or "text", errors=errors)
        for name, path in kept.items():
            _keep(name, path)
        corpus = find_files(paths, text_key=text_key or "text", errors=errors)
        labels = {path: "stdin" if name == "-" else name for name, path in kept.items()}
        files = [replace(f, label=labels.get(f.path, f.label)) for f in corpus.files]
        if text_key is not None and not any(
            is_rows(without_compression(file.path.name)) or is_parquet(file.path.name)
            for file in files
        ):
            complain(
                "--text-key changes nothing: no file here is called .jsonl, .ndjson or .parquet."
            )
        yield replace(corpus, files=tuple(files))


def _place_for(name: str, folder: Path) -> Path:
    """An empty file; the suffix of a pipe's own name tells how to read it."""
    path = folder / ("stdin" if name == "-" else os.path.basename(name))
    path.touch()
    return path


def _keep(name: str, path: Path) -> None:
    told = "standard input" if name == "-" else name
    stream = nullcontext(standard_input()) if name == "-" else open_named(name)
    with stream as source, path.open("wb") as file:
        while chunk := _read(source, told):
            try:
                file.write(chunk)
            except OSError as error:
                place = tempfile.gettempdir()
                raise OSError(f"{told} cannot be kept in {place}: {reason_of(error)}.") from error


def _read(stream: BinaryIO, told: str) -> bytes:
    try:
        return stream.read(1 << 20)
    except OSError as error:
        raise OSError(f"{told} cannot be read: {reason_of(error)}.") from error


def _tell_twice(corpus: Corpus) -> None:
    seen: set[str] = set()
    for file in corpus.files:
        path = os.path.realpath(file.path) if file.named else os.path.abspath(file.path)
        if path in seen:
            complain(f"{file.label} is there twice, and is read twice.")
        seen.add(path)

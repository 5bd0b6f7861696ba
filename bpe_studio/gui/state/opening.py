"""Tokenizer files on their way into the window: what each is, and how far it is read."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Signal

from bpe_studio.gui.job import Job

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

Kind = Literal["tokenizer", "text", "corpus"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A tokenizer that is to be opened.

    `path` is a file or a model folder. `pattern` is what the user has said of how a text is cut;
    `asks` says that the user is to be asked, should the file not tell it. `example` is the name of
    a table that comes with the program.
    """

    path: Path
    pattern: str = ""
    asks: bool = True
    example: str = ""


@dataclass(frozen=True, slots=True)
class Opened:
    """A tokenizer that was read; `file` and `format` are where Save may write it again."""

    wanted: Wanted
    tokenizer: Tokenizer
    file: Path
    format: str


def kind_of(path: Path) -> Kind:
    """What a path is to be opened as; a file that cannot be read is told by whoever reads it."""
    from bpe_studio import formats
    from bpe_studio.bpe.parquet import is_parquet

    if path.is_dir():
        return "tokenizer" if formats.find_in_folder(path) is not None else "corpus"
    if is_parquet(path.name):
        return "corpus"
    try:
        return "tokenizer" if formats.looks_like_tokenizer(path) else "text"
    except OSError:
        return "text"


def sort_out(paths: Iterable[Path]) -> Generator[int, None, list[tuple[Path, Kind]]]:
    """What each path is; yields how many are known."""
    found: list[tuple[Path, Kind]] = []
    for path in paths:
        found.append((path, kind_of(path)))
        yield len(found)
    return found


def read(wanted: Wanted) -> Generator[float, None, Opened]:
    """Read a tokenizer in a process of its own; yields how much is done.

    Raises
    ------
    PatternNeededError, ValueError, OSError
        As `formats.load`.
    """
    from bpe_studio import formats
    from bpe_studio.formats.apart.reading import read_apart

    path = wanted.path
    file = formats.find_in_folder(path) if path.is_dir() else path
    tokenizer = yield from read_apart(path, pattern=wanted.pattern or None)
    return Opened(wanted, tokenizer, file or path, formats.format_of_file(file or path))


class Opening(QObject):
    """Reads tokenizers one after another, in the order in which they were asked for.

    Signals
    -------
    changed()
        Another one is being read, more of it, or none.
    runningChanged()
        Something is being read now, or nothing any more.
    opened(object)
        An `Opened`.
    patternNeeded(object, str)
        This `Wanted` cannot be read before the user says how a text is cut; the reader's sentence.
    failed(str, object)
        A `Wanted` could not be read; the sentence says why.
    cancelled(object)
        This `Wanted` was given up before it was read.
    """

    changed = Signal()
    runningChanged = Signal()
    opened = Signal(object)
    patternNeeded = Signal(object, str)
    failed = Signal(str, object)
    cancelled = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: deque[Wanted] = deque()
        self._current: Wanted | None = None
        self._job: Job | None = None
        self._share = 0.0

    @property
    def running(self) -> bool:
        """Whether something is being read."""
        return self._current is not None

    @property
    def name(self) -> str:
        """The name of what is being read."""
        return "" if self._current is None else self._current.path.name

    @property
    def share(self) -> float:
        """How much of it is done, from 0 to 1; 0 as long as nobody knows."""
        return self._share

    @property
    def waiting(self) -> int:
        """How many come after it."""
        return len(self._waiting)

    def open(self, wanted: Wanted) -> None:
        """Read a tokenizer, when those asked for before are read."""
        if wanted != self._current and wanted not in self._waiting:
            self._waiting.append(wanted)
            self._next()

    def cancel(self) -> None:
        """Read nothing more; what is being read is given up."""
        self._waiting.clear()
        if self._job is not None:
            self._job.cancel()
            self.cancelled.emit(self._current)

    def _next(self) -> None:
        if self._current is not None or not self._waiting:
            return
        self._current, self._share = self._waiting.popleft(), 0.0
        job = self._job = Job(read(self._current), self)
        job.yielded.connect(self._on_share)
        job.finished.connect(self.opened)
        job.failed.connect(self._on_failed)
        job.ended.connect(self._on_ended)
        self.changed.emit()
        self.runningChanged.emit()

    def _on_share(self, shares: list[float]) -> None:
        if round(100 * shares[-1]) != round(100 * self._share):
            self._share = shares[-1]
            self.changed.emit()

    def _on_failed(self, sentence: str) -> None:
        from bpe_studio.formats import PatternNeededError

        if isinstance(self._job.error, PatternNeededError) and self._current.asks:
            self.patternNeeded.emit(self._current, sentence)
        else:
            self.failed.emit(sentence, self._current)

    def _on_ended(self) -> None:
        self._job.deleteLater()
        self._job = self._current = None
        self.changed.emit()
        self.runningChanged.emit()
        self._next()

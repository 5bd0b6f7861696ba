"""The files and folders to train on, counted before anything runs."""

from __future__ import annotations

import sysconfig
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from bpe_studio.gui.job import Job

if TYPE_CHECKING:
    from bpe_studio.bpe.corpus import Corpus


def standard_library() -> Path:
    """The folder of this Python's standard library: a real corpus that is on every machine."""
    return Path(sysconfig.get_path("stdlib"))


def look(paths: tuple[Path, ...], text_key: str, errors: str) -> Generator[Any, None, Corpus]:
    """Find the files of a corpus; yields how far it is, returns the corpus."""
    from bpe_studio.bpe.corpus import Corpus, iter_found

    found = None
    for step in iter_found(paths, text_key=text_key, errors=errors):
        found = step
        yield step
    corpus = getattr(found, "corpus", found)
    return corpus if corpus is not None else Corpus(files=(), problems=())


class CorpusState(QObject):
    """The roots that were added, and the `Corpus` that was found in them.

    `corpus` is None while it is being looked for and when nothing was added.

    Signals
    -------
    changed()
        Roots were added or removed, or the corpus was found.
    looking(int, int)
        Files and bytes found so far, while folders are walked.
    failed(str)
        The corpus could not be looked at.
    """

    changed = Signal()
    looking = Signal(int, object)
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._roots: list[Path] = []
        self._corpus: Corpus | None = None
        self._job: Job | None = None
        self._reading = ("text", "drop")

    @property
    def roots(self) -> tuple[Path, ...]:
        """The files and folders that were added, in order."""
        return tuple(self._roots)

    @property
    def corpus(self) -> Corpus | None:
        """What was found, or None as long as that is not known."""
        return self._corpus

    @property
    def is_looking(self) -> bool:
        """Whether folders are being walked."""
        return self._job is not None

    def add(self, paths: Iterable[Path]) -> None:
        """Add files and folders; those already there are passed over."""
        new = [path for path in dict.fromkeys(paths) if path not in self._roots]
        if new:
            self._roots += new
            self._look()

    def remove(self, paths: Iterable[Path]) -> None:
        """Take files and folders out again."""
        gone = set(paths)
        if gone & set(self._roots):
            self._roots = [path for path in self._roots if path not in gone]
            self._look()

    def clear(self) -> None:
        """Take everything out."""
        self.remove(self.roots)

    def set_reading(self, *, text_key: str, errors: str) -> None:
        """How JSONL rows and wrong UTF-8 are read."""
        if (text_key, errors) != self._reading:
            self._reading = (text_key, errors)
            if self._roots:
                self._look()

    def close(self, milliseconds: int) -> None:
        """End the walk, if one is going on."""
        if self._job is not None:
            self._job.cancel()
            self._job.wait(milliseconds)

    def _look(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None
        self._corpus = None
        if self._roots:
            job = self._job = Job(look(self.roots, *self._reading), self)
            job.yielded.connect(lambda steps, job=job: self._stepped(job, steps[-1]))
            job.finished.connect(lambda corpus, job=job: self._found(job, corpus))
            job.failed.connect(lambda sentence, job=job: self._failed(job, sentence))
            job.ended.connect(job.deleteLater)
        self.changed.emit()

    def _stepped(self, job: Job, step: Any) -> None:
        if job is self._job:
            self.looking.emit(int(getattr(step, "files", 0)), int(getattr(step, "bytes", 0)))

    def _found(self, job: Job, corpus: Corpus) -> None:
        if job is self._job:
            self._job, self._corpus = None, corpus
            self.changed.emit()

    def _failed(self, job: Job, sentence: str) -> None:
        if job is self._job:
            self._job = None
            self.changed.emit()
            self.failed.emit(sentence)

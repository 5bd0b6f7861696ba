"""The files and folders to train on, counted before anything runs."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from bpe_studio.gui.job import Job

if TYPE_CHECKING:
    from bpe_studio.bpe.corpus import Corpus, Errors, Found


HOLD_OUT_BYTES = 1_000_000
HOLD_OUT_FILES = 50


def look(
    paths: tuple[Path, ...], *, sample: bool, text_key: str, errors: Errors
) -> Generator[Found, None, Corpus]:
    """Find the files of a corpus; yields how far it is, returns the corpus.

    `sample` adds this Python's standard library at the end.
    """
    from bpe_studio.bpe.corpus import Corpus, iter_found, standard_library

    corpus = Corpus((), (), text_key, errors)
    for found in iter_found(paths, text_key=text_key, errors=errors):
        corpus = found.corpus or corpus
        yield found
    if sample:
        corpus = replace(corpus, files=corpus.files + standard_library().files)
    return corpus


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
        self._sample = False
        self._text_key = "text"
        self._errors: Errors = "drop"

    @property
    def roots(self) -> tuple[Path, ...]:
        """The files and folders that were added, in order."""
        return tuple(self._roots)

    @property
    def has_standard_library(self) -> bool:
        """Whether this Python's standard library is part of the corpus."""
        return self._sample

    @property
    def is_empty(self) -> bool:
        """Whether nothing was added."""
        return not self._roots and not self._sample

    @property
    def name(self) -> str:
        """A short name for what is made from this corpus."""
        return self._roots[0].stem if self._roots else "stdlib" if self._sample else "table"

    @property
    def corpus(self) -> Corpus | None:
        """What was found, or None as long as that is not known."""
        return self._corpus

    @property
    def is_for_hold_out(self) -> bool:
        """Whether it is large, and of so many documents that a small share of them is some."""
        corpus = self._corpus
        if corpus is None or corpus.total_bytes < HOLD_OUT_BYTES:
            return False
        from bpe_studio.bpe.corpus import holds_rows

        return len(corpus.files) >= HOLD_OUT_FILES or any(map(holds_rows, corpus.files))

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

    def use_standard_library(self, used: bool = True) -> None:
        """Add this Python's standard library, or take it out again."""
        if used != self._sample:
            self._sample = used
            self._look()

    def clear(self) -> None:
        """Take everything out."""
        self._roots, self._sample = [], False
        self._look()

    def set_reading(self, *, text_key: str, errors: Errors) -> None:
        """How JSONL rows and invalid text are read."""
        if (text_key, errors) != (self._text_key, self._errors):
            self._text_key, self._errors = text_key, errors
            self._look()

    def close(self, milliseconds: int) -> None:
        """End the walk, if one is going on."""
        if self._job is not None:
            self._job.cancel()
            self._job.wait(milliseconds)

    def _look(self) -> None:
        self._drop_job()
        self._corpus = None
        if not self.is_empty:
            steps = look(
                self.roots, sample=self._sample, text_key=self._text_key, errors=self._errors
            )
            job = self._job = Job(steps, self)
            # Methods, not functions that hold self: deleting the job must not delete its owner.
            job.yielded.connect(self._stepped)
            job.finished.connect(self._found)
            job.failed.connect(self._failed)
            job.ended.connect(job.deleteLater)
        self.changed.emit()

    def _drop_job(self) -> None:
        job, self._job = self._job, None
        if job is not None:
            for signal in (job.yielded, job.finished, job.failed):
                signal.disconnect()
            job.cancel()

    def _stepped(self, steps: list[Found]) -> None:
        self.looking.emit(steps[-1].files, steps[-1].bytes)

    def _found(self, corpus: Corpus) -> None:
        self._job, self._corpus = None, corpus
        self.changed.emit()

    def _failed(self, sentence: str) -> None:
        self._job = None
        self.changed.emit()
        self.failed.emit(sentence)

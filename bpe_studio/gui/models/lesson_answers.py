"""What the pages of a lesson ask of a table, answered on a worker thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from bpe_studio.analysis.traps import Trap, find_trap
from bpe_studio.analysis.units import SideBySide, side_by_side
from bpe_studio.gui.job import Job

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

WAIT_SECONDS = 0.05
Steps = Generator[None, None, Any]


class LessonAnswers(QObject):
    """One question at a time; a new one ends the one before.

    Signals
    -------
    units(object)
        A `SideBySide`.
    trap(object)
        A `Trap`.
    failed(str)
        Why there is no answer.
    """

    units = Signal(object)
    trap = Signal(object)
    failed = Signal(str)

    def __init__(
        self, *, ready: threading.Event | None = None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._kernels_ready = ready
        self._job: Job | None = None

    @property
    def busy(self) -> bool:
        """Whether an answer is on its way."""
        return self._job is not None

    def ask_units(self, tokenizer: Tokenizer, text: str, word: str) -> None:
        """Ask for units side by side; with no word, for one that the text lacks."""
        self._ask(self._waited(lambda: _units(tokenizer, text, word)), self.units)

    def ask_trap(self, tokenizer: Tokenizer, text: str, key: str) -> None:
        """Ask for a trap by its name."""
        self._ask(self._waited(lambda: _trap(tokenizer, text, key)), self.trap)

    def cancel(self) -> None:
        """End what runs; its answer is not told."""
        if self._job is not None:
            job, self._job = self._job, None
            job.cancel()

    def _waited(self, answer: Callable[[], Any]) -> Steps:
        while self._kernels_ready is not None and not self._kernels_ready.wait(WAIT_SECONDS):
            yield
        return answer()

    def _ask(self, steps: Steps, signal: Any) -> None:
        self.cancel()
        job = self._job = Job(steps, self)
        job.finished.connect(lambda answer: signal.emit(answer) if job is self._job else None)
        job.failed.connect(lambda words: self.failed.emit(words) if job is self._job else None)
        job.ended.connect(lambda: self._on_ended(job))

    def _on_ended(self, job: Job) -> None:
        if job is self._job:
            self._job = None
        job.deleteLater()


def _units(tokenizer: Tokenizer, text: str, word: str) -> SideBySide:
    return side_by_side(tokenizer, text, word.strip() or None)


def _trap(tokenizer: Tokenizer, text: str, key: str) -> Trap:
    return find_trap(key, tokenizer, text)

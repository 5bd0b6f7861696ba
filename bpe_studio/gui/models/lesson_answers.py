"""What the pages of a lesson ask of a table, answered on a worker thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from bpe_studio.analysis.traps import find_trap
from bpe_studio.analysis.units import side_by_side
from bpe_studio.gui.job import Job

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

WAIT_SECONDS = 0.05
Steps = Generator[None, None, Any]
Question = tuple[Steps, Any]  # and the signal that tells the answer


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
        self._asked: Question | None = None
        self._next: Question | None = None

    @property
    def busy(self) -> bool:
        """Whether an answer is on its way."""
        return self._job is not None

    @property
    def waits_for_kernels(self) -> bool:
        """Whether no answer can come yet."""
        return self._kernels_ready is not None and not self._kernels_ready.is_set()

    def ask_units(self, tokenizer: Tokenizer, text: str, word: str) -> None:
        """Ask for units side by side; with no word, for one that the text lacks."""
        steps = _waited(self._kernels_ready, side_by_side, tokenizer, text, word.strip() or None)
        self._ask(steps, self.units)

    def ask_trap(self, tokenizer: Tokenizer, text: str, key: str) -> None:
        """Ask for a trap by its name."""
        self._ask(_waited(self._kernels_ready, find_trap, key, tokenizer, text), self.trap)

    def cancel(self) -> None:
        """End what runs; its answer is not told."""
        self._next = None
        if self._job is not None:
            self._job.cancel()

    def _ask(self, steps: Steps, signal: Any) -> None:
        self.cancel()
        self._next = (steps, signal)
        if self._job is None:
            self._start()

    def _start(self) -> None:
        self._asked, self._next = self._next, None
        if self._asked is not None:
            self._job = Job(self._asked[0], self)
            self._job.finished.connect(self._on_finished)
            self._job.failed.connect(self.failed)
            self._job.ended.connect(self._on_ended)

    def _on_finished(self, answer: object) -> None:
        if self._asked is not None:
            self._asked[1].emit(answer)

    def _on_ended(self) -> None:
        if self._job is not None:
            self._job.deleteLater()
        self._job = None
        self._start()


def _waited(ready: threading.Event | None, answer: Callable[..., Any], *arguments: Any) -> Steps:
    """The answer, once the kernels are there. The thread that runs this may hold no Qt object."""
    while ready is not None and not ready.wait(WAIT_SECONDS):
        yield
    return answer(*arguments)

"""One question at a time, answered on a worker thread: the newest wins."""

from __future__ import annotations

import threading
from collections.abc import Generator
from typing import Any

from PySide6.QtCore import QObject, Signal

from bpe_studio.gui.job import Job, once_ready

Steps = Generator[Any, None, Any]


class Newest(QObject):
    """Runs the steps that find an answer; a newer question ends the one before.

    The steps begin when `ready` is set; the thread that runs them may hold no Qt object.

    Signals
    -------
    answered(object, object)
        The newest question, and its answer.
    failed(object, str)
        The newest question, and why it has no answer.
    """

    answered = Signal(object, object)
    failed = Signal(object, str)

    def __init__(
        self, *, ready: threading.Event | None = None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._ready = ready
        self._job: Job | None = None
        self._wanted: tuple[object, Steps] | None = None
        self._running: tuple[object, Steps] | None = None

    @property
    def question(self) -> Any:
        """What is to be answered; None where nothing is."""
        return None if self._wanted is None else self._wanted[0]

    def ask(self, question: object, steps: Steps) -> None:
        """Ask; what was asked before is given up."""
        self._wanted = (question, steps)
        if self._job is None:
            self._start()
        else:
            self._job.cancel()

    def forget(self) -> None:
        """Want nothing any more."""
        self._wanted = None
        if self._job is not None:
            self._job.cancel()

    def _start(self) -> None:
        self._running = self._wanted
        if self._running is not None:
            self._job = Job(once_ready(self._ready, self._running[1]), self)
            self._job.finished.connect(self._on_finished)
            self._job.failed.connect(self._on_failed)
            self._job.ended.connect(self._on_ended)

    def _on_finished(self, answer: object) -> None:
        if self._running is not None and self._running is self._wanted:
            self._wanted = None
            self.answered.emit(self._running[0], answer)

    def _on_failed(self, sentence: str) -> None:
        if self._running is not None and self._running is self._wanted:
            self._wanted = None
            self.failed.emit(self._running[0], sentence)

    def _on_ended(self) -> None:
        if self._job is not None:
            self._job.deleteLater()
        if self._running is self._wanted:  # somebody else has cancelled it, as a window that closes
            self._wanted = None  # its steps are closed, and would give None for an answer
        self._job = self._running = None
        self._start()

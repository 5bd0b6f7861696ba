"""One long pass at a time, on a worker thread: a check of a table, a comparison."""

from __future__ import annotations

import threading
import time
from collections.abc import Generator
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from bpe_studio.gui.job import Job, once_ready
from bpe_studio.gui.models.pass_progress import COMPILING, PassPace, PassStep

PATIENCE_MS = 50
MOST_LEFT_OVER = 3


class PassRunner(QObject):
    """Runs passes; each belongs to the subject that it was asked for, whatever is chosen later.

    Signals
    -------
    stepped(object)
        The `PassStep` that it has come to, at most 30 times a second.
    found(object, object)
        The subject, such as an `OpenTable`, and what was found.
    failed(object, str)
        The subject whose pass failed, and why in a sentence.
    ended()
        After each of the two, and after it was cancelled.
    """

    stepped = Signal(object)
    found = Signal(object, object)
    failed = Signal(object, str)
    ended = Signal()

    def __init__(
        self, *, ready: threading.Event | None = None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._kernels_ready = ready
        self._job: Job | None = None
        self._left_over = 0
        self._subject: Any = None
        self.pace = PassPace()
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(PATIENCE_MS)
        self._patience.timeout.connect(self._let_go)

    @property
    def running(self) -> bool:
        """Whether a pass goes on."""
        return self._job is not None

    @property
    def subject(self) -> Any:
        """What the pass is about; None where none goes on."""
        return self._subject

    def run(self, subject: object, steps: Generator[PassStep, None, Any]) -> None:
        """Begin a pass; one that runs is given up for it only by `cancel`."""
        if self._job is not None:
            return
        self._subject, self.pace = subject, PassPace()
        job = self._job = Job(once_ready(self._kernels_ready, steps, meanwhile=COMPILING), self)
        job.yielded.connect(self._step)
        job.then(self._done)
        job.otherwise(self._fail)
        job.ended.connect(self._end)

    def cancel(self) -> None:
        """Give up the pass that runs; its end is told within 100 ms.

        A text that a tokenizer edits is encoded whole, for seconds where it is long: nobody waits
        for that. It ends on its own; only a fourth one meanwhile is waited for.
        """
        if self._job is not None:
            self._job.cancel()
            self._patience.start()

    def _let_go(self) -> None:
        job = self._job
        if job is None or self._left_over == MOST_LEFT_OVER:
            return
        job.ended.disconnect(self._end)
        job.ended.connect(self._on_run_out)
        job.ended.connect(job.deleteLater)
        self._left_over += 1
        self._tell_end()

    def _on_run_out(self) -> None:
        self._left_over -= 1

    def _step(self, steps: list[PassStep]) -> None:
        now = time.monotonic()
        self.pace.note(steps[-1], now)
        self.stepped.emit(steps[-1])

    def _done(self, found: object) -> None:
        self.found.emit(self._subject, found)

    def _fail(self, sentence: str) -> None:
        self.failed.emit(self._subject, sentence)

    def _end(self) -> None:
        if self._job is not None:
            self._job.deleteLater()
        self._tell_end()

    def _tell_end(self) -> None:
        self._patience.stop()
        self._job = self._subject = None
        self.ended.emit()

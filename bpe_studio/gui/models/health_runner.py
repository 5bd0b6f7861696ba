"""One health check at a time, on a worker thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Generator

from PySide6.QtCore import QObject, QTimer, Signal

from bpe_studio.gui.job import Job, once_ready
from bpe_studio.gui.models.health_check import Checked
from bpe_studio.gui.models.health_progress import COMPILING, CheckPace, HealthStep
from bpe_studio.gui.state.open_tables import OpenTable

PATIENCE_MS = 50
MOST_LEFT_OVER = 3


class HealthRunner(QObject):
    """Runs checks; each belongs to the table that it was asked for, whatever is current later.

    Signals
    -------
    stepped(object)
        The `HealthStep` that it has come to, at most 30 times a second.
    checked(object, object)
        The `OpenTable` and what was found in it, a `Checked`.
    failed(object, str)
        The `OpenTable` whose check failed, and why in a sentence.
    ended()
        After each of the two, and after it was cancelled.
    """

    stepped = Signal(object)
    checked = Signal(object, object)
    failed = Signal(object, str)
    ended = Signal()

    def __init__(
        self, *, ready: threading.Event | None = None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._kernels_ready = ready
        self._job: Job | None = None
        self._left_over = 0
        self._table: OpenTable | None = None
        self.pace = CheckPace()
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(PATIENCE_MS)
        self._patience.timeout.connect(self._let_go)

    @property
    def running(self) -> bool:
        """Whether something is being checked."""
        return self._job is not None

    @property
    def table(self) -> OpenTable | None:
        """The table that is being checked."""
        return self._table

    def run(self, table: OpenTable, steps: Generator[HealthStep, None, Checked]) -> None:
        """Check a table; a check that runs is given up for it only by `cancel`."""
        if self._job is not None:
            return
        self._table, self.pace = table, CheckPace()
        job = self._job = Job(once_ready(self._kernels_ready, steps, meanwhile=COMPILING), self)
        job.yielded.connect(self._step)
        job.then(self._done)
        job.otherwise(self._fail)
        job.ended.connect(self._end)

    def cancel(self) -> None:
        """Give up what is being checked; its end is told within 100 ms.

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

    def _step(self, steps: list[HealthStep]) -> None:
        now = time.monotonic()
        self.pace.note(steps[-1], now)
        self.stepped.emit(steps[-1])

    def _done(self, found: Checked) -> None:
        self.checked.emit(self._table, found)

    def _fail(self, sentence: str) -> None:
        self.failed.emit(self._table, sentence)

    def _end(self) -> None:
        if self._job is not None:
            self._job.deleteLater()
        self._tell_end()

    def _tell_end(self) -> None:
        self._patience.stop()
        self._job = self._table = None
        self.ended.emit()

"""Sets a text under two tables in a job, again and again as either of the three changes."""

from __future__ import annotations

import threading
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

from bpe_studio.gui.job import Job, once_ready
from bpe_studio.gui.models.compare_question import Question, same_matter
from bpe_studio.gui.models.text_pair import TextPair, compare_texts

WAIT_MS = 200


class PairComparing(QObject):
    """Answers the question as it is by then; one job runs at a time.

    A newer tokenizer of a table that learns does not end a job: none would ever finish.

    Signals
    -------
    waiting(float)
        Nothing that is known holds; a comparison is so far, from 0 to 1.
    found(object)
        The `TextPair` of `answered`.
    failed(str)
        There is no answer to what was asked; why.
    runningChanged()
        A comparison has begun or ended.
    """

    waiting = Signal(float)
    found = Signal(object)
    failed = Signal(str)
    runningChanged = Signal()

    def __init__(
        self,
        question: Callable[[], Question | None],
        *,
        ready: threading.Event | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._question = question
        self._kernels_ready = ready
        self._job: Job | None = None
        self._asked: Question | None = None
        self.answered: Question | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(WAIT_MS)
        self._timer.timeout.connect(self._compare)

    @property
    def running(self) -> bool:
        """Whether a comparison is being made."""
        return self._job is not None

    def stop(self) -> bool:
        """End what runs and do not begin it again; False where nothing does."""
        if self._job is None:
            return False
        self._job.cancel()
        self.answered = self._asked
        return True

    def drop_stale(self) -> bool:
        """Forget what nobody asks any more; whether what was known is among it."""
        wanted = self._question()
        if self._job is not None and not same_matter(self._asked, wanted):
            self._job.cancel()
        stale = self.answered is not None and not same_matter(self.answered, wanted)
        if stale:
            self.answered = None
        return stale

    def look(self, *, at_once: bool = False) -> None:
        """Look in a moment whether there is something to compare."""
        if at_once:
            self._timer.start(0)
        elif not self._timer.isActive():
            self._timer.start(WAIT_MS)

    def rest(self) -> None:
        """Begin nothing; nobody looks."""
        self._timer.stop()

    def _compare(self) -> None:
        wanted = self._question()
        if wanted is None or self._job is not None or wanted == self.answered:
            return
        self._asked = wanted
        if self.answered is None:
            self.waiting.emit(0.0)
        steps = compare_texts(wanted.a, wanted.b, wanted.text)
        self._job = Job(once_ready(self._kernels_ready, steps, meanwhile=0.0), self)
        self._job.yielded.connect(self._tell_share)
        self._job.finished.connect(self._on_finished)
        self._job.failed.connect(self._on_failed)
        self._job.ended.connect(self._on_ended)
        self.runningChanged.emit()

    def _tell_share(self, shares: list[float]) -> None:
        if self.answered is None:
            self.waiting.emit(shares[-1])

    def _on_finished(self, pair: TextPair) -> None:
        if same_matter(self._asked, self._question()):
            self.answered = self._asked
            self.found.emit(pair)

    def _on_failed(self, sentence: str) -> None:
        self.answered = self._asked
        self.failed.emit(sentence)

    def _on_ended(self) -> None:
        if self._job is not None:
            self._job.deleteLater()
        self._job = None
        self.runningChanged.emit()
        if self._question() not in (None, self._asked):
            self.look()

"""Tokenizing as one types: the newest request wins, and answers to old ones are dropped."""

from __future__ import annotations

import threading
from collections.abc import Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from bpe_studio.gui.job import Job, once_ready
from bpe_studio.gui.models.relayout import lay_out_after
from bpe_studio.gui.models.stepwise import lay_out_in_steps
from bpe_studio.gui.models.token_layout import TokenLayout

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

DELAY_MS = 10


@dataclass(frozen=True, slots=True, eq=False)
class Request:
    """What is to be encoded; `source` is the open table that the tokenizer is of."""

    tokenizer: Tokenizer
    text: str
    source: object


class LayoutWorker(QObject):
    """Turns (tokenizer, text) into a `TokenLayout` on a worker thread.

    A request waits a moment for the next one; one job runs at a time. After an edit only what it
    touched is encoded again. A library outside cannot be stopped: of what it does for nobody any
    more one thread runs out while the next request is answered.
    `ready` is set once the kernels are compiled: compiling them on a thread of the window would
    make it late. `answered` is the tokenizer of the last answer. While a table learns it may get a
    newer tokenizer before a long text is encoded: the answer of its older one is given then, and
    the newer one's follows.

    Signals
    -------
    ready(object)
        The `TokenLayout` of the last request, or of the same text by an older tokenizer of the
        same source.
    failed(str)
        The last request cannot be encoded; why, in a sentence.
    """

    ready = Signal(object)
    failed = Signal(str)

    def __init__(
        self, *, ready: threading.Event | None = None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.answered: Tokenizer | None = None
        self._kernels_ready = ready
        self._wanted: Request | None = None
        self._running: Request | None = None
        self._job: Job | None = None
        self._left_over: Job | None = None
        self._before: tuple[Tokenizer, TokenLayout] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._start)

    @property
    def busy(self) -> bool:
        """Whether an answer is still to come."""
        return self._wanted is not None

    def request(self, tokenizer: Tokenizer, text: str, *, source: object = None) -> None:
        """Ask for the tokens of a text; whatever was asked before is forgotten.

        With a `source`, an answer on its way to the same text and source is still given.
        """
        self._wanted = Request(tokenizer, text, source)
        if self._job is not None and not self._still_useful():
            self._give_up()
        self._timer.start(DELAY_MS)

    def forget(self) -> None:
        """Want nothing any more; an answer on its way is dropped."""
        self._wanted = self._before = None
        self._timer.stop()
        if self._job is not None:
            self._give_up()

    def _give_up(self) -> None:
        """Cancel the job; where that cannot end it, do not wait for it."""
        job, running = self._job, self._running
        assert job is not None and running is not None
        job.cancel()
        if running.tokenizer.outside is None or self._left_over is not None:
            return
        for signal in (job.finished, job.failed, job.ended):
            signal.disconnect()
        job.ended.connect(self._on_run_out)
        self._left_over, self._job, self._running = job, None, None

    def _on_run_out(self) -> None:
        if self._left_over is not None:
            self._left_over.deleteLater()
        self._left_over = None

    def _start(self) -> None:
        if self._job is not None or self._wanted is None:
            return  # the end of the running job looks again
        self._running = self._wanted
        outside = self._running.tokenizer.outside is not None  # a library needs no kernels
        steps = _laid_out(self._running, self._before)
        self._job = Job(once_ready(None if outside else self._kernels_ready, steps), self)
        self._job.finished.connect(self._on_finished)
        self._job.failed.connect(self._on_failed)
        self._job.ended.connect(self._on_ended)

    def _on_finished(self, layout: TokenLayout) -> None:
        last = self._answers_last()
        if self._running is None or not (last or self._still_useful()):
            return
        self.answered = self._running.tokenizer
        self._before = (self.answered, layout)
        if last:
            self._wanted = None
        self.ready.emit(layout)

    def _on_failed(self, sentence: str) -> None:
        if self._answers_last():
            self._wanted = None
            self.failed.emit(sentence)

    def _on_ended(self) -> None:
        if self._job is not None:
            self._job.deleteLater()
        self._job = self._running = None
        if self._wanted is not None and not self._timer.isActive():
            self._start()

    def _answers_last(self) -> bool:
        return self._running is self._wanted

    def _still_useful(self) -> bool:
        running, wanted = self._running, self._wanted
        if running is None or wanted is None or wanted.source is None:
            return False
        return running.source is wanted.source and running.text == wanted.text


def _laid_out(
    request: Request, before: tuple[Tokenizer, TokenLayout] | None
) -> Generator[float, None, TokenLayout]:
    if before is not None and before[0] is request.tokenizer:
        found = lay_out_after(request.tokenizer, before[1], request.text)
        if found is not None:
            return found
    return (yield from lay_out_in_steps(request.tokenizer, request.text))

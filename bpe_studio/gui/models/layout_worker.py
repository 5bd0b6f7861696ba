"""Tokenizing as one types: the newest request wins, and answers to old ones are dropped."""

from __future__ import annotations

import threading
from collections.abc import Generator
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from bpe_studio.gui.job import Job
from bpe_studio.gui.models.token_layout import TokenLayout, lay_out

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

DELAY_MS = 10
WAIT_SECONDS = 0.05


class LayoutWorker(QObject):
    """Turns (tokenizer, text) into a `TokenLayout` on a worker thread.

    A request waits a moment for the next one; one job runs at a time.
    `ready` is set once the kernels are compiled: compiling them on a thread of the window would
    make it late. `answered` is the tokenizer of the last answer.

    Signals
    -------
    ready(object)
        The `TokenLayout` of the last request.
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
        self._wanted: tuple[Tokenizer, str] | None = None
        self._running: tuple[Tokenizer, str] | None = None
        self._job: Job | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._start)

    @property
    def busy(self) -> bool:
        """Whether an answer is still to come."""
        return self._wanted is not None

    def request(self, tokenizer: Tokenizer, text: str) -> None:
        """Ask for the tokens of a text; whatever was asked before is forgotten."""
        self._wanted = (tokenizer, text)
        self._timer.start(DELAY_MS)

    def forget(self) -> None:
        """Want nothing any more; an answer on its way is dropped."""
        self._wanted = None
        self._timer.stop()

    def _start(self) -> None:
        if self._job is not None or self._wanted is None:
            return  # the end of the running job looks again
        self._running = self._wanted
        self._job = Job(_laid_out(self._kernels_ready, *self._running), self)
        self._job.finished.connect(self._on_finished)
        self._job.failed.connect(self._on_failed)
        self._job.ended.connect(self._on_ended)

    def _on_finished(self, layout: TokenLayout) -> None:
        if self._answers_last():
            self.answered = self._wanted[0]
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


def _laid_out(
    ready: threading.Event | None, tokenizer: Tokenizer, text: str
) -> Generator[None, None, TokenLayout]:
    while ready is not None and not ready.wait(WAIT_SECONDS):
        yield
    return lay_out(tokenizer, text)

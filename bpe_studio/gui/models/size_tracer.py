"""Tracing the text for the vocabulary slider: one job at a time, and the newest request wins."""

from __future__ import annotations

import threading
from collections.abc import Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from bpe_studio.gui.job import Job
from bpe_studio.gui.models.text_at_sizes import TextAtSizes, iter_text_at_sizes

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

WAIT_SECONDS = 0.05


@dataclass(frozen=True, slots=True, eq=False)
class _Request:
    tokenizer: Tokenizer
    text: str

    def is_for(self, tokenizer: Tokenizer, text: str) -> bool:
        """Whether it asks for this; texts are compared by what they are, which is fast."""
        return self.tokenizer is tokenizer and self.text == text


class SizeTracer(QObject):
    """Turns (tokenizer, text) into a `TextAtSizes` on a worker thread.

    `ready` is set once the kernels are compiled.

    Signals
    -------
    traced(object)
        The `TextAtSizes` of the last request.
    failed(str)
        The last request cannot be traced; why, in a sentence.
    """

    traced = Signal(object)
    failed = Signal(str)

    def __init__(
        self, *, ready: threading.Event | None = None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._kernels_ready = ready
        self._wanted: _Request | None = None
        self._running: _Request | None = None
        self._job: Job | None = None
        self._answer: TextAtSizes | None = None

    @property
    def busy(self) -> bool:
        """Whether an answer is still to come."""
        return self._wanted is not None

    def answer(self, tokenizer: Tokenizer, text: str) -> TextAtSizes | None:
        """What is known of this text under this tokenizer."""
        found = self._answer
        if found is None or found.tokenizer is not tokenizer or found.text != text:
            return None
        return found

    def request(self, tokenizer: Tokenizer, text: str) -> None:
        """Ask for a text; what was asked before, and is another, is given up."""
        if self._wanted is not None and self._wanted.is_for(tokenizer, text):
            return
        self._wanted = _Request(tokenizer, text)
        self._answer = None  # its memory is needed
        if self._job is None:
            self._start()
        else:
            self._job.cancel()

    def forget(self) -> None:
        """Want nothing any more."""
        self._wanted = self._answer = None
        if self._job is not None:
            self._job.cancel()

    def _start(self) -> None:
        self._running = self._wanted
        self._job = Job(_traced(self._kernels_ready, self._running), self)
        self._job.finished.connect(self._on_finished)
        self._job.failed.connect(self._on_failed)
        self._job.ended.connect(self._on_ended)

    def _on_finished(self, found: TextAtSizes) -> None:
        if self._running is self._wanted:
            self._wanted = None
            self._answer = found
            self.traced.emit(found)

    def _on_failed(self, sentence: str) -> None:
        if self._running is self._wanted:
            self._wanted = None
            self.failed.emit(sentence)

    def _on_ended(self) -> None:
        if self._job is not None:
            self._job.deleteLater()
        self._job = self._running = None
        if self._wanted is not None:
            self._start()


def _traced(ready: threading.Event | None, request: _Request) -> Generator[None, None, TextAtSizes]:
    while ready is not None and not ready.wait(WAIT_SECONDS):
        yield
    return (yield from iter_text_at_sizes(request.tokenizer, request.text))

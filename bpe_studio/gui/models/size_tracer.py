"""Tracing the text for the vocabulary slider: one job at a time, and the newest request wins."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from bpe_studio.gui.models.newest import Newest
from bpe_studio.gui.models.text_at_sizes import TextAtSizes, iter_text_at_sizes

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

_Question = tuple["Tokenizer", str]


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
        self._newest = Newest(ready=ready, parent=self)
        self._newest.answered.connect(self._on_answered)
        self._newest.failed.connect(self._on_failed)
        self._answer: TextAtSizes | None = None

    @property
    def busy(self) -> bool:
        """Whether an answer is still to come."""
        return self._newest.question is not None

    def answer(self, tokenizer: Tokenizer, text: str) -> TextAtSizes | None:
        """What is known of this text under this tokenizer."""
        found = self._answer
        if found is None or found.tokenizer is not tokenizer or found.text != text:
            return None
        return found

    def request(self, tokenizer: Tokenizer, text: str) -> None:
        """Ask for a text; what was asked before, and is another, is given up."""
        wanted: _Question | None = self._newest.question
        if wanted is not None and wanted[0] is tokenizer and wanted[1] == text:
            return
        self._answer = None  # its memory is needed
        self._newest.ask((tokenizer, text), iter_text_at_sizes(tokenizer, text))

    def forget(self) -> None:
        """Want nothing any more."""
        self._answer = None
        self._newest.forget()

    def _on_answered(self, _: _Question, found: TextAtSizes) -> None:
        self._answer = found
        self.traced.emit(found)

    def _on_failed(self, _: _Question, sentence: str) -> None:
        self.failed.emit(sentence)

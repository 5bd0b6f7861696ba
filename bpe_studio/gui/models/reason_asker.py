"""Asks why two tables differ: of the difference that is chosen, and of all of them."""

from __future__ import annotations

import threading
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from bpe_studio.analysis.compare_text import DifferenceSpan
from bpe_studio.analysis.difference_reasons import DifferenceReasons
from bpe_studio.analysis.reason_summary import iter_reason_summary
from bpe_studio.gui.job import Job, once_ready
from bpe_studio.gui.models.text_pair import TextPair

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

SETTLE_MS = 250


class ReasonAsker(QObject):
    """Runs one question at a time, and drops answers that nobody waits for any more.

    While a table learns, pairs follow each other quickly: all differences are asked of one that
    has stood for a moment.

    Signals
    -------
    told(object)
        The `DifferenceReason` of the span that was asked last.
    failed(str)
        It cannot be said; why.
    summed(object)
        The `ReasonSummary` of the pair that was taken last.
    runningChanged()
        It has begun to sum up, or ended.
    """

    told = Signal(object)
    failed = Signal(str)
    summed = Signal(object)
    runningChanged = Signal()

    def __init__(
        self, *, ready: threading.Event | None = None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._ready = ready
        self._reasons: DifferenceReasons | None = None
        self._pair: tuple[Tokenizer, Tokenizer, TextPair] | None = None
        self._wanted: tuple[DifferenceReasons, DifferenceSpan] | None = None
        self._running: tuple[DifferenceReasons, DifferenceSpan] | None = None
        self._job: Job | None = None
        self._sum: Job | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SETTLE_MS)
        self._timer.timeout.connect(self._sum_up)

    @property
    def running(self) -> bool:
        """Whether all differences are being asked, or about to be."""
        return self._timer.isActive() or self._sum is not None

    def take(self, pair: TextPair | None, tokenizers: tuple[Tokenizer, Tokenizer] | None) -> None:
        """Ask of another pair from now on; None for none."""
        self.stop()
        self._reasons = self._pair = None
        if pair is not None and tokenizers is not None:
            self._reasons = DifferenceReasons(*tokenizers, pair.text)
            self._pair = (*tokenizers, pair)
            self._timer.start()
        self.runningChanged.emit()

    def stop(self) -> None:
        """End what is being asked."""
        self._timer.stop()
        self._wanted = None
        for job in (self._job, self._sum):
            if job is not None:
                job.cancel()

    def ask(self, span: DifferenceSpan) -> None:
        """Ask why the tables differ in a span."""
        if self._reasons is None:
            return
        self._wanted = (self._reasons, span)
        if self._job is None:
            self._start()
        elif self._running != self._wanted:
            self._job.cancel()

    def _start(self) -> None:
        if self._wanted is None:
            return
        self._running = self._wanted
        reasons, span = self._wanted
        self._job = self._run(reasons.iter_reason(span))
        self._job.finished.connect(self._on_told)
        self._job.failed.connect(self._on_failed)
        self._job.ended.connect(self._on_ended)

    def _run(self, steps: Generator[Any, None, Any]) -> Job:
        return Job(once_ready(self._ready, steps), self)

    def _on_told(self, reason: object) -> None:
        if self._running == self._wanted:
            self._wanted = None
            self.told.emit(reason)

    def _on_failed(self, sentence: str) -> None:
        if self._running == self._wanted:
            self._wanted = None
            self.failed.emit(sentence)

    def _on_ended(self) -> None:
        if self._job is not None:
            self._job.deleteLater()
        self._job = None
        self._start()

    def _sum_up(self) -> None:
        if self._pair is None:
            return
        if self._sum is not None:  # of another pair, and about to end
            self._timer.start()
            return
        a, b, pair = self._pair
        asked = self._pair
        self._sum = self._run(iter_reason_summary(a, b, pair.text, pair.comparison))
        self._sum.finished.connect(
            lambda found: self.summed.emit(found) if asked is self._pair else None
        )
        self._sum.ended.connect(self._on_summed)

    def _on_summed(self) -> None:
        if self._sum is not None:
            self._sum.deleteLater()
        self._sum = None
        self.runningChanged.emit()

"""A Job runs a generator on a worker thread and tells the GUI thread about it.

The worker touches no Qt object: it fills a queue, and a timer of the GUI thread empties it. So a
window may be destroyed at any moment, and no signal is ever on its way to something deleted.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from typing import Any
from weakref import WeakMethod

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from bpe_studio.gui.collector import collector

BATCH_SECONDS = 1 / 30
QUICK_MS = 4  # how often a young job, or one being cancelled, is looked at
STEADY_MS = 33
QUICK_SECONDS = 0.2
WAIT_SECONDS = 0.05

log = logging.getLogger(__name__)
_Call = tuple[WeakMethod, tuple[Any, ...]]


def call(function: Callable[..., Any], *arguments: Any, **options: Any) -> Generator[None]:
    """A generator that yields nothing and returns `function(…)`, for a Job of one call."""
    return function(*arguments, **options)
    yield


def once_ready(
    ready: threading.Event | None, steps: Generator[Any, None, Any], *, meanwhile: Any = None
) -> Generator[Any, None, Any]:
    """Steps that begin when `ready` is set: once the kernels are compiled, which a thread of the
    window must not do. Until then `meanwhile` is yielded.
    """
    while ready is not None and not ready.wait(WAIT_SECONDS):
        yield meanwhile
    return (yield from steps)


def sentence_of(error: BaseException) -> str:
    """What to tell the user about an error: its own sentence where it has one."""
    text = str(error).strip()
    if isinstance(error, OSError) and error.strerror and error.filename:
        return f"{error.filename}: {error.strerror}."
    if isinstance(error, (ValueError, OSError)) and text:
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


class _Worker:
    """The part that the thread may touch: a queue, two flags, one outcome."""

    def __init__(self, generator: Iterator[Any]) -> None:
        self.generator = generator
        self.items: deque[Any] = deque()
        self.cancelled = threading.Event()
        self.ended = threading.Event()
        self.result: Any = None
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            self._loop()
        except BaseException as error:
            self.error = error
        finally:
            self.ended.set()

    def _loop(self) -> None:
        last = None
        try:
            while not self.cancelled.is_set():
                try:
                    last = next(self.generator)
                except StopIteration as stop:
                    self.result = last if stop.value is None else stop.value
                    return
                self.items.append(last)
        finally:
            close = getattr(self.generator, "close", None)
            if close is not None:
                close()


class Job(QObject):
    """Runs `generator` on a thread of its own, from the moment it is made.

    After any number of `yielded`, exactly one of `finished`, `cancelled`, `failed` is emitted, and
    `ended` after it. Keep a reference, or give a parent, until then.

    Signals
    -------
    yielded(list)
        What the generator yielded since the last time; at most 30 times a second.
    finished(object)
        The value that the generator returned, or, if it returned None, the last it yielded.
    cancelled()
        `cancel` was asked for and the generator is closed. Nothing is yielded after `cancel`.
    failed(str)
        The generator raised; the sentence for the user. The error itself is in `.error`.
    ended()
        After each of the three.
    """

    yielded = Signal(list)
    finished = Signal(object)
    cancelled = Signal()
    failed = Signal(str)
    ended = Signal()

    def __init__(self, generator: Iterator[Any], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._worker = _Worker(generator)
        self._told = False
        self._born = time.monotonic()
        self._delivered = self._born - BATCH_SECONDS  # the first batch need not wait
        self._thread = threading.Thread(target=self._worker.run, name="bpe-studio job", daemon=True)
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._look)
        self._then: list[_Call] = []
        self._otherwise: list[_Call] = []
        self.destroyed.connect(self._worker.cancelled.set)
        self._timer.start(QUICK_MS)
        collector.enter(self._worker.ended)
        self._thread.start()

    def then(self, method: Callable[..., object], *more: Any) -> None:
        """Call a method of the owner when it has finished, with the result and with `more`.

        A function that holds its owner is no slot of a job: where nobody else holds the owner, to
        delete the job would be to delete the owner, and with it the job a second time.
        """
        self._then.append((WeakMethod(method), more))

    def otherwise(self, method: Callable[..., object], *more: Any) -> None:
        """Call a method of the owner when it has failed, with the sentence and with `more`."""
        self._otherwise.append((WeakMethod(method), more))

    @property
    def running(self) -> bool:
        """Whether the end is still to be told."""
        return not self._told

    @property
    def error(self) -> BaseException | None:
        """What the generator raised, if it failed."""
        return self._worker.error

    def cancel(self) -> None:
        """Ask the generator to end at its next yield; returns at once."""
        self._worker.cancelled.set()
        if not self._told:
            self._timer.start(QUICK_MS)

    def wait(self, milliseconds: int) -> bool:
        """Block until the thread has ended, and tell how it ended. False after `milliseconds`."""
        self._thread.join(milliseconds / 1000)
        if self._thread.is_alive():
            return False
        self._look()
        return True

    def _look(self) -> None:
        collector.tick()
        now = time.monotonic()
        ended = self._worker.ended.is_set()  # read before the queue is emptied
        if ended or now - self._delivered >= BATCH_SECONDS:
            self._deliver(now)
        if ended:
            self._tell_end()
        elif now - self._born > QUICK_SECONDS and not self._worker.cancelled.is_set():
            self._timer.setInterval(STEADY_MS)

    def _deliver(self, now: float) -> None:
        items = self._worker.items
        batch = [items.popleft() for _ in range(len(items))]
        if batch and not self._worker.cancelled.is_set():
            self._delivered = now
            self.yielded.emit(batch)

    def _tell_end(self) -> None:
        if self._told:
            return
        self._told = True
        self._timer.stop()
        worker = self._worker
        if worker.cancelled.is_set():
            self.cancelled.emit()
        elif worker.error is not None:
            log.debug("a job failed", exc_info=worker.error)
            sentence = sentence_of(worker.error)
            self.failed.emit(sentence)
            _call(self._otherwise, sentence)
        else:
            self.finished.emit(worker.result)
            _call(self._then, worker.result)
        self.ended.emit()


def _call(methods: list[_Call], told: object) -> None:
    for weak, more in methods:
        method = weak()
        if method is not None:
            method(told, *more)

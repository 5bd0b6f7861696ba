"""When Python's cyclic garbage collector runs, and in which thread.

It runs in whichever thread allocates, and a Qt object that dies on a worker thread takes the
process with it; and a full collection of a window takes a tenth of a second, in which it is stuck.
"""

from __future__ import annotations

import gc
import threading

from PySide6.QtCore import QObject, QTimer

LOOK_MS = 1000
QUIET_LOOKS = 2  # so many in a row must find nothing running
FREEZES = 2  # what start-up made, and what the first work brought along
NEVER = 1_000_000_000


class Collector:
    """Off while threads run; the GUI thread collects young objects instead, when they are due."""

    def __init__(self) -> None:
        self._running: list[threading.Event] = []

    @property
    def busy(self) -> bool:
        """Whether a thread runs."""
        self._running = [ended for ended in self._running if not ended.is_set()]
        return bool(self._running)

    def enter(self, ended: threading.Event) -> None:
        """A thread begins, which sets `ended` at its end."""
        self._running.append(ended)
        gc.disable()

    def tick(self) -> None:
        """Called by the GUI thread now and then while threads run."""
        if not self.busy:
            gc.enable()
            return
        youngest, middle, _ = (
            count > limit for count, limit in zip(gc.get_count(), gc.get_threshold(), strict=True)
        )
        if youngest:
            gc.collect(1 if middle else 0)


collector = Collector()


class IdleCollection(QObject):
    """Full collections only while nothing runs, and of what is new only.

    What survives the first ones lives as long as the window, modules above all; it is frozen, so
    that later ones take 10 ms and not 100. Later survivors are not: among them may be a table
    that is closed one day.
    """

    def __init__(self, parent: QObject, *, watched: Collector = collector) -> None:
        super().__init__(parent)
        self._watched = watched
        self._quiet = self._frozen = 0
        self._worked = True
        youngest, middle, self._due = gc.get_threshold()
        gc.set_threshold(youngest, middle, NEVER)
        timer = QTimer(self)
        timer.timeout.connect(self.look)
        timer.start(LOOK_MS)

    def look(self) -> None:
        """Collect, if it is due and nobody is at work."""
        self._watched.tick()  # the last of the threads may have had nobody left to tell
        if self._watched.busy:
            self._quiet, self._worked = 0, True
            return
        self._quiet += 1
        freeze = self._worked and self._frozen < FREEZES
        if self._quiet < QUIET_LOOKS or not (freeze or gc.get_count()[2] > self._due):
            return
        gc.collect()
        if freeze:
            gc.freeze()
            self._frozen += 1
            self._worked = False

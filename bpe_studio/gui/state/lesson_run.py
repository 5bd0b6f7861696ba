"""The lesson that is being given: its text and rules, where it stands, and whether it plays."""

from __future__ import annotations

import time
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal

from bpe_studio.bpe.lesson import TOY_CORPUS, Lesson, LessonRules
from bpe_studio.settings import DEFAULT_SPECIALS

SPEEDS_MS = (3000, 2000, 1400, 1000, 700, 450, 250, 120)  # between two merges, slow to fast
FIRST_SPEED = 3
SLICE_SECONDS = 0.010


class LessonRun(QObject):
    """One lesson, forward and back.

    Signals
    -------
    started()
        Another text or another rule: the lesson begins anew, or cannot (`error` says why).
    changed()
        It stands somewhere else.
    playingChanged(bool)
        It plays, or it has stopped.
    """

    started = Signal()
    changed = Signal()
    playingChanged = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.text = TOY_CORPUS
        self.rules = LessonRules(specials=DEFAULT_SPECIALS)
        self.lesson: Lesson | None = None
        self.error = ""
        self.speed = FIRST_SPEED
        self._to_end = False
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._tick)
        self._begin()

    @property
    def playing(self) -> bool:
        """Whether it goes on by itself."""
        return self._timer.isActive()

    @property
    def place(self) -> int:
        """The merges so far."""
        return len(self.lesson.state.merges) if self.lesson is not None else 0

    @property
    def at_end(self) -> bool:
        """Whether nothing is left to merge."""
        return self.lesson is None or self.lesson.state.next is None

    # What is taught

    def set_text(self, text: str) -> None:
        """Begin with another text."""
        if text != self.text:
            self.text = text
            self._begin()

    def set_rules(self, **changed: object) -> None:
        """Begin anew under other rules."""
        rules = replace(self.rules, **changed)
        if rules != self.rules:
            self.rules = rules
            self._begin()

    def _begin(self) -> None:
        self.pause()
        self.error = ""
        try:
            self.lesson = Lesson(self.text, self.rules)
        except ValueError as error:
            self.lesson, self.error = None, str(error)
        self.started.emit()
        self.changed.emit()

    # Walking

    def step(self) -> None:
        """Merge the next pair."""
        if self.lesson is not None and self.lesson.step():
            self.changed.emit()

    def back(self) -> None:
        """Undo the last merge."""
        self.pause()
        if self.lesson is not None and self.lesson.back():
            self.changed.emit()

    def reset(self) -> None:
        """Go back to before the first merge."""
        self.pause()
        if self.place:
            self.lesson.reset()
            self.changed.emit()

    def run_to(self, merges: int) -> None:
        """Merge until there are so many; for pictures and tests."""
        if self.lesson is not None:
            self.lesson.run(merges)
            self.changed.emit()

    # Playing

    def toggle(self) -> None:
        """Play, or pause; at the end, play from the beginning."""
        if self.playing:
            self.pause()
            return
        if self.at_end:
            self.reset()
        if not self.at_end:
            self._start(SPEEDS_MS[self.speed], to_end=False)

    def run_to_end(self) -> None:
        """Merge all that is left, in slices between which the window answers."""
        if not self.at_end:
            self._start(0, to_end=True)

    def pause(self) -> None:
        """Stop playing."""
        if self.playing:
            self._timer.stop()
            self.playingChanged.emit(False)

    def set_speed(self, speed: int) -> None:
        """One of `SPEEDS_MS`, by its place."""
        self.speed = min(max(speed, 0), len(SPEEDS_MS) - 1)
        if self.playing and not self._to_end:
            self._timer.setInterval(SPEEDS_MS[self.speed])

    def _start(self, interval: int, *, to_end: bool) -> None:
        self._to_end = to_end
        self._timer.start(interval)
        self.playingChanged.emit(True)

    def _tick(self) -> None:
        until = time.perf_counter() + SLICE_SECONDS
        while self.lesson is not None and self.lesson.step():
            if not self._to_end or time.perf_counter() > until:
                break
        self.changed.emit()
        if self.at_end:
            self.pause()

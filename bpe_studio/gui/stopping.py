"""Esc: what it ends of all that may run."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMainWindow

QUESTION = "Stop the training? What is learned so far is kept."


class Stopping(QObject):
    """Ends one thing at a time, the quickest to do again first; of a training it asks before."""

    def __init__(self, window: QMainWindow) -> None:
        """`window` is a `MainWindow`, which this module is not to import."""
        super().__init__(window)
        self._window = window
        window.training.finished.connect(self._drop_question)

    @property
    def possible(self) -> bool:
        """Whether anything runs that Esc ends; if not, the key is left to others."""
        window = self._window
        return (
            window.training.running
            or window.files.opening.running
            or window.lesson.run.playing
            or window.health.running
            or window.compare.running
            or window.partner_training.runner.running
        )

    def ask(self) -> None:
        """Give up what is being opened, pause a lesson, cancel a check, ask about a training."""
        window = self._window
        if window.files.opening.running:
            window.files.opening.cancel()
        elif window.lesson.run.playing:
            window.lesson.run.pause()
        elif window.health.running:
            window.health.cancel()
        elif window.compare.running:
            window.compare.stop()
        elif window.partner_training.runner.running:
            window.partner_training.runner.cancel()
        elif window.notice.asking:
            window.notice.hide()
        elif window.training.running:
            window.notice.ask(QUESTION, "Stop", window.training.stop)

    def _drop_question(self) -> None:
        if self._window.notice.asking:
            self._window.notice.hide()

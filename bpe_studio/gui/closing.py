"""Closing the window: what is asked, what is saved, what is waited for."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from bpe_studio.gui.job import Job
from bpe_studio.gui.saving import Saving
from bpe_studio.gui.state.training import TrainingState

PATIENCE_SECONDS = 5.0


class Closing(QObject):
    """Decides whether the window may close, and ends what runs.

    Signals
    -------
    agreed()
        What was to be saved is saved: close now.
    """

    agreed = Signal()

    def __init__(self, *, window: QWidget, saving: Saving, training: TrainingState) -> None:
        super().__init__(window)
        self._window = window
        self._saving = saving
        self._training = training
        self._settled = False
        self._waiting = False
        self._deadline: float | None = None
        training.finished.connect(self._training_ended)

    def may_close(self) -> bool:
        """Ask what is to be asked; if False, `agreed` may follow."""
        if self._settled:
            return True
        if self._training.running:
            if self._ask_to_stop():
                self._waiting = True
                self._training.stop()
            return False
        return self._saving.may_close(then=self.settle)

    def end_all(self, *owners: QObject) -> bool:
        """Cancel every job of these objects and wait; False if one still runs.

        The bound is one for all calls: the window has closed with the first, and the second is
        that of the program's end.
        """
        jobs = [job for owner in owners for job in owner.findChildren(Job) if job.running]
        for job in jobs:
            job.cancel()
        if self._deadline is None:
            self._deadline = time.monotonic() + PATIENCE_SECONDS
        end = self._deadline
        left = (max(0, int(1000 * (end - time.monotonic()))) for _ in jobs)
        return all(job.wait(milliseconds) for job, milliseconds in zip(jobs, left, strict=True))

    def _training_ended(self) -> None:
        if self._waiting:
            self._waiting = False
            if self._saving.may_close(then=self.settle):
                self.settle()

    def settle(self) -> None:
        """Ask nothing more: everything was asked."""
        self._settled = True
        self.agreed.emit()

    def _ask_to_stop(self) -> bool:
        box = QMessageBox(self._window)
        box.setWindowTitle("A training is running")
        box.setText("A training is running.")
        box.setInformativeText("Stop it? What it has learned so far can then be saved.")
        stop = box.addButton("&Stop and close", QMessageBox.ButtonRole.AcceptRole)
        box.addButton("&Go on training", QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(stop)
        box.exec()
        return box.clickedButton() is stop

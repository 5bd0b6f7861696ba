"""Compiling the kernels in a process of its own, so that no thread of the window has to."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Generator
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from bpe_studio.gui.job import Job

COMMAND = (sys.executable, "-m", "bpe_studio.warm")
ROOT = Path(__file__).resolve().parents[3]  # `-m` looks there first, not where the user is
LOOK_SECONDS = 0.05


def warm(command: tuple[str, ...] = COMMAND) -> Generator[float, None, int]:
    """Run the warm-up; yields the seconds it has taken so far, returns its exit status."""
    import subprocess  # after the window is shown

    began = time.monotonic()
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
    )
    try:
        while process.poll() is None:
            time.sleep(LOOK_SECONDS)
            yield time.monotonic() - began
        return process.returncode
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


class KernelState(QObject):
    """Whether the kernels are compiled and on disk.

    `ready` is an event of threads: work that needs kernels waits for it. It is set too when the
    warm-up fails; then the work compiles what it needs itself.

    Signals
    -------
    changed()
        The warm-up began or ended.
    ticked()
        It goes on: `seconds` is another number.
    """

    changed = Signal()
    ticked = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.ready = threading.Event()
        self.seconds = 0  # that the warm-up has taken so far
        self._job: Job | None = None

    @property
    def compiling(self) -> bool:
        """Whether the warm-up is running."""
        return self._job is not None and self._job.running

    def start(self, command: tuple[str, ...] = COMMAND) -> None:
        """Begin the warm-up, if there is anything to compile."""
        from bpe_studio.kernels import are_compiled  # looks for the cache; the window is shown

        if are_compiled():
            self.ready.set()
            return
        self._job = Job(warm(command), self)
        self._job.yielded.connect(self._on_seconds)
        self._job.ended.connect(self._ended)
        self.changed.emit()

    def skip(self) -> None:
        """Do without a warm-up."""
        self.ready.set()

    def close(self, milliseconds: int) -> None:
        """End the warm-up, if it still runs, and let nobody wait for it."""
        self.ready.set()
        if self._job is not None and self._job.running:
            self._job.cancel()
            self._job.wait(milliseconds)

    def _on_seconds(self, taken: list[float]) -> None:
        if int(taken[-1]) != self.seconds:
            self.seconds = int(taken[-1])
            self.ticked.emit()

    def _ended(self) -> None:
        self.ready.set()
        self.changed.emit()

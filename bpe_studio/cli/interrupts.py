"""Ctrl-C and SIGTERM: both end a command in the same way, and neither in the middle of a step."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Self

__all__ = ["Interrupts", "Terminated", "sigterm_interrupts", "status_of"]


class Terminated(KeyboardInterrupt):
    """SIGTERM has come."""


def status_of(number: int) -> int:
    """The exit status after a signal, as shells have it: 130 for Ctrl-C, 143 for SIGTERM."""
    return 128 + number


def _is_heard(number: int) -> bool:
    return signal.getsignal(number) is not signal.SIG_IGN


def _interrupt(number: int, _frame: FrameType | None) -> None:
    raise Terminated if number == signal.SIGTERM else KeyboardInterrupt


@contextmanager
def sigterm_interrupts() -> Iterator[None]:
    """Let SIGTERM do what Ctrl-C does, so that files that are half written are removed."""
    if not _is_heard(signal.SIGTERM):
        yield
        return
    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class Interrupts:
    """While it is entered a signal only leaves a note; a second one interrupts at once.

    Attributes
    ----------
    number : int
        The signal that has come; 0 where none has.
    """

    def __init__(self) -> None:
        self.number = 0
        self._patient = True

    def be_patient(self) -> None:
        """The next signal again only leaves a note: for a step that must not be cut short."""
        self._patient = True

    def __enter__(self) -> Self:
        # What is ignored stays so: `nohup`, and what a script starts with `&`.
        wanted = [n for n in (signal.SIGINT, signal.SIGTERM) if _is_heard(n)]
        self._before = [(number, signal.signal(number, self._note)) for number in wanted]
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for number, handler in self._before:
            signal.signal(number, handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if not self._patient:
            _interrupt(number, frame)
        self._patient = False
        self.number = self.number or number

"""How far a pass over a corpus or a table is, and how that reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bpe_studio.gui.state.pace import Pace

Unit = Literal["", "bytes"]


@dataclass(frozen=True, slots=True)
class PassStep:
    """How far a pass is: what it does, and `done` of `total`; in bytes where there is a corpus
    to be read.
    """

    phase: str
    done: int = 0
    total: int = 0
    unit: Unit = ""


COMPILING = PassStep("Compiling the kernels, once")


class PassPace:
    """How fast the phase goes that a pass is in, and how long it still takes."""

    def __init__(self) -> None:
        self._phase = ""
        self._pace = Pace()

    def note(self, step: PassStep, now: float) -> None:
        """Note a step; another phase begins anew."""
        if step.phase != self._phase:
            self._phase, self._pace = step.phase, Pace()
        self._pace.note(step.done, now)

    @property
    def rate(self) -> float:
        """How much a second, lately."""
        return self._pace.rate

    def seconds_left(self, total: int) -> float | None:
        """How long the phase still takes; None as long as nobody knows."""
        return self._pace.seconds_left(total)


def step_words(phase: str, done: str, total: str, *, rate: str = "", left: str = "") -> str:
    """Return what is done, how much, how fast, and how long it still takes.

    >>> step_words("Encoding", "1 MB", "4 MB", rate="2 MB", left="2 s")
    'Encoding  ·  1 MB of 4 MB  ·  2 MB/s  ·  2 s left'
    """
    amount = f"{done} of {total}" if total else done
    parts = [phase, amount, f"{rate}/s" if rate else "", f"{left} left" if left else ""]
    return "  ·  ".join(part for part in parts if part)

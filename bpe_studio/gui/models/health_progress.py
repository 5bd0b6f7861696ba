"""How far a check is, and how that reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bpe_studio.gui.state.pace import Pace

Unit = Literal["", "bytes"]


@dataclass(frozen=True, slots=True)
class HealthStep:
    """How far the check is: what it does, and `done` of `total`; in bytes where there is a corpus
    to be read.
    """

    phase: str
    done: int = 0
    total: int = 0
    unit: Unit = ""


COMPILING = HealthStep("Compiling the kernels, once")


class CheckPace:
    """How fast the phase goes that a check is in, and how long it still takes."""

    def __init__(self) -> None:
        self._phase = ""
        self._pace = Pace()

    def note(self, step: HealthStep, now: float) -> None:
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

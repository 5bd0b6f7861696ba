"""How far a long command is: a bar on a terminal, else a line when a phase ends."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, ProgressColumn, Task, TaskID, TextColumn
from rich.progress import Progress as Bars
from rich.text import Text

from bpe_studio.cli.output import size_words

__all__ = ["Progress"]


class Progress:
    """Phases, one after another, each with a total and a unit ("bytes" or "merges", say)."""

    def __init__(self) -> None:
        self._bars: Bars | None = None
        if sys.stderr.isatty():
            columns = (TextColumn("{task.description:>9}"), BarColumn(), _Detail())
            self._bars = Bars(*columns, console=Console(stderr=True), transient=True)
        self._task: TaskID | None = None
        self._name, self._unit, self._done, self._started = "", "", 0, 0.0

    def phase(self, name: str, *, total: int, unit: str) -> None:
        """End the phase before and begin this one; nothing happens when it is on already."""
        if name == self._name:
            return
        self._end_phase()
        self._name, self._unit, self._done = name, unit, 0
        self._started = time.monotonic()
        if self._bars is not None:
            self._task = self._bars.add_task(name, total=total or None, unit=unit)

    def update(self, done: int) -> None:
        self._done = done
        if self._bars is not None and self._task is not None:
            self._bars.update(self._task, completed=done)

    def _end_phase(self) -> None:
        if self._bars is not None and self._task is not None:
            self._bars.remove_task(self._task)
            self._task = None
        elif self._name:
            seconds = time.monotonic() - self._started
            done = _amount(self._done, self._unit)
            rate = f" ({_amount(self._done / seconds, self._unit)}/s)" if seconds > 0.1 else ""
            print(f"{self._name}: {done} in {seconds:.1f} s{rate}", file=sys.stderr)
        self._name = ""

    def __enter__(self) -> Self:
        if self._bars is not None:
            self._bars.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end_phase()
        if self._bars is not None:
            self._bars.stop()


class _Detail(ProgressColumn):
    """`12.3 MB of 31.5 MB, 15.1 MB/s, 2 s left`"""

    def render(self, task: Task) -> Text:
        unit = task.fields["unit"]
        words = _amount(task.completed, unit)
        if task.total:
            words += f" of {_amount(task.total, unit)}"
        if task.speed:
            words += f", {_amount(task.speed, unit)}/s"
        if task.time_remaining is not None and task.speed:
            words += f", {_duration(task.time_remaining)} left"
        return Text(words)


def _amount(value: float, unit: str) -> str:
    return size_words(value) if unit == "bytes" else f"{value:,.0f} {unit}"


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"

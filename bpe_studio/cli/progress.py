"""How far a long command is: a bar on a terminal, else a line when a phase ends."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Self, TypeVar

from rich.console import Console
from rich.progress import BarColumn, ProgressColumn, Task, TaskID, TextColumn
from rich.progress import Progress as Bars
from rich.table import Column
from rich.text import Text

from bpe_studio.cli.output import counted, size_words

__all__ = ["Progress"]

_T = TypeVar("_T")
_WIDEST = 80


class Progress:
    """Phases, one after another, each with a total and a unit ("bytes" or "merges", say).

    With the unit "seconds" nobody knows how far it is, only how long it has taken.

    Parameters
    ----------
    lines : bool
        Whether to say when a phase ends, where there is no bar.
    bar : bool
        Whether to draw a bar on a terminal: not while stdout goes there too.
    """

    def __init__(self, *, lines: bool = True, bar: bool = True) -> None:
        self._bars: Bars | None = None
        self._lines = lines
        if bar and sys.stderr.isatty():
            console = Console(stderr=True)
            console.width = min(console.width, _WIDEST)
            columns = (TextColumn("{task.description:>9}"), BarColumn(None), _Detail())
            self._bars = Bars(*columns, console=console, transient=True, expand=True)
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

    def follow(self, steps: Iterable[_T], done: Callable[[_T], int]) -> Iterator[_T]:
        """Hand steps on; a step was `done` when the next one is asked for."""
        for step in steps:
            yield step
            self.update(done(step))

    def _end_phase(self) -> None:
        if self._bars is not None and self._task is not None:
            self._bars.remove_task(self._task)
            self._task = None
        elif self._name and self._lines:
            seconds = time.monotonic() - self._started
            if self._unit == "seconds":
                print(f"{self._name}: {seconds:.1f} s", file=sys.stderr)
                self._name = ""
                return
            done = _amount(self._done, self._unit)
            rate = f" ({_bare(self._done / seconds, self._unit)}/s)" if seconds > 0.1 else ""
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
        if kind is not None:
            self._lines = False  # what went wrong is told by others, in one line
        self._end_phase()
        if self._bars is not None:
            self._bars.stop()


class _Detail(ProgressColumn):
    """`12.3 MB of 31.5 MB, 15.1 MB/s, 2 s left`, or `200 of 400 merges, 90/s, 2 s left`"""

    def __init__(self) -> None:
        super().__init__(table_column=Column(no_wrap=True))

    def render(self, task: Task) -> Text:
        unit = task.fields["unit"]
        if unit == "seconds":
            return Text(_duration(task.completed))
        words = _amount(task.completed, unit)
        if task.total:
            words = f"{_bare(task.completed, unit)} of {_amount(task.total, unit)}"
        if task.speed:
            words += f", {_bare(task.speed, unit)}/s"
        if task.time_remaining is not None and task.speed:
            words += f", {_duration(task.time_remaining)} left"
        return Text(words)


def _amount(value: float, unit: str) -> str:
    if unit == "bytes":
        return size_words(value)
    return counted(round(value), unit.removesuffix("s"))


def _bare(value: float, unit: str) -> str:
    """The same without the unit, where another number beside it has it; bytes are kB or MB."""
    return size_words(value) if unit == "bytes" else f"{value:,.0f}"


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"

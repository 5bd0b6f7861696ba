"""Work in slices: what a generator returns in the end, and one that runs inside another."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TypeVar, cast

__all__ = ["result_of", "retold"]

_Result = TypeVar("_Result")
_Step = TypeVar("_Step")
_Told = TypeVar("_Told")


def result_of(steps: Generator[object, None, _Result]) -> _Result:
    """Runs a generator to its end, for what it returns."""
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            return cast(_Result, stop.value)


def retold(
    steps: Generator[_Step, None, _Result], tell: Callable[[_Step], _Told]
) -> Generator[_Told, None, _Result]:
    """Runs a generator inside another one, which tells each of its steps in its own way.

    Ends it, with its threads, where the other one is closed.
    """
    try:
        while True:
            try:
                step = next(steps)
            except StopIteration as stop:
                return cast(_Result, stop.value)
            yield tell(step)
    finally:
        steps.close()

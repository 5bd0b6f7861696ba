"""Work in slices: what a generator returns in the end."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar, cast

__all__ = ["result_of"]

_Result = TypeVar("_Result")


def result_of(steps: Generator[object, None, _Result]) -> _Result:
    """Runs a generator to its end, for what it returns."""
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            return cast(_Result, stop.value)

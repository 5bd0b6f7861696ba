"""A table of a few rows with its title, as a value."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bpe_studio.bpe.corpus import Problem
from bpe_studio.gui.models.array_table import Column
from bpe_studio.gui.models.numbers import grouped


@dataclass(frozen=True, slots=True)
class Listing:
    """A table of a few rows: its title, what it says when it has none, its columns and rows."""

    title: str
    none: str
    columns: tuple[Column, ...]
    rows: int


def problem_listing(problems: tuple[Problem, ...], none: str) -> Listing:
    """What reading a corpus has met; `none` is what is said where that is nothing."""
    return Listing(
        "Problems of reading",
        none,
        (
            text_column("File", [problem.label for problem in problems], share=1),
            text_column("What", [problem.message for problem in problems], share=3),
        ),
        len(problems),
    )


def text_column(title: str, values: list[str], *, share: int, right: bool = False) -> Column:
    """A column of names."""
    return Column(
        title,
        values.__getitem__,
        lambda: values,
        right=right,
        tip=values.__getitem__,
        sample=10 * "0",
        share=share,
    )


def number_column(title: str, values: list[int], *, spare: int = 0) -> Column:
    """A column of counts."""
    return Column(
        title,
        lambda row: grouped(values[row]),
        lambda: np.array(values),
        right=True,
        sample=grouped(max(values, default=0)),
        spare=spare,
    )

"""All tokens of two tables, one a row: what CSV and JSON list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.decoder import readable
from bpe_studio.reports.compare_subject import CompareSubject

__all__ = ["COLUMNS", "Row", "token_rows"]

Row = tuple[str | int | bool | None, ...]

COLUMNS: Final = (
    "token",
    "bytes",
    "id_a",
    "id_b",
    "rank_a",
    "rank_b",
    "uses_a",
    "uses_b",
)


def token_rows(subject: CompareSubject) -> Iterator[Row]:
    """A value a column, None for what is not there or not known."""
    tables = subject.tables
    columns = (
        *map(_known, (tables.id_a, tables.id_b, tables.rank_a, tables.rank_b)),
        _uses(subject, 0, tables.id_a),
        _uses(subject, 1, tables.id_b),
    )
    for data, *values in zip(tables.data.tolist(), *columns, strict=True):
        yield readable(data), data.hex(), *values


def _known(numbers: NDArray[np.int64]) -> list[int | None]:
    """None for -1."""
    return [None if number < 0 else number for number in numbers.tolist()]


def _uses(subject: CompareSubject, table: int, ids: NDArray[np.int64]) -> list[int | None]:
    """F1 of each id in the corpus."""
    figures = subject.figures(table)
    if figures is None or not len(figures.ids):
        return [None] * len(ids)
    places = np.minimum(np.searchsorted(figures.ids, ids), len(figures.ids) - 1)
    return _known(np.where(figures.ids[places] == ids, figures.final[places], -1))

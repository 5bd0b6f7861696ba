"""All tokens of two tables, one a row: what CSV and JSON list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.table_uses import uses_by_row
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
    "shift",
    "other_merge",
    "uses_a",
    "uses_b",
)


def token_rows(subject: CompareSubject) -> Iterator[Row]:
    """A value a column, None for what is not there or not known."""
    tables = subject.tables
    moved = tables.has_shift
    uses = _uses(subject)
    columns = (
        *map(_known, (tables.id_a, tables.id_b, tables.rank_a, tables.rank_b)),
        _where(tables.shift, moved),
        _where(tables.other_merge, moved),
        *uses,
    )
    for data, *values in zip(tables.data.tolist(), *columns, strict=True):
        yield readable(data), data.hex(), *values


def _known(numbers: NDArray[np.int64]) -> list[int | None]:
    """None for -1."""
    return _where(numbers, numbers >= 0)


def _where(values: NDArray[np.generic], known: NDArray[np.bool_]) -> list[int | None]:
    pairs = zip(values.tolist(), known.tolist(), strict=True)
    return [value if there else None for value, there in pairs]


def _uses(subject: CompareSubject) -> tuple[list[int | None], list[int | None]]:
    """F1 of each token in the corpus under A and under B."""
    if subject.corpus is None or not subject.detailed:
        nothing: list[int | None] = [None] * len(subject.tables)
        return nothing, nothing
    a, b = uses_by_row(subject.tables, subject.corpus)
    return _known(a), _known(b)

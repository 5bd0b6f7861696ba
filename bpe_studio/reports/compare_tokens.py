"""Tokens that only one of two tables has, and how shared ones differ, as a section of a report."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.decoder import readable
from bpe_studio.reports.compare_subject import CompareSubject
from bpe_studio.reports.page import NOTHING, Block, Cell, Column, Section, Table, Token
from bpe_studio.reports.words import cut, plural, whole

__all__ = ["MOST_ROWS", "tokens_section"]

MOST_ROWS: Final = 100
"""Tokens of each list that a report has; its CSV has all."""


def tokens_section(subject: CompareSubject) -> Section:
    """The first of the tokens that only A has, and only B."""
    return Section("Tokens", "tokens", tuple(_only(subject)))


def _only(subject: CompareSubject) -> Iterator[Block]:
    tables = subject.tables
    sides = (
        ("A", tables.id_a, tables.rank_a, tables.id_b),
        ("B", tables.id_b, tables.rank_b, tables.id_a),
    )
    for side, ids, ranks, others in sides:
        rows = np.flatnonzero((ids >= 0) & (others < 0))
        if not len(rows):
            continue
        columns = (Column("Token", "name"), Column("Id", "number"), Column("Rank", "number"))
        cells = [_row(subject, row, ids, ranks) for row in rows[:MOST_ROWS].tolist()]
        more = len(rows) - len(cells)
        note = (
            f"and {plural(more, 'more token')}; the report as CSV or JSON has all" if more else ""
        )
        yield Table(f"Only in {side}", columns, cells, note)


def _row(
    subject: CompareSubject, row: int, ids: NDArray[np.int64], ranks: NDArray[np.int64]
) -> tuple[Cell, ...]:
    rank = int(ranks[row])
    token = Token(cut(readable(subject.tables.data[row])))
    return token, whole(int(ids[row])), NOTHING if rank < 0 else whole(rank)

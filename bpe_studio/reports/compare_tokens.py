"""The tokens of two tables as sections of a report: how shared ones differ, and what one lacks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.decoder import readable
from bpe_studio.reports.compare_plots import overlap_plot, ranks_plot
from bpe_studio.reports.compare_subject import CompareSubject
from bpe_studio.reports.page import NOTHING, Block, Cell, Column, Section, Table, Token, Words
from bpe_studio.reports.words import cut, plural, signed, whole

__all__ = ["MOST_ROWS", "tokens_section"]

MOST_ROWS: Final = 100
"""Tokens of each list that a report has; its CSV has all."""


def tokens_section(subject: CompareSubject) -> Iterator[Section]:
    """Plots of the ranks, then lists: moved most, made otherwise, only in A, only in B."""
    plots = [plot for plot in (ranks_plot(subject), overlap_plot(subject)) if plot is not None]
    if plots:
        yield Section("Ranks", "ranks", tuple(plots))
    blocks = [*_moved(subject), *_otherwise(subject), *_only(subject)]
    if blocks:
        yield Section("Tokens", "tokens", tuple(blocks))


def _moved(subject: CompareSubject) -> Iterator[Block]:
    """Shared tokens whose ranks differ most, by ratio: 10 against 1,000 is more than 90,000
    against 100,000."""
    tables = subject.tables
    rows = np.flatnonzero(tables.has_shift & (tables.shift != 0))
    if not len(rows):
        return
    a, b = tables.rank_a[rows], tables.rank_b[rows]
    far = np.abs(np.log((b + 1.0) / (a + 1.0)))
    chosen = rows[np.argsort(-far, kind="stable")[:MOST_ROWS]]
    columns = (
        Column("Token", "name"),
        Column("Rank in A", "number"),
        Column("Rank in B", "number"),
        Column("Shift", "number"),
    )
    cells: list[tuple[Cell, ...]] = [
        (
            _token(subject, row),
            *map(whole, (int(tables.rank_a[row]), int(tables.rank_b[row]))),
            signed(int(tables.shift[row])),
        )
        for row in chosen.tolist()
    ]
    yield Words("The ranks of these tokens lie farthest apart, as a ratio.")
    yield Table("Moved most", columns, cells, _more(len(rows) - len(cells)))


def _otherwise(subject: CompareSubject) -> Iterator[Block]:
    tables = subject.tables
    rows = np.flatnonzero(tables.other_merge)
    if not len(rows):
        return
    columns = (
        Column("Token", "name"),
        Column("A makes it of", "name"),
        Column("Rank in A", "number"),
        Column("B makes it of", "name"),
        Column("Rank in B", "number"),
    )
    first = rows[np.argsort(tables.rank_a[rows], kind="stable")[:MOST_ROWS]]
    cells: list[tuple[Cell, ...]] = [
        (
            _token(subject, row),
            _parts(tables.parts_a(row)),
            whole(int(tables.rank_a[row])),
            _parts(tables.parts_b(row)),
            whole(int(tables.rank_b[row])),
        )
        for row in first.tolist()
    ]
    yield Words("These tokens are in both, and each table makes them of other parts.")
    yield Table("Made of other parts", columns, cells, _more(len(rows) - len(cells)))


def _parts(parts: tuple[bytes, bytes] | None) -> Token:
    return Token(
        NOTHING if parts is None else " + ".join(cut(readable(part), 60) for part in parts)
    )


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
        yield Words(f"Only {side} has these tokens, in the order of their ids.")
        yield Table(f"Only in {side}", columns, cells, _more(len(rows) - len(cells)))


def _row(
    subject: CompareSubject, row: int, ids: NDArray[np.int64], ranks: NDArray[np.int64]
) -> tuple[Cell, ...]:
    rank = int(ranks[row])
    return _token(subject, row), whole(int(ids[row])), NOTHING if rank < 0 else whole(rank)


def _token(subject: CompareSubject, row: int) -> Token:
    return Token(cut(readable(subject.tables.token(row))))


def _more(count: int) -> str:
    return f"and {plural(count, 'more token')}; CSV and JSON have all" if count > 0 else ""

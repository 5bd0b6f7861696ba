"""The figures of tables on a corpus as rows: a table a row, and A against B a figure a row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QFont

from bpe_studio.analysis.corpus_comparison import CorpusComparison, TableFigures
from bpe_studio.gui.models.array_table import ArrayTable, Column
from bpe_studio.gui.models.corpus_figures import (
    FIGURES,
    NONE,
    TOKENS,
    Figure,
    extra,
    signed,
)

CHECK = Qt.ItemDataRole.CheckStateRole
NAME, SIDE = 0, 1


@dataclass(frozen=True, slots=True)
class TableRow:
    """An open table in the list: its name, whether it is A or B, its figures where known.

    `why` says why it cannot take part, or what else is to be known.
    """

    name: str
    side: str = ""
    chosen: bool = True
    fixed: bool = False
    figures: TableFigures | None = None
    why: str = ""


def table_columns(rows: Sequence[TableRow], found: CorpusComparison | None) -> tuple[Column, ...]:
    """The columns of the list of tables; what is not known is a dash and sorts first."""
    first = found.tables[0] if found is not None else None

    def values(figure: Figure) -> list[float]:
        return [
            float("nan")
            if row.figures is None or found is None
            else float(figure.value(found, row.figures))
            for row in rows
        ]

    columns = [
        Column(
            "Table",
            lambda row: rows[row].name,
            lambda: [row.name.lower() for row in rows],
            tip=lambda row: ". ".join(part for part in (rows[row].name, rows[row].why) if part),
            sample=14 * "0",
            share=1,
        ),
        Column(
            "Side",
            lambda row: rows[row].side,
            lambda: [row.side or "C" for row in rows],
            hint="A and B are compared in detail. Press A or B on a row to choose it.",
            sample="A",
        ),
    ]
    for figure in FIGURES:
        columns.append(_numbers(figure.short, figure, values(figure)))
        if figure is TOKENS:
            more = [
                float("nan") if row.figures is None or first is None
                else extra(first.tokens, row.figures.tokens)
                for row in rows
            ]  # fmt: skip
            columns.append(
                _column("Against A", f"{figure.title} against A, in per cent.", more,
                        lambda value: signed(value))
            )  # fmt: skip
    return tuple(columns)


def figure_columns(
    found: CorpusComparison, a: TableFigures, b: TableFigures, title: str = "Figure"
) -> tuple[tuple[Column, ...], int]:
    """The figures of two tables side by side, and how many there are."""
    first = [float(figure.value(found, a)) for figure in FIGURES]
    second = [float(figure.value(found, b)) for figure in FIGURES]
    # Of shares the difference is told in points: per cent of per cents mislead.
    more = [
        100 * (other - one) if figure.share else extra(one, other)
        for figure, one, other in zip(FIGURES, first, second, strict=True)
    ]

    def written(title: str, values: list[float]) -> Column:
        words = [figure.written(value) for figure, value in zip(FIGURES, values, strict=True)]
        sample = max(words, key=len)
        return Column(title, words.__getitem__, right=True, sample=sample, share=2)

    return (
        Column(
            title,
            lambda row: FIGURES[row].title,
            tip=lambda row: FIGURES[row].meaning,
            sample="Characters per token",
            share=3,
        ),
        written("A", first),
        written("B", second),
        Column(
            "B against A",
            lambda row: _points(more[row]) if FIGURES[row].share else signed(more[row]),
            right=True,
            sample="+00.0 points",
            share=2,
            hint="By how many per cent the figure of B is more or less than that of A; of a share, "
            "by how many points.",
        ),
    ), len(FIGURES)


def _numbers(title: str, figure: Figure, values: list[float]) -> Column:
    hint = f"{figure.title}. {figure.meaning}"
    return _column(title, hint, values, figure.written, spare=figure.spare)


def _column(
    title: str,
    hint: str,
    values: list[float],
    write: Callable[[float], str],
    *,
    spare: int = 0,
) -> Column:
    words = [write(value) for value in values]
    keys = np.nan_to_num(np.array(values, np.float64), nan=-np.inf)
    return Column(
        title,
        words.__getitem__,
        lambda: keys,
        right=True,
        hint=hint,
        sample=max(words, key=len, default=NONE),
        spare=spare,
    )


class TableRows(ArrayTable):
    """The list of tables; the first column has a box to check for those that take part.

    Signals
    -------
    partAsked(int, bool)
        The table of this row is to be compared, too, or no longer.
    """

    partAsked = Signal(int, bool)

    def __init__(self, *, mono_font: QFont | None = None, parent: QObject | None = None) -> None:
        super().__init__(mono_font=mono_font, parent=parent)
        self.table_rows: tuple[TableRow, ...] = ()

    def show_rows(self, rows: Sequence[TableRow], found: CorpusComparison | None) -> None:
        """Show other rows; the sorting stays."""
        self.table_rows = tuple(rows)
        self.set_data(table_columns(self.table_rows, found), len(rows))

    def toggle(self, view_row: int) -> None:
        """Let the table of a row on screen take part, or no longer."""
        row = self.source_row(view_row)
        if not self.table_rows[row].fixed:
            self.partAsked.emit(row, not self.table_rows[row].chosen)

    # Qt's questions

    def flags(self, index: QModelIndex) -> Qt.ItemFlag:
        usual = super().flags(index)
        return usual | Qt.ItemFlag.ItemIsUserCheckable if index.column() == NAME else usual

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == CHECK and index.column() == NAME:
            chosen = self.table_rows[self.source_row(index.row())].chosen
            return Qt.CheckState.Checked if chosen else Qt.CheckState.Unchecked
        return super().data(index, role)

    def setData(self, index: QModelIndex, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != CHECK or index.column() != NAME:
            return False
        self.toggle(index.row())
        return True


def _points(more: float) -> str:
    return signed(more).replace(" %", " points")

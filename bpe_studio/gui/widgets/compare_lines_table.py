"""The lines of a text with what each costs under both tables; a click goes there."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QWidget

from bpe_studio.bpe.decoder import readable
from bpe_studio.gui import theme
from bpe_studio.gui.models.array_table import ArrayTable, Column
from bpe_studio.gui.models.numbers import grouped
from bpe_studio.gui.models.text_pair import TextPair
from bpe_studio.gui.models.token_details import shorten
from bpe_studio.gui.widgets.array_view import ArrayView
from bpe_studio.gui.widgets.basics import lines
from bpe_studio.gui.widgets.byte_text import ByteDelegate

BEGINNING = 60  # characters of a line that are shown
EXTRA = 4


class CompareLinesTable(QWidget):
    """Lines by what B needs more, or by any other column.

    Signals
    -------
    lineChosen(int)
        The character with which the chosen line begins.
    """

    lineChosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._pair: TextPair | None = None
        self.model = ArrayTable(mono_font=theme.table_font(), parent=self)
        self.table = ArrayView(self.model, name="Lines of the text")
        self.table.setItemDelegateForColumn(1, ByteDelegate(self.table))
        column = lines(margin=0)
        column.addWidget(self.table, 1)
        self.setLayout(column)
        self.table.selectionModel().currentRowChanged.connect(self._on_row)

    def set_pair(self, pair: TextPair | None) -> None:
        """Show the lines of a text; None for none."""
        self._pair = pair
        fresh = not self.model.columns
        if pair is None:
            self.model.set_filter(np.zeros(0, np.bool_))
            return
        self.model.set_data(self._columns(pair), len(pair.lines))
        if fresh:
            order = Qt.SortOrder.DescendingOrder
            self.table.horizontalHeader().setSortIndicator(EXTRA, order)

    def _columns(self, pair: TextPair) -> list[Column]:
        found = pair.lines
        ratios = (found.characters_per_token_a, found.characters_per_token_b)
        columns = [
            Column("Line", lambda row: grouped(row + 1), lambda: np.arange(len(found)), right=True,
                   sample=grouped(max(len(found), 100))),
            Column("Text", self._text, None, mono=True, sample=8 * "0", share=1),
            self._number("Tokens A", found.tokens_a, "Tokens of A that begin in the line"),
            self._number("Tokens B", found.tokens_b, "Tokens of B that begin in the line"),
            Column("B − A", lambda row: _signed(int(found.extra[row])), lambda: found.extra,
                   right=True, sample="+" + grouped(np.abs(found.extra).max(initial=9)),
                   hint="How many tokens more B needs"),
        ]  # fmt: skip
        for side, values in enumerate(ratios):
            columns.append(
                Column(
                    f"Chars/token {'AB'[side]}",
                    lambda row, values=values: _ratio(values[row]),
                    lambda values=values: np.nan_to_num(values, nan=-1.0),
                    right=True,
                    sample="00.00",
                    hint="Characters of the line, with its end, to a token",
                    spare=1 + side,
                )
            )
        columns.append(
            self._number("Differ", found.differences, "Spans cut differently that begin in it", 3)
        )
        return columns

    @staticmethod
    def _number(title: str, values: np.ndarray, hint: str, spare: int = 0) -> Column:
        return Column(
            title, lambda row: grouped(values[row]), lambda: values, right=True, hint=hint,
            sample=grouped(values.max(initial=99)), spare=spare,
        )  # fmt: skip

    def _text(self, row: int) -> str:
        assert self._pair is not None
        start, end = self._pair.lines.starts[row : row + 2].tolist()
        part = self._pair.text[start : min(end, start + BEGINNING)]
        return shorten(readable(part.encode("utf-8", "replace")))

    def _on_row(self, index: QModelIndex, _: QModelIndex) -> None:
        if index.isValid() and self._pair is not None:
            row = self.model.source_row(index.row())
            self.lineChosen.emit(int(self._pair.lines.starts[row]))


def _signed(value: int) -> str:
    return f"+{grouped(value)}" if value > 0 else grouped(value)


def _ratio(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.2f}"

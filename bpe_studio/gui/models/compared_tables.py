"""The comparison of two open tables, made on a worker thread and made again when they change."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from bpe_studio.analysis.table_uses import uses_by_row
from bpe_studio.gui.job import Job, call
from bpe_studio.gui.models.compare_rows import CompareRows, compare_rows
from bpe_studio.gui.models.newest import Newest
from bpe_studio.gui.state.open_tables import OpenTable

if TYPE_CHECKING:
    from bpe_studio.analysis.corpus_comparison import CorpusComparison
    from bpe_studio.bpe.tokenizer import Tokenizer

Sides = tuple[OpenTable, OpenTable]
Tokenizers = tuple["Tokenizer", "Tokenizer"]
Uses = tuple[NDArray[np.int64], NDArray[np.int64]]


class ComparedTables(QObject):
    """What is known of the two tables that are chosen.

    Signals
    -------
    changed()
        `rows` are others now, or there are none.
    failed(str)
        The tables could not be compared; a sentence.
    pickedChanged()
        Other rows than before are selected in a plot, or none.
    usesChanged()
        `rows` know how often a corpus uses each token, or no longer.
    """

    changed = Signal()
    pickedChanged = Signal()
    usesChanged = Signal()
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sides: Sides | None = None
        self._rows: CompareRows | None = None
        self._answered: Tokenizers | None = None
        self._asked: Sides | None = None
        self._job: Job | None = None
        self._picked: NDArray[np.int64] | None = None
        self._corpus: tuple[Tokenizers, CorpusComparison] | None = None
        self._uses = Newest(parent=self)
        self._uses.answered.connect(self._on_uses)

    @property
    def rows(self) -> CompareRows | None:
        """The comparison of the tables that are chosen; an older state of them while they learn."""
        return self._rows

    @property
    def sides(self) -> Sides | None:
        """The tables that are chosen."""
        return self._sides

    def set_sides(self, a: OpenTable | None, b: OpenTable | None) -> None:
        """Take other tables; what was known of those before is gone."""
        sides = (a, b) if a is not None and b is not None else None
        if sides != self._sides:
            self._sides = sides
            if self._job is not None:
                self._job.cancel()
            self._answered = None
            self._take(None)

    @property
    def picked(self) -> NDArray[np.int64] | None:
        """The rows that are selected in a plot; None where no selection is made."""
        return self._picked

    def pick(self, rows: NDArray[np.int64] | None) -> None:
        """Select rows."""
        if rows is not None or self._picked is not None:
            self._picked = rows
            self.pickedChanged.emit()

    def set_corpus(self, pair: Tokenizers | None, found: CorpusComparison | None) -> None:
        """Take what a corpus tells of two tokenizers; it counts while they are those compared."""
        self._corpus = (pair, found) if pair is not None and found is not None else None
        self._ask_uses()

    def row_of(self, table: OpenTable | None, token: int | None) -> int:
        """The row of a token of one of the tables, -1 where it is in none."""
        if self._rows is None or self._sides is None or token is None:
            return -1
        found = self._rows.comparison
        for side, columns in zip(self._sides, (found.a, found.b), strict=True):
            if side is table:
                place = int(np.searchsorted(columns.token_ids, token))
                there = place < len(columns.token_ids) and columns.token_ids[place] == token
                return int(columns.token_rows[place]) if there else -1
        return -1

    def tokens_of(self, row: int) -> list[tuple[OpenTable, int]]:
        """The tables that have the token of a row, each with its id there."""
        if self._rows is None or self._sides is None or row < 0:
            return []
        found = self._rows.comparison
        pairs = zip(self._sides, (found.id_a, found.id_b), strict=True)
        return [(table, int(ids[row])) for table, ids in pairs if ids[row] >= 0]

    def look(self) -> None:
        """Compare the tables, unless that is done or being done."""
        if self._job is None and self._wanted() not in (None, self._answered):
            self._asked = self._sides
            self._job = Job(compare_rows(*self._wanted()), self)
            self._job.then(self._on_rows)
            self._job.otherwise(self._on_failed)
            self._job.ended.connect(self._on_ended)

    def _wanted(self) -> Tokenizers | None:
        if self._sides is None:
            return None
        a, b = self._sides
        return a.tokenizer, b.tokenizer

    def _on_rows(self, rows: CompareRows) -> None:
        if self._asked == self._sides:
            self._answered = (rows.a, rows.b)
            self._take(rows)

    def _take(self, rows: CompareRows | None) -> None:
        self._rows = rows
        self.pick(None)  # rows are others now
        self.changed.emit()
        self._ask_uses()

    def _ask_uses(self) -> None:
        rows, corpus = self._rows, self._corpus
        if rows is not None and corpus is not None and corpus[0] == (rows.a, rows.b):
            self._uses.ask(rows, call(uses_by_row, rows.comparison, corpus[1]))
            return
        self._uses.forget()
        if rows is not None and rows.uses is not None:
            self._tell_uses(rows, None)

    def _on_uses(self, rows: CompareRows, uses: Uses) -> None:
        if rows is self._rows:
            self._tell_uses(rows, uses)

    def _tell_uses(self, rows: CompareRows, uses: Uses | None) -> None:
        self._rows = replace(rows, uses=uses)
        self.usesChanged.emit()

    def _on_failed(self, sentence: str) -> None:
        if self._asked == self._sides:
            self._answered = self._wanted()
            self.failed.emit(sentence)

    def _on_ended(self) -> None:
        self._job.deleteLater()
        self._job = None
        self.look()  # the tables may have changed meanwhile

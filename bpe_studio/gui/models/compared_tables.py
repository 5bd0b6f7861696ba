"""The comparison of two open tables, made on a worker thread and made again when they change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from bpe_studio.gui.job import Job
from bpe_studio.gui.models.compare_rows import CompareRows, compare_rows
from bpe_studio.gui.state.open_tables import OpenTable

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

Sides = tuple[OpenTable, OpenTable]


class ComparedTables(QObject):
    """What is known of the two tables that are chosen.

    Signals
    -------
    changed()
        `rows` are others now, or there are none.
    failed(str)
        The tables could not be compared; a sentence.
    runningChanged()
        A comparison has begun or ended.
    """

    changed = Signal()
    failed = Signal(str)
    runningChanged = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sides: Sides | None = None
        self._rows: CompareRows | None = None
        self._answered: tuple[Tokenizer, Tokenizer] | None = None
        self._asked: Sides | None = None
        self._job: Job | None = None

    @property
    def rows(self) -> CompareRows | None:
        """The comparison of the tables that are chosen; an older state of them while they learn."""
        return self._rows

    @property
    def sides(self) -> Sides | None:
        """The tables that are chosen."""
        return self._sides

    @property
    def running(self) -> bool:
        """Whether a comparison is being made."""
        return self._job is not None

    def set_sides(self, a: OpenTable | None, b: OpenTable | None) -> None:
        """Take other tables; what was known of those before is gone."""
        sides = (a, b) if a is not None and b is not None else None
        if sides != self._sides:
            self._sides = sides
            if self._job is not None:
                self._job.cancel()
            self._rows = self._answered = None
            self.changed.emit()

    def look(self) -> None:
        """Compare the tables, unless that is done or being done."""
        if self._job is None and self._wanted() not in (None, self._answered):
            self._asked = self._sides
            self._job = Job(compare_rows(*self._wanted()), self)
            self._job.then(self._on_rows)
            self._job.otherwise(self._on_failed)
            self._job.ended.connect(self._on_ended)
            self.runningChanged.emit()

    def stop(self) -> None:
        """Give up the comparison that is being made; `look` begins it again."""
        if self._job is not None:
            self._asked = None
            self._job.cancel()

    def _wanted(self) -> tuple[Tokenizer, Tokenizer] | None:
        if self._sides is None:
            return None
        a, b = self._sides
        return a.tokenizer, b.tokenizer

    def _on_rows(self, rows: CompareRows) -> None:
        if self._asked == self._sides:
            self._rows, self._answered = rows, (rows.a, rows.b)
            self.changed.emit()

    def _on_failed(self, sentence: str) -> None:
        if self._asked == self._sides:
            self._answered = self._wanted()
            self.failed.emit(sentence)

    def _on_ended(self) -> None:
        given_up = self._asked is None
        self._job.deleteLater()
        self._job = None
        if not given_up:  # the tables may have changed meanwhile
            self.look()
        self.runningChanged.emit()

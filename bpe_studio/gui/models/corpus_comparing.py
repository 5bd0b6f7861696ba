"""Which open tables are compared on which corpus, and the newest comparison."""

from __future__ import annotations

import threading
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, QTimer, Signal

from bpe_studio.gui.models.corpus_question import (
    Compare,
    ComparedCorpus,
    CorpusQuestion,
    iter_compared,
)
from bpe_studio.gui.models.corpus_source import PROBE, Source
from bpe_studio.gui.models.pass_runner import PassRunner
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables

WAIT_MS = 200


class CorpusComparing(QObject):
    """Asks one question at a time; the newest answer stays until there is another.

    The probe texts are compared without being asked, as long as `eager`; a corpus when asked for.

    Signals
    -------
    began()
        A comparison runs.
    found()
        There is another `result`.
    failed(str)
        A comparison failed, and why.
    ended()
        Nothing runs any more.
    wantedChanged()
        Other tables are chosen, or they are others than before.
    """

    began = Signal()
    found = Signal()
    failed = Signal(str)
    ended = Signal()
    wantedChanged = Signal()

    def __init__(
        self,
        tables: OpenTables,
        *,
        ready: threading.Event | None = None,
        compare: Compare | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._tables, self._compare = tables, compare
        self._sides: tuple[OpenTable, OpenTable] | None = None
        self._by_hand: WeakKeyDictionary[OpenTable, bool] = WeakKeyDictionary()
        self._refused: CorpusQuestion | None = None
        self._again = False
        self.source = PROBE
        self.eager = False
        self.result: ComparedCorpus | None = None
        self.runner = PassRunner(ready=ready, parent=self)
        self.runner.found.connect(self._on_found)
        self.runner.failed.connect(self._on_failed)
        self.runner.ended.connect(self._on_ended)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(WAIT_MS)
        self._timer.timeout.connect(self._compare_eagerly)
        tables.changed.connect(self._on_tables)

    @property
    def sides(self) -> tuple[OpenTable, OpenTable] | None:
        """A and B."""
        return self._sides

    def set_sides(self, a: OpenTable | None, b: OpenTable | None) -> None:
        """Compare these two in detail; a result of them the other way round is turned."""
        self._sides = (a, b) if a is not None and b is not None and a is not b else None
        if self.result is not None and self._sides == self.result.tables[1::-1]:
            self.result = self.result.swapped
            self.found.emit()
        self._changed()

    def set_source(self, source: Source) -> None:
        """Compare on another corpus from now on."""
        self.source = source
        self._changed()

    def takes_part(self, table: OpenTable) -> bool:
        """Whether a table is compared: A and B, what was chosen by hand, all on the probe texts."""
        if self._sides is None or table in self._sides:
            return self._sides is not None
        if table.tokenizer.view_only:
            return False
        return self._by_hand.get(table, self.source.kind == "probe")

    def set_part(self, table: OpenTable, chosen: bool) -> None:
        """Compare a table, too, or no longer."""
        self._by_hand[table] = chosen
        self._changed()

    def question(self) -> CorpusQuestion | None:
        """What is to be compared; None as long as two tables are not chosen."""
        if self._sides is None:
            return None
        others = [
            table for table in self._tables if table not in self._sides and self.takes_part(table)
        ]
        tables = (*self._sides, *others)
        return CorpusQuestion(tables, tuple(table.tokenizer for table in tables), self.source)

    @property
    def outdated(self) -> bool:
        """Whether the result is of other tables than those that are chosen, or older ones."""
        wanted = self.question()
        if self.result is None or wanted is None:
            return False
        asked = self.result.question
        return not CorpusQuestion(asked.tables, asked.tokenizers, wanted.source).answers(wanted)

    @property
    def answered(self) -> bool:
        """Whether the result tells all that is chosen."""
        wanted = self.question()
        return (
            self.result is not None and wanted is not None and self.result.question.answers(wanted)
        )

    @property
    def to_do(self) -> bool:
        """Whether something is chosen that is neither known nor being counted."""
        wanted, running = self.question(), self.runner.subject
        if wanted is None or self.answered:
            return False
        return running is None or not running.answers(wanted)

    def compare(self) -> None:
        """Compare what is chosen; what runs meanwhile is given up for it."""
        wanted = self.question()
        if wanted is None:
            return
        if self.runner.running:
            if not self.runner.subject.answers(wanted):
                self._again = True
                self.runner.cancel()
            return
        self._refused = None
        self.runner.run(wanted, iter_compared(wanted, self._compare))
        self.began.emit()

    def stop(self) -> None:
        """End a comparison; what was found before stays."""
        self._again = False
        if self.runner.running:
            self._refused = self.runner.subject  # it is not begun anew on its own
        self.runner.cancel()

    def look(self) -> None:
        """Compare on the probe texts, where that is not done yet and somebody looks."""
        if self.eager and not self._timer.isActive():
            self._timer.start()

    def _changed(self) -> None:
        self.wantedChanged.emit()
        self.look()

    def _on_tables(self) -> None:
        open_tables = set(self._tables)
        if self._sides is not None and not open_tables.issuperset(self._sides):
            self._sides = None
        if self.result is not None and not open_tables.issuperset(self.result.tables[:2]):
            self.result = None  # what is closed is not kept
            self.found.emit()
        self._changed()

    def _compare_eagerly(self) -> None:
        wanted = self.question()
        if not self.eager or wanted is None or wanted.source.kind != "probe" or self.answered:
            return
        if self._refused is not None and self._refused.answers(wanted):
            return
        running = self.runner.subject
        if running is None or (running.source.kind == "probe" and running.tables != wanted.tables):
            self.compare()  # while a table is trained, none would ever be finished

    def _on_found(self, question: CorpusQuestion, found: ComparedCorpus) -> None:
        if self._again or any(self._tables.index(table) < 0 for table in question.tables[:2]):
            return
        self.result = found
        sides = self._sides
        if sides is not None and question.tables[:2] == sides[::-1]:
            self.result = found.swapped
        self.found.emit()

    def _on_failed(self, question: CorpusQuestion, sentence: str) -> None:
        self._refused = question
        self.failed.emit(sentence)

    def _on_ended(self) -> None:
        if self._again:
            self._again = False
            self.compare()
            return
        self.ended.emit()
        self.look()

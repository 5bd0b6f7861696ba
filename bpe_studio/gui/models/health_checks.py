"""What was found in each open table, and the checks that find it, one after another."""

from __future__ import annotations

import threading
from collections.abc import Generator
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, ref

from PySide6.QtCore import QObject, Signal

from bpe_studio.analysis.flags import Thresholds
from bpe_studio.gui.models.corpus_source import Source, training_source
from bpe_studio.gui.models.health_check import Checked, Known, iter_checked
from bpe_studio.gui.models.pass_progress import PassStep
from bpe_studio.gui.models.pass_runner import PassRunner
from bpe_studio.gui.state.findings import Findings, FindingsState
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.training import TrainingState

if TYPE_CHECKING:
    from bpe_studio.analysis.undertrained import UnderTrained
    from bpe_studio.bpe.corpus import Corpus

NOT_CHECKED = "The check failed."
GROWN = "The table has grown since this check; check it again."
GROWING = "The table grows while it is trained; what is shown is of an earlier, smaller one."


class HealthChecks(QObject):
    """Keeps the newest check of each table, and by which limits tables are judged.

    Signals
    -------
    began(object)
        An `OpenTable` is being checked.
    checked(object)
        Something was found in this `OpenTable`.
    failed(object, str)
        The check of an `OpenTable` failed; what failed and why, in sentences.
    ended()
        Nothing is being checked any more.
    trained()
        A training has ended, so that its table can be judged.
    """

    began = Signal(object)
    checked = Signal(object)
    failed = Signal(object, str)
    ended = Signal()
    trained = Signal()

    def __init__(
        self,
        tables: OpenTables,
        findings: FindingsState,
        training: TrainingState | None = None,
        *,
        ready: threading.Event | None = None,
        read: Any = None,
        parent: QObject | None = None,
    ) -> None:
        """`read` stands for `iter_corpus_use` in tests."""
        super().__init__(parent)
        self._tables = tables
        self._findings = findings
        self._training = training
        if training is not None:
            training.finished.connect(self.trained)
        self._checked: WeakKeyDictionary[OpenTable, Checked] = WeakKeyDictionary()
        self._given_up: WeakKeyDictionary[OpenTable, bool] = WeakKeyDictionary()
        self._waiting: list[tuple[ref[OpenTable], Corpus]] = []
        self._failing = NOT_CHECKED
        self.read = read
        self.thresholds = Thresholds()
        self.runner = PassRunner(ready=ready, parent=self)
        self.runner.found.connect(self._on_checked)
        self.runner.failed.connect(self._on_failed)
        self.runner.ended.connect(self._on_ended)

    def of(self, table: OpenTable | None) -> Checked | None:
        """What was found in a table last."""
        return None if table is None else self._checked.get(table)

    def outgrown(self, table: OpenTable | None) -> bool:
        """Whether a table has other tokens by now than those in which something was found."""
        found = self.of(table)
        if found is None or table is None:
            return False
        return found.rows.tokenizer.vocab_size != table.tokenizer.vocab_size

    def grown_words(self, table: OpenTable | None) -> str:
        """What is to be said of figures that are of a smaller table; nothing if they are not."""
        if table is None or not self.outgrown(table):
            return ""
        return GROWING if self._grows(table) else GROWN

    def _grows(self, table: OpenTable) -> bool:
        """Whether a table is in training: it is judged when that has ended."""
        training = self._training
        return training is not None and training.running and training.table is table

    def restore_thresholds(self, remembered: Any) -> None:
        """Judge by limits that were remembered, unless they make no sense."""
        try:
            self.set_thresholds(Thresholds.from_dict(remembered))
        except (ValueError, TypeError, AttributeError):
            self.set_thresholds(Thresholds())

    def set_thresholds(self, thresholds: Thresholds) -> None:
        """Judge by other limits from now on."""
        self.thresholds = thresholds
        self._given_up.clear()

    def check(self, table: OpenTable, source: Source) -> None:
        """Check a table, unless something is being checked."""
        before = self.of(table)
        same = before is not None and before.rows.tokenizer is table.tokenizer
        told = before.undertrained if same else None
        known = Known(thresholds=self.thresholds, undertrained=told)
        self.run(table, iter_checked(table.tokenizer, source, known, read=self.read))

    def check_later(self, table: OpenTable, corpus: Corpus) -> None:
        """Check a table, whichever is current, on a corpus; after what is being checked now."""
        self._waiting.append((ref(table), corpus))
        self._check_waiting()

    def judge_alone(self, table: OpenTable) -> None:
        """Judge a table by itself in which nobody has looked yet, or that has grown since then."""
        found = self.of(table)
        new = found is None or (found.use is None and self.outgrown(table))
        if new and table not in self._given_up and not self._grows(table):
            self.check(table, Source())

    def judge_again(self, table: OpenTable, embeddings: UnderTrained | None) -> None:
        """By other limits, or by embeddings too that were opened; no corpus is read again."""
        before = self.of(table)
        if before is None or table in self._given_up:
            return
        told = embeddings or before.undertrained
        if before.report.thresholds != self.thresholds or told is not before.undertrained:
            known = replace(before.known(self.thresholds), undertrained=told)
            self.run(table, iter_checked(before.rows.tokenizer, before.source, known))

    def run(
        self,
        table: OpenTable,
        steps: Generator[PassStep, None, Checked],
        *,
        failing: str = NOT_CHECKED,
    ) -> None:
        """Run a check of a table, unless one runs; `failing` is told before why it failed."""
        if not self.runner.running:
            self._failing = failing
            self._given_up.pop(table, None)
            self.runner.run(table, steps)
            self.began.emit(table)

    def cancel(self) -> None:
        """End a running check; it does not begin again by itself."""
        if self.runner.subject is not None:
            self._given_up[self.runner.subject] = True
        self.runner.cancel()

    def _check_waiting(self) -> None:
        """Begin a check that waited for its turn."""
        while self._waiting and not self.runner.running:
            waiting, corpus = self._waiting.pop(0)
            table = waiting()
            if table is not None and self._tables.index(table) >= 0:
                own = table.session is not None and table.session.corpus is corpus
                panel = Source("panel", "the files of the Corpus panel", corpus)
                self.check(table, training_source(table.tokenizer, corpus) if own else panel)

    def _on_checked(self, table: OpenTable, found: Checked) -> None:
        if self._tables.index(table) >= 0:
            self._checked[table] = found
            self._findings.keep(table, Findings(found.report, found.corpus))
            self.checked.emit(table)

    def _on_failed(self, table: OpenTable, sentence: str) -> None:
        self._given_up[table] = True
        self.failed.emit(table, f"{self._failing} {sentence}")

    def _on_ended(self) -> None:
        self._check_waiting()
        if not self.runner.running:
            self.ended.emit()

"""Training a table again without what a health check found, and what became of it."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import ref

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMainWindow, QWidget

from bpe_studio.gui.job import Job, call, once_ready
from bpe_studio.gui.models.retrain_plan import RetrainPlan, retrain_plan
from bpe_studio.gui.models.retrain_words import outcome
from bpe_studio.gui.state.corpus import CorpusState
from bpe_studio.gui.state.findings import Findings, FindingsState
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.training import TrainingState
from bpe_studio.gui.widgets.retrain_dialog import RetrainDialog

if TYPE_CHECKING:
    from bpe_studio.bpe.corpus import Corpus

NO_TABLE = "Open or train a table first; then it can be trained again without something."
NO_CORPUS = "Add the files to train on in the Corpus panel first."
LOOKING = "The files of the corpus are still being looked for; ask again in a moment."
BUSY = "A training is running; stop it first (Esc), or wait for its end."
STEM = "{}-without-"


@dataclass(slots=True)
class Again:
    """A training that was asked for here: the table before, the one that it makes, and how.

    `asked` is the table whose check was asked for last.
    """

    before: ref[OpenTable]
    settings: dict[str, Any]
    corpus: Corpus
    after: ref[OpenTable] | None = None
    asked: OpenTable | None = None


class Retraining(QObject):
    """Asks what a training is to be without, starts it, has both tables checked, and says so.

    Signals
    -------
    failed(str), told(str)
        It cannot be done, why in a sentence; or what is done first.
    corpusAsked()
        There is nothing to train on: the user wants the Corpus panel.
    checkAsked(object, object)
        This `OpenTable` is to be checked on this `Corpus`; `FindingsState` will tell.
    ended(str, object, object)
        What became of the flags, and the `OpenTable` before and the one after.
    """

    failed = Signal(str)
    told = Signal(str)
    corpusAsked = Signal()
    checkAsked = Signal(object, object)
    ended = Signal(str, object, object)

    def __init__(
        self,
        *,
        window: QWidget,
        tables: OpenTables,
        corpus: CorpusState,
        training: TrainingState,
        findings: FindingsState,
        ready: threading.Event | None = None,
    ) -> None:
        super().__init__(window)
        self._kernels_ready = ready
        self._window = window
        self._tables, self._corpus = tables, corpus
        self._training, self._findings = training, findings
        self._again: Again | None = None
        self.dialog: RetrainDialog | None = None
        training.finished.connect(self._on_trained)
        findings.changed.connect(self._on_findings)

    def ask(self) -> None:
        """Ask what the current table is to be trained without."""
        table, corpus = self._tables.current, self._corpus.corpus
        problem = self._problem(table, corpus)
        if problem or table is None or corpus is None:
            self.failed.emit(problem)
            if self._corpus.is_empty:
                self.corpusAsked.emit()
            return
        found = self._findings.of(table)
        if found is None:
            self.told.emit(f"Looking at the tokens of {table.name} first …")
        plan = call(
            retrain_plan,
            table.tokenizer,
            None if found is None else found.report,
            corpus,
            table=table.name,
            corpus_name=self._corpus.name,
        )
        job = Job(once_ready(self._kernels_ready, plan), self)
        job.then(self._open, ref(table), corpus)
        job.failed.connect(self.failed)
        job.ended.connect(job.deleteLater)

    def _problem(self, table: OpenTable | None, corpus: Corpus | None) -> str:
        from bpe_studio.settings import why_not_continued

        if table is None:
            return NO_TABLE
        if table.tokenizer.training is None and (why := why_not_continued(table.tokenizer)):
            return f"{table.name} cannot be trained here. {why}"
        if self._training.running:
            return BUSY
        if corpus is None or not corpus.files:
            return LOOKING if self._corpus.is_looking else NO_CORPUS
        return ""

    def _open(self, plan: RetrainPlan, table: ref[OpenTable], corpus: Corpus) -> None:
        if self._window.isHidden():
            return
        self.dialog = RetrainDialog(self._window, plan)
        self.dialog.chosen.connect(lambda settings: self._start(settings, table, corpus))
        self.dialog.destroyed.connect(self._forget_dialog)
        self.dialog.open()

    def _forget_dialog(self) -> None:
        self.dialog = None

    def _start(self, settings: dict[str, Any], table: ref[OpenTable], corpus: Corpus) -> None:
        if self._training.running:
            self.failed.emit(BUSY)
            return
        self._again = Again(table, settings, corpus)
        self._training.start(settings, stem=STEM.format(self._corpus.name))

    # What becomes of it

    def _on_trained(self) -> None:
        again, table = self._again, self._training.table
        if again is None or again.after is not None:
            return
        if table is None or self._training.phase != "done":  # stopped or failed: no comparison
            self._again = None
            return
        again.after = ref(table)
        self._go_on()

    def _on_findings(self, table: OpenTable) -> None:
        if self._again is not None and self._again.after is not None:
            self._go_on()

    def _go_on(self) -> None:
        """Have the table before checked on the same corpus, then the new one; then say it."""
        again = self._again
        assert again is not None and again.after is not None
        before, after = again.before(), again.after()
        if before is None or after is None or min(map(self._tables.index, (before, after))) < 0:
            self._again = None
            return
        found = [self._found(table, again.corpus) for table in (before, after)]
        if found[0] is None or found[1] is None:
            wanted = before if found[0] is None else after
            if again.asked is not wanted:
                again.asked = wanted
                self.checkAsked.emit(wanted, again.corpus)
            return
        self._again = None
        told = call(
            outcome,
            again.settings,
            found[0].report,
            found[1].report,
            (before.tokenizer, after.tokenizer),
        )
        job = Job(told, self)
        job.then(self._tell, before, after)
        job.ended.connect(job.deleteLater)

    def _tell(self, sentence: str, before: OpenTable, after: OpenTable) -> None:
        if min(map(self._tables.index, (before, after))) >= 0:
            self.ended.emit(sentence, before, after)

    def _found(self, table: OpenTable, corpus: Corpus) -> Findings | None:
        """What was found in a table on this corpus."""
        found = self._findings.of(table)
        if found is None or found.report.use is None:
            return None
        same = found.corpus is corpus or found.corpus == corpus
        return found if same else None


def add_retraining(window: QMainWindow) -> Retraining:
    """Make it for a `MainWindow` (which this module is not to import), and wire it."""
    made = Retraining(
        window=window,
        tables=window.tables,
        corpus=window.corpus,
        training=window.training,
        findings=window.findings,
        ready=window.kernels.ready,
    )

    def compare(before: OpenTable, after: OpenTable) -> None:
        """Side by side in Health; Compare has both tables chosen, too."""
        window.compare.choose(before, after)
        window.tables.set_current(after)
        window.show_panel(window.health)
        window.health.show_change(before)

    def tell(sentence: str, before: OpenTable, after: OpenTable) -> None:
        window.notice.ask(sentence, "Compare", lambda: compare(before, after), focus=False)

    window.health.retrainAsked.connect(made.ask)
    made.checkAsked.connect(window.health.check_table)
    made.corpusAsked.connect(lambda: window.show_panel(window.training_panel))
    made.ended.connect(tell)
    return made

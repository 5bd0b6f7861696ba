"""Training a partner of another kind for a table, to be compared with it."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMainWindow, QWidget

from bpe_studio.gui.models.partner_plan import KINDS, PartnerPlan, Train, iter_partner, partner_plan
from bpe_studio.gui.models.pass_progress import PassStep
from bpe_studio.gui.models.pass_runner import PassRunner
from bpe_studio.gui.state.corpus import CorpusState
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.widgets.compare_pages import CORPUS
from bpe_studio.gui.widgets.partner_dialog import PartnerDialog

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer
    from bpe_studio.partners import Partner, PartnerKind

NO_TABLE = "Open or train a table first; then a partner of another kind can be trained for it."
NO_CORPUS = "Add the files to train a partner on in the Corpus panel first."
LOOKING = "The files of the corpus are still being looked for; ask again in a moment."


class PartnerTraining(QObject):
    """Asks which kind is to be trained, trains it in a child process, and opens it.

    Signals
    -------
    failed(str), told(str)
        It cannot be done, why in a sentence; or what was done.
    corpusAsked()
        There is nothing to train on: the user wants the Corpus panel.
    trained(object, object)
        The `OpenTable` that has a partner now, and its partner.
    """

    failed = Signal(str)
    told = Signal(str)
    corpusAsked = Signal()
    trained = Signal(object, object)

    def __init__(
        self,
        *,
        window: QWidget,
        tables: OpenTables,
        corpus: CorpusState,
        ready: threading.Event | None = None,
        train: Train | None = None,
    ) -> None:
        """`train` stands for `partners.train_partner` in tests."""
        super().__init__(window)
        self._window, self._train = window, train
        self._tables, self._corpus = tables, corpus
        self._table: OpenTable | None = None
        self._kind: PartnerKind = "wordpiece"
        self._trouble = ""
        self.dialog: PartnerDialog | None = None
        self.runner = PassRunner(ready=ready, parent=self)
        self.runner.stepped.connect(self._on_step)
        self.runner.found.connect(self._on_trained)
        self.runner.failed.connect(self._on_failed)
        self.runner.ended.connect(self._on_ended)

    def ask(self, table: OpenTable | None) -> None:
        """Ask which partner of a table is to be trained; one at a time."""
        if self.dialog is not None:
            self.dialog.raise_()
            self.dialog.activateWindow()
            return
        corpus = self._corpus.corpus
        if table is None or corpus is None or not corpus.files:
            looking = LOOKING if self._corpus.is_looking else NO_CORPUS
            self.failed.emit(NO_TABLE if table is None else looking)
            if table is not None and self._corpus.is_empty:
                self.corpusAsked.emit()
            return
        self._table = table
        plan = partner_plan(table.name, table.tokenizer, corpus, self._corpus.name)
        self.dialog = PartnerDialog(self._window, plan)
        self.dialog.chosen.connect(lambda kind, size: self.start(plan, kind, size))
        self.dialog.cancelAsked.connect(self.runner.cancel)
        self.dialog.finished.connect(self._forget_dialog)
        self.dialog.show()

    def start(self, plan: PartnerPlan, kind: PartnerKind, vocab_size: int) -> None:
        """Train a partner, unless one is being trained."""
        if self.runner.running:
            return
        self._kind, self._trouble = kind, ""
        self.runner.run(plan, iter_partner(plan, kind, vocab_size, self._train))
        if self.dialog is not None:
            self.dialog.begin()

    def _on_step(self, step: PassStep) -> None:
        if self.dialog is not None:
            self.dialog.strip.tell(step, self.runner.pace)

    def _on_trained(self, plan: PartnerPlan, partner: Partner) -> None:
        made = self._tables.add(
            OpenTable(tokenizer=_noted(partner), name=f"{plan.table}-{self._kind}", dirty=True),
            make_current=False,
        )
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.end()
            dialog.close()
        self.told.emit(partner.shortfall or f"{KINDS[self._kind][0]} is open as {made.name}.")
        if self._tables.index(self._table) >= 0:
            self.trained.emit(self._table, made)

    def _on_failed(self, _: object, sentence: str) -> None:
        self._trouble = sentence
        if self.dialog is None:
            self.failed.emit(sentence)

    def _on_ended(self) -> None:
        if self.dialog is not None:
            self.dialog.end(self._trouble)

    def _forget_dialog(self, _: int = 0) -> None:
        self.dialog = None


def _noted(partner: Partner) -> Tokenizer:
    """The tokenizer, which says itself that it has fewer tokens than were asked for."""
    if not partner.shortfall:
        return partner.tokenizer
    return replace(partner.tokenizer, notes=(*partner.tokenizer.notes, partner.shortfall))


def add_partner_training(window: QMainWindow) -> PartnerTraining:
    """Make it for a `MainWindow` (which this module is not to import), and wire it."""
    made = PartnerTraining(
        window=window, tables=window.tables, corpus=window.corpus, ready=window.kernels.ready
    )

    def compare(table: OpenTable, partner: OpenTable) -> None:
        window.compare.choose(table, partner)
        window.show_panel(window.compare)
        window.compare.pages.show_page(CORPUS)
        page = window.compare.pages.corpus
        if page.source.source.kind != "probe":  # on the probe texts it compares by itself
            page.compare()

    window.compare.partnerAsked.connect(lambda: made.ask(window.compare.chooser_a.chosen))
    made.corpusAsked.connect(lambda: window.show_panel(window.training_panel))
    made.trained.connect(compare)
    return made

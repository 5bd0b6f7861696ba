"""Units and traps of a lesson: the two pages, of which table they are asked, and the answers."""

from __future__ import annotations

import threading

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QComboBox, QWidget

from bpe_studio.analysis.traps import Trap
from bpe_studio.bpe.lesson_table import tokenizer_of
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.gui.models.lesson_answers import LessonAnswers
from bpe_studio.gui.state.lesson_run import LessonRun
from bpe_studio.gui.state.open_tables import OpenTables
from bpe_studio.gui.state.selection import Selection
from bpe_studio.gui.widgets.traps_page import TrapsPage
from bpe_studio.gui.widgets.units_page import UnitsPage
from bpe_studio.gui.widgets.words import counted

ASK_MS = 60
PATIENCE_MS = 400
LOOKING = "Looking for it in the table …"
COMPILING = (
    "The kernels are still being compiled, as once on every machine. "
    "Here stands the answer as soon as they are there."
)


class LessonQuestions(QObject):
    """Asks again whenever the lesson, the table or the question is another one and in sight."""

    def __init__(
        self,
        *,
        run: LessonRun,
        tables: OpenTables,
        selection: Selection,
        ready: threading.Event | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._run = run
        self._tables = tables
        self._selection = selection
        self.units, self.traps = UnitsPage(), TrapsPage()
        self.chooser = QComboBox()
        self.chooser.setAccessibleName("Table of units and traps")
        self.chooser.setMinimumContentsLength(8)
        self.answers = LessonAnswers(ready=ready, parent=self)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(ASK_MS)
        self._timer.timeout.connect(self.ask)
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(PATIENCE_MS)
        self._patience.timeout.connect(self._on_waiting)
        self._wire()
        self.refresh()

    def _wire(self) -> None:
        self._run.changed.connect(self.refresh)
        self._tables.changed.connect(self.refresh)
        self._tables.currentChanged.connect(lambda _: self.refresh())
        self.chooser.activated.connect(lambda _: self.ask())
        self.units.wordChosen.connect(lambda _: self.ask())
        self.traps.trapChosen.connect(lambda _: self.ask())
        self.traps.tokenChosen.connect(self._on_token)
        self.answers.units.connect(self.units.show_units)
        self.answers.trap.connect(self._on_trap)
        self.traps.endAsked.connect(self._run.run_to_end)
        self.answers.failed.connect(self._on_failed)

    def refresh(self) -> None:
        """Offer the lesson's table and the current one, and ask soon; the chosen one stays."""
        chosen = max(self.chooser.currentIndex(), 0)
        current = self._tables.current
        self.chooser.clear()
        self.chooser.addItem(f"This lesson, {counted(self._run.place, 'merge')}")
        if current is not None:
            self.chooser.addItem(current.name)
        self.chooser.setCurrentIndex(min(chosen, self.chooser.count() - 1))
        self._timer.start()

    def ask(self) -> None:
        """Ask for what is in sight."""
        if not (self.units.isVisible() or self.traps.isVisible()):
            return
        tokenizer, text = self._tokenizer(), self._run.text
        if self._run.lesson is None or tokenizer is None:
            self.answers.cancel()
            self._on_failed(self._run.error)
        elif self.units.isVisible():
            self.answers.ask_units(tokenizer, text, self.units.word.text())
        else:
            self.answers.ask_trap(tokenizer, text, self.traps.key)
        self._patience.start()

    def _on_waiting(self) -> None:
        """A large table takes a while; a small one answers before anybody reads a word."""
        if self.answers.busy and self.answers.waits_for_kernels:
            self._on_failed(COMPILING)
        elif self.answers.busy and self.units.isVisible() and self.units.found is None:
            self.units.show_failure(LOOKING)
        elif self.answers.busy and self.traps.isVisible():
            self.traps.show_failure(LOOKING)

    def _on_trap(self, trap: Trap) -> None:
        of_lesson = self.chooser.currentIndex() == 0
        self.traps.show_trap(trap, unfinished=of_lesson and not self._run.at_end)

    def _tokenizer(self) -> Tokenizer | None:
        current = self._tables.current
        if self.chooser.currentIndex() == 1 and current is not None:
            return current.tokenizer
        return tokenizer_of(self._run.lesson) if self._run.lesson is not None else None

    def _on_token(self, token: int) -> None:
        """A token of the current table is selected everywhere; one of the lesson is not there."""
        if self.chooser.currentIndex() == 1 and token in self._tables.current.tokenizer.table:
            self._selection.select_token(token)

    def _on_failed(self, sentence: str) -> None:
        self.units.show_failure(sentence)
        self.traps.show_failure(sentence)

"""The Health panel: tokens that will hurt a model, each with its evidence."""

from __future__ import annotations

import threading
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from bpe_studio.analysis.flags import Thresholds
from bpe_studio.analysis.health_change import HealthChange
from bpe_studio.gui import theme
from bpe_studio.gui.models.health_check import Checked
from bpe_studio.gui.models.health_checks import HealthChecks
from bpe_studio.gui.models.pass_progress import PassStep
from bpe_studio.gui.state.corpus import CorpusState
from bpe_studio.gui.state.findings import FindingsState
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.selection import Selection
from bpe_studio.gui.state.training import TrainingState
from bpe_studio.gui.widgets.basics import EmptyState, lines
from bpe_studio.gui.widgets.flag_detail import Find
from bpe_studio.gui.widgets.health_head import HealthHead
from bpe_studio.gui.widgets.health_pages import CHANGE, HealthPages

if TYPE_CHECKING:
    from bpe_studio.bpe.corpus import Corpus

HINT = (
    "Finds tokens that no text produces, halves of characters, look-alikes of specials, and tokens "
    "that a corpus never or rarely uses, each with its evidence."
)
NO_TABLE = "Open or train a table, and check its tokens here. " + HINT


class HealthPanel(QWidget):
    """Checks the current table; what was found can be sorted, filtered, followed and kept.

    The table alone is judged as soon as the panel is looked at; a corpus is read when asked for.

    Signals
    -------
    openAsked()
        The user wants a table opened.
    retrainAsked()
        The current table is to be trained again, without what makes the tokens that were found.
    thresholdsAsked(), saveAsked()
        Limits are to be set; a report is to be saved.
    textAsked(str, str, int, int)
        A text, its name, and which of its characters to select in the Text pane.
    runningChanged()
        Something is being read or judged, or no longer.
    """

    openAsked = Signal()
    retrainAsked = Signal()
    thresholdsAsked = Signal()
    saveAsked = Signal()
    textAsked = Signal(str, str, int, int)
    runningChanged = Signal()
    title = "Health"

    def __init__(
        self,
        *,
        tables: OpenTables,
        selection: Selection,
        corpus: CorpusState,
        findings: FindingsState,
        training: TrainingState | None = None,
        ready: threading.Event | None = None,
        read: Any = None,
        find: Find | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """`read` and `find` stand for `iter_corpus_use` and `iter_context` in tests."""
        super().__init__(parent)
        self.setObjectName("healthPanel")
        self._tables = tables
        self._selection = selection
        self.checks = HealthChecks(tables, findings, training, ready=ready, read=read, parent=self)
        self.runner = self.checks.runner
        self._build(corpus, find)
        self._wire()
        self._on_table(tables.current)

    @property
    def running(self) -> bool:
        """Whether a check runs, or embeddings are being read."""
        return self.runner.running or self.pages.running

    @property
    def checked(self) -> Checked | None:
        """What was found in the current table."""
        return self.checks.of(self._tables.current)

    @property
    def thresholds(self) -> Thresholds:
        """By which limits tables are judged."""
        return self.checks.thresholds

    @property
    def filter_edit(self) -> QWidget:
        """What Ctrl+F goes to."""
        return self.pages.table.filter_edit

    @property
    def change(self) -> tuple[HealthChange | None, str]:
        """What differs from the table that is compared with, and the name of that."""
        before = self.pages.change.chooser.chosen
        return self.pages.change.change, before.name if before is not None else ""

    def state(self) -> dict[str, Any]:
        """What is to be remembered: the limits, and where files were chosen."""
        return {"thresholds": self.thresholds.as_dict(), "folder": self.head.source.folder}

    def restore(self, state: dict[str, Any]) -> None:
        """Take what was remembered; what makes no sense is passed over."""
        self.checks.restore_thresholds(state.get("thresholds", {}))
        folder = state.get("folder", "")
        self.head.source.folder = folder if isinstance(folder, str) else ""

    # The check

    def check_on_files(self) -> None:
        """Let the user choose files, and check the current table on them."""
        if self.head.source.ask_files():
            self.check()

    def check_on_folder(self) -> None:
        """Let the user choose a folder, and check the current table on it."""
        if self.head.source.ask_folder():
            self.check()

    def ask_retrain(self) -> None:
        """Ask for a training without what made the tokens with flags."""
        if self._tables.current is not None:
            self.retrainAsked.emit()

    def check(self) -> None:
        """Check the current table on what is chosen, on a worker thread."""
        current = self._tables.current
        if current is not None:
            self.checks.check(current, self.head.source.source)

    def check_table(self, table: OpenTable, corpus: Corpus) -> None:
        """Check a table, whichever is current, on a corpus; after what is being checked now."""
        self.checks.check_later(table, corpus)

    def run(self, table: OpenTable, steps: Generator[PassStep, None, Checked]) -> None:
        """Run a check of a table, unless one runs."""
        self.checks.run(table, steps)

    def show_change(self, before: OpenTable) -> None:
        """Set the current table beside one from before it."""
        self.pages.change.chooser.choose(before)
        self.pages.show_page(CHANGE)

    def cancel(self) -> None:
        """End a running check, and reading embeddings; what was shown before stays."""
        self.checks.cancel()
        self.head.strip.tell_cancelled()
        self.pages.cancel()

    def set_thresholds(self, thresholds: Thresholds) -> None:
        """Judge by other limits from now on; what a corpus has told is not read again."""
        self.checks.set_thresholds(thresholds)
        self._judge_again()

    def _judge_again(self) -> None:
        found = self.checked
        if found is not None and self._tables.current is not None:
            told = self.pages.undertrained_of(found.rows.tokenizer)
            self.checks.judge_again(self._tables.current, told)

    def _judge_if_seen(self) -> None:
        """Where nobody has looked yet, the table alone is judged at once."""
        if self.isVisible() and self._tables.current is not None:
            self.checks.judge_alone(self._tables.current)

    def _compare(self) -> None:
        """Set the current table beside the one that is chosen, which is judged if need be."""
        before, current = self.pages.change.chooser.chosen, self._tables.current
        self.pages.change.tell(current, self.checked, self.checks.of(before))
        self._judge_other()

    def _judge_other(self) -> None:
        before = self.pages.change.chooser.chosen
        if before is not None and before is not self._tables.current:
            self.checks.judge_alone(before)

    # Construction

    def _build(self, corpus: CorpusState, find: Find | None) -> None:
        self.head = HealthHead(corpus)
        self.pages = HealthPages(self._tables, find=find)
        self.empty = EmptyState(HINT, action="Check this table")
        self.views = QStackedWidget()
        self.views.addWidget(self.empty)
        self.views.addWidget(self.pages)
        column = lines(self.head, margin=0)
        column.setContentsMargins(theme.MARGIN, theme.GAP, theme.MARGIN, theme.GAP)
        column.addWidget(self.views, 1)
        self.setLayout(column)

    def _wire(self) -> None:
        self.empty.asked.connect(self._on_empty_asked)
        self.head.checkAsked.connect(self.check)
        self.head.cancelAsked.connect(self.cancel)
        self.head.retrainAsked.connect(self.ask_retrain)
        self.pages.tokenChosen.connect(self._selection.select_token)
        self.pages.filesAsked.connect(self.check_on_files)
        self.pages.thresholdsAsked.connect(self.thresholdsAsked)
        self.pages.saveAsked.connect(self.saveAsked)
        self.pages.embeddingsFound.connect(self._judge_again)
        self.pages.runningChanged.connect(self.runningChanged)
        self.pages.change.beforeChosen.connect(lambda _: self._compare())
        self.pages.table.detail.textAsked.connect(self.textAsked)
        self._selection.tokenSelected.connect(self.pages.follow)
        self._tables.currentChanged.connect(self._on_table)
        self._tables.tokenizerChanged.connect(lambda _: self._on_tokenizer())
        self.runner.stepped.connect(lambda step: self.head.strip.tell(step, self.runner.pace))
        self.checks.began.connect(self._on_began)
        self.checks.checked.connect(self._on_checked)
        self.checks.failed.connect(self._on_failed)
        self.checks.ended.connect(self._on_ended)
        self.checks.trained.connect(self._tell_grown)
        self.checks.trained.connect(self._judge_if_seen)

    def _on_empty_asked(self) -> None:
        (self.openAsked.emit if self._tables.current is None else self.check)()

    # What comes of it

    def _on_began(self, table: OpenTable) -> None:
        self.head.begin(table.name)
        self._show_page()
        self.runningChanged.emit()

    def _on_checked(self, table: OpenTable) -> None:
        if table is self._tables.current:
            self._show_checked()
        else:
            self._compare()

    def _on_failed(self, table: OpenTable, sentence: str) -> None:
        if table is self._tables.current:
            self._show_checked()
            self.head.notice.tell(sentence)

    def _on_ended(self) -> None:
        self.head.end()
        self._show_page()
        self._judge_again()
        self._judge_if_seen()
        self._judge_other()
        self.runningChanged.emit()

    def _show_checked(self) -> None:
        self.head.show_checked(self.checked)
        self.pages.show_checked(self._tables.current, self.checked)
        self._compare()
        self.pages.follow(self._selection.token)
        self._show_page()
        self._tell_grown()

    def _tell_grown(self) -> None:
        """Figures of a smaller table never stand without saying so."""
        if words := self.checks.grown_words(self._tables.current):
            self.head.notice.tell(words)

    def _show_page(self) -> None:
        current, running = self._tables.current, self.runner.running
        self.head.setVisible(current is not None)
        self.views.setCurrentWidget(self.pages if self.checked is not None else self.empty)
        if current is None:
            self.empty.set_text(NO_TABLE, action="Open a tokenizer …")
        else:
            self.empty.set_text(HINT, action="" if running else f"Check {current.name}")

    # Tables

    def _on_table(self, table: OpenTable | None) -> None:
        """Another table: what was found in it, or what can be looked for."""
        self.head.source.set_table(table)
        self._show_checked()
        self._judge_if_seen()

    def _on_tokenizer(self) -> None:
        self.head.source.set_table(self._tables.current)
        self._tell_grown()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._judge_if_seen()

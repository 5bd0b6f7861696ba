"""What Health asks of the rest of the window: texts, dialogs, files."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QMainWindow

from bpe_studio.gui.job import Job, call
from bpe_studio.gui.models.health_saving import (
    REPORTS,
    iter_reopened,
    iter_saved_report,
    save_use,
)
from bpe_studio.gui.widgets.save_dialogs import choose_place
from bpe_studio.gui.widgets.thresholds_dialog import ThresholdsDialog

NO_TABLE = "Open or train a table first."
NOTHING = "Nothing is checked yet; check the table first (F6)."
NO_USE = "Check the table on a corpus first; then what the corpus has told can be saved."
NOT_READ = "What a corpus has told could not be read."
USE = "What a corpus does with the tokens (*.use.json)"


class HealthActions(QObject):
    """Opens texts, asks for limits, saves reports and what corpora have told.

    Signals
    -------
    told(str), failed(str)
        Something was done, or why it could not be.
    """

    told = Signal(str)
    failed = Signal(str)

    def __init__(self, window: QMainWindow) -> None:
        """`window` is a `MainWindow`, which this module is not to import."""
        super().__init__(window)
        self._window = window
        self.panel = window.health
        self.panel.textAsked.connect(self.show_text)
        self.panel.thresholdsAsked.connect(self.ask_thresholds)
        self.panel.saveAsked.connect(self.ask_report)

    def show_text(self, text: str, name: str, start: int, end: int) -> None:
        """Put a text into Text, with some of its characters selected."""
        window = self._window
        window.show_panel(window.text_panel)
        window.text.set_text(text, name=name)
        window.selection.select_span(text, start, end)

    def ask_thresholds(self) -> None:
        """Ask where a token begins to count as rare, concentrated or long."""
        dialog = ThresholdsDialog(self._window, self.panel.thresholds)
        dialog.chosen.connect(self.panel.set_thresholds)
        dialog.open()

    # Files

    def ask_report(self) -> None:
        """Ask where to save a report, and save it."""
        if self.panel.checked is None:
            self.told.emit(NOTHING)
            return
        suggested = Path(self._window.store.folder()) / f"{self._name()}-health"
        chosen = choose_place(self._window, "Save a report", suggested, REPORTS)
        if chosen is not None:
            self.save_report(chosen[0])

    def save_report(self, path: Path) -> None:
        """Save a report as HTML, Markdown, CSV or JSON, by the suffix."""
        checked = self.panel.checked
        if checked is not None:
            change, before = self.panel.change
            steps = iter_saved_report(
                path, self._name(), checked, change=change, before_name=before
            )
            self._run(steps)

    def ask_use(self) -> None:
        """Ask where to save what the corpus has told, and save it."""
        checked = self.panel.checked
        if checked is None or checked.use is None:
            self.told.emit(NO_USE)
            return
        suggested = Path(self._window.store.folder()) / self._name()
        chosen = choose_place(
            self._window, "Save what the corpus has told", suggested, {USE: ".use.json"}
        )
        if chosen is not None:
            self._run(call(save_use, chosen[0], self._name(), checked))

    def ask_open_use(self) -> None:
        """Ask for a file of what a corpus has told, and judge the table by it."""
        if self._window.tables.current is None:
            self.told.emit(NO_TABLE)
            return
        name, _ = QFileDialog.getOpenFileName(
            self._window, "Open what a corpus has told", self._window.store.folder(), USE
        )
        if name:
            self.open_use(Path(name))

    def open_use(self, path: Path) -> None:
        """Judge the current table by what a corpus has told before."""
        table, window = self._window.tables.current, self._window
        if table is None:
            return
        session = table.session.corpus if table.session is not None else None
        corpora = tuple(c for c in (session, window.corpus.corpus) if c is not None)
        window.show_panel(self.panel)
        steps = iter_reopened(path, table.tokenizer, self.panel.thresholds, corpora)
        self.panel.checks.run(table, steps, failing=NOT_READ)

    def _name(self) -> str:
        current = self._window.tables.current
        return current.name if current is not None else "table"

    def _run(self, steps: object) -> None:
        job = Job(steps, self)
        job.then(self._on_saved)
        job.failed.connect(self.failed)
        job.ended.connect(job.deleteLater)

    def _on_saved(self, path: Path) -> None:
        self._window.store.set("folder", str(path.parent))
        self.told.emit(f"Saved {path.name}.")

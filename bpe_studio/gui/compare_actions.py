"""What Compare asks of the rest of the window: Explain, dialogs, files."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMainWindow

from bpe_studio.gui.job import Job
from bpe_studio.gui.models.compare_saving import REPORTS, iter_saved_comparison
from bpe_studio.gui.widgets.save_dialogs import choose_place

WITHOUT_CORPUS = ", without the corpus: its figures are of other tables"
NOTHING = "No two tables are compared yet; open two, and look at Compare."


class CompareActions(QObject):
    """Brings Explain to the front, and saves reports.

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
        self.panel = window.compare
        self.panel.explainAsked.connect(lambda: window.show_panel(window.explain))
        self.panel.saveAsked.connect(self.ask_report)

    def ask_report(self) -> None:
        """Ask where to save a report, and save it."""
        seen = self.panel.seen
        if seen is None:
            self.told.emit(NOTHING)
            return
        name = " and ".join(seen.names).replace("/", "-")
        suggested = Path(self._window.store.folder()) / f"{name}-compare"
        chosen = choose_place(self._window, "Save a report", suggested, REPORTS)
        if chosen is not None:
            self.save_report(chosen[0])

    def save_report(self, path: Path) -> None:
        """Save a report as HTML, Markdown, CSV or JSON, by the suffix."""
        seen = self.panel.seen
        if seen is not None:
            corpus = self.panel.pages.corpus
            is_left_out = seen.corpus is None and corpus is not None and corpus.result is not None
            job = Job(iter_saved_comparison(path, seen), self)
            job.then(self._on_saved, WITHOUT_CORPUS if is_left_out else "")
            job.failed.connect(self.failed)
            job.ended.connect(job.deleteLater)

    def _on_saved(self, path: Path, but: str) -> None:
        self._window.store.set("folder", str(path.parent))
        self.told.emit(f"Saved {path.name}{but}.")

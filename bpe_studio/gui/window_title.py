"""What follows the state of the window: its title, and which actions can be asked for."""

from __future__ import annotations

from PySide6.QtWidgets import QMainWindow

from bpe_studio.gui.compare_menu import NEED_TWO
from bpe_studio.gui.health_menu import NEED_TABLE
from bpe_studio.gui.widgets.words import percent


class WindowTitle:
    """Keeps the title and the menus of a `MainWindow` (not to be imported here) up to date."""

    def __init__(self, window: QMainWindow) -> None:
        self._window = window
        tables, training = window.tables, window.training
        tables.currentChanged.connect(lambda _: self.show())
        tables.changed.connect(self.show)
        training.phaseChanged.connect(lambda _: self.show())
        training.progressed.connect(lambda _: self._show_title())
        window.corpus.changed.connect(self._show_actions)
        window.training_panel.form.changed.connect(self._show_actions)
        window.files.opening.runningChanged.connect(self._show_actions)
        window.lesson.run.playingChanged.connect(lambda _: self._show_actions())
        window.health.runningChanged.connect(self._show_actions)
        window.compare.runningChanged.connect(self._show_actions)
        self.show()

    def show(self) -> None:
        """Say what is so now."""
        table = self._window.tables.current
        self._show_title()
        self._window.setWindowModified(table is not None and table.dirty)
        self._show_actions()

    def _show_title(self) -> None:
        """The table's name; while something is learned, with how far it is, for the task bar."""
        window = self._window
        table, progress = window.tables.current, window.training.progress
        running = window.training.running and progress.total
        share = f"{percent(progress.done, progress.total)} · " if running else ""
        title = f"{share}{table.name if table else 'BPE Studio'}[*]"
        if title != window.windowTitle():
            window.setWindowTitle(title)

    def _show_actions(self) -> None:
        window = self._window
        training, open_ = window.training, window.tables.current is not None
        offered, checked = window.training_panel, window.health.checked
        for name, enabled in (
            ("start", offered.can_start),
            ("step", offered.can_step),
            ("continue", bool(offered.offer.kind)),
            ("stop", window.stopping.possible),
            ("sample", not training.running),
            ("new", not training.running),
            ("save", open_),
            ("save_as", open_),
            ("save_csv", open_),
            ("copy_rows", open_),
            ("close", open_),
            ("next", len(window.tables) > 1),
            *((name, open_) for name in NEED_TABLE),
            *((name, len(window.tables) > 1) for name in NEED_TWO),
            ("health_report", checked is not None),
            ("health_save_use", checked is not None and checked.use is not None),
        ):
            window.menus[name].setEnabled(enabled)
        for panel in (window.merges, window.curve):
            panel.empty.button.setEnabled(not training.running)

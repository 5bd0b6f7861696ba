"""What was chosen in the panels, kept for the next start."""

from __future__ import annotations

from PySide6.QtWidgets import QMainWindow


class WindowChoices:
    """Settings of a training, folders, targets of a size, limits of Health, the page of Compare."""

    def __init__(self, window: QMainWindow) -> None:
        """Put back what was kept in a `MainWindow` (which this module is not to import)."""
        self._window = window
        store, training = window.store, window.training_panel
        training.form.restore(store.get("training", {}))
        training.corpus_list.folder = store.get("corpus_folder", "")
        window.curve.sizing.restore(store.get("sizing", {}))
        window.health.restore(store.get("health", {}))
        window.compare.restore(store.get("compare", {}))

    def remember(self) -> None:
        """Note what is chosen now."""
        window, store = self._window, self._window.store
        store.set("training", window.training_panel.form.state())
        store.set("corpus_folder", window.training_panel.corpus_list.folder)
        store.set("sizing", window.curve.sizing.state())
        store.set("health", window.health.state())
        store.set("compare", window.compare.state())

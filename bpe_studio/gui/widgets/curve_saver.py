"""The button that saves the curve: as a picture, a drawing, or numbers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QMenu

from bpe_studio.files import write_atomic
from bpe_studio.gui.job import sentence_of
from bpe_studio.gui.widgets.basics import Button

KINDS = (
    ("png", "Picture (PNG)…"),
    ("svg", "Drawing (SVG)…"),
    ("csv", "Numbers (CSV)…"),
)


class CurveSaver(Button):
    """Asks where to save, and saves.

    Parameters
    ----------
    content : callable
        From a suffix, such as ".csv", to what is saved; None where there is nothing.
    name : callable
        To what the name of a file begins with.

    Signals
    -------
    saved(str), failed(str)
        A sentence about it.
    """

    saved = Signal(str)
    failed = Signal(str)

    def __init__(self, *, content: Callable[[str], bytes | None], name: Callable[[], str]) -> None:
        super().__init__("Save", look="quiet", tip="Save the curve")
        self._content = content
        self._name = name
        menu = QMenu(self)
        for suffix, words in KINDS:
            action = QAction(words, menu)
            action.triggered.connect(lambda _=False, kind=suffix: self.ask_and_save(kind))
            menu.addAction(action)
        self.setMenu(menu)

    def ask_and_save(self, suffix: str) -> None:
        """Ask where to save, and save."""
        name, _ = QFileDialog.getSaveFileName(
            self.window(), "Save the curve", f"{self._name()}-curve.{suffix}", f"*.{suffix}"
        )
        if name:
            path = Path(name)
            self.save(path if path.suffix else path.with_suffix(f".{suffix}"))

    def save(self, path: Path) -> None:
        """Save as PNG, SVG or CSV, by the suffix."""
        content = self._content(path.suffix.lower())
        if content is None:
            return
        try:
            write_atomic(path, content)
            self.saved.emit(f"Saved {path.name}.")
        except OSError as error:
            self.failed.emit(sentence_of(error))

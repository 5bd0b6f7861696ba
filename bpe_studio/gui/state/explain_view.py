"""How Explain is looked at: which sections are folded, and merges as steps or as a tree."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QObject, Signal

Merges = Literal["steps", "tree"]


class ExplainView(QObject):
    """Remembered from one story to the next while the program runs.

    Signals
    -------
    mergesChanged(str)
        Merges are to be shown as "steps" or as a "tree" from now on.
    """

    mergesChanged = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._open: dict[str, bool] = {}
        self._merges: Merges = "steps"

    @property
    def merges(self) -> Merges:
        """How merges are shown."""
        return self._merges

    def set_merges(self, merges: Merges) -> None:
        """Show merges as "steps" or as a "tree"."""
        if merges != self._merges:
            self._merges = merges
            self.mergesChanged.emit(merges)

    def is_open(self, section: str, *, at_first: bool = True) -> bool:
        """Whether the section of this name is open; `at_first` as long as nobody touched it."""
        return self._open.get(section, at_first)

    def set_open(self, section: str, opened: bool) -> None:
        """Note that a section was folded or opened."""
        self._open[section] = opened

"""Under how many of its merges the current table shows the text: the vocabulary slider."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from bpe_studio.analysis.compression import Curve


class SizeState(QObject):
    """The size that the slider stands at, and the curve of the text over all sizes.

    Signals
    -------
    changed()
        `merges` is another number now, or None.
    curveChanged()
        `curve` is another one now, or None.
    """

    changed = Signal()
    curveChanged = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._merges: int | None = None
        self._curve: Curve | None = None

    @property
    def merges(self) -> int | None:
        """The first so many merges of the current table are used; None for all of them."""
        return self._merges

    @property
    def curve(self) -> Curve | None:
        """Tokens of the shown text under the first 0, 1, 2, … merges; None while not known."""
        return self._curve

    def set_merges(self, merges: int | None) -> None:
        """Move the slider."""
        if merges != self._merges:
            self._merges = merges
            self.changed.emit()

    def set_curve(self, curve: Curve | None) -> None:
        """Take the curve of the text, or None where it is not known (any more)."""
        if curve is not self._curve:
            self._curve = curve
            self.curveChanged.emit()

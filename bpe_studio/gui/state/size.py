"""Under how many of its merges the current table shows the text: the vocabulary slider."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, Signal

from bpe_studio.gui.state.open_tables import OpenTable, OpenTables

if TYPE_CHECKING:
    from bpe_studio.analysis.compression import Curve
    from bpe_studio.bpe.tokenizer import Tokenizer


class SizeState(QObject):
    """The size that the slider stands at, and the curve of the text over all sizes.

    Every table keeps its own size while another is current. All of its merges stay all of them
    when it learns more.

    Signals
    -------
    changed()
        `merges` is another number now, or None.
    curveChanged()
        `curve` is another one now, or None.
    """

    changed = Signal()
    curveChanged = Signal()

    def __init__(self, tables: OpenTables | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tables = tables
        self._merges: int | None = None
        self._curve: Curve | None = None
        self._of_table: WeakKeyDictionary[OpenTable, int] = WeakKeyDictionary()
        self._cut: tuple[Tokenizer, int, Tokenizer] | None = None
        if tables is not None:
            tables.currentChanged.connect(self._on_table)
            tables.tokenizerChanged.connect(self._on_tokenizer)

    @property
    def merges(self) -> int | None:
        """The first so many merges of the current table are used; None for all of them."""
        return self._merges

    @property
    def curve(self) -> Curve | None:
        """Tokens of the shown text under the first 0, 1, 2, … merges; None while not known."""
        return self._curve

    @property
    def tokenizer(self) -> Tokenizer | None:
        """The current table at this size: what the text is cut by."""
        table = self._current
        if table is None or self._merges is None:
            return None if table is None else table.tokenizer
        whole, merges = table.tokenizer, self._merges
        if self._cut is None or self._cut[0] is not whole or self._cut[1] != merges:
            self._cut = (whole, merges, whole.prefix(merges))
        return self._cut[2]

    def set_merges(self, merges: int | None) -> None:
        """Move the slider; at the last merge it stands for all, also those to come."""
        table = self._current
        if merges is not None and table is not None:
            merges = max(0, merges)
            merges = None if merges >= len(table.tokenizer.table.merges) else merges
        if table is not None and merges is None:
            self._of_table.pop(table, None)
        elif table is not None and merges is not None:
            self._of_table[table] = merges
        self._set(merges)

    def set_curve(self, curve: Curve | None) -> None:
        """Take the curve of the text, or None where it is not known (any more)."""
        if curve is not self._curve:
            self._curve = curve
            self.curveChanged.emit()

    @property
    def _current(self) -> OpenTable | None:
        return None if self._tables is None else self._tables.current

    def _set(self, merges: int | None) -> None:
        if merges != self._merges:
            self._merges = merges
            self.changed.emit()

    def _on_table(self, table: OpenTable | None) -> None:
        self.set_curve(None)
        self._set(None if table is None else self._of_table.get(table))

    def _on_tokenizer(self, table: OpenTable) -> None:
        """A table that has fewer merges now is shown with all of them."""
        if table is self._current:
            self.set_curve(None)
            self.set_merges(self._merges)
        elif self._of_table.get(table, 0) >= len(table.tokenizer.table.merges):
            self._of_table.pop(table, None)

"""Under how many of its merges the current table shows the text: the vocabulary slider."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, QTimer, Signal

from bpe_studio.gui.job import Job, call
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables

if TYPE_CHECKING:
    from bpe_studio.analysis.compression import Curve
    from bpe_studio.bpe.tokenizer import Tokenizer

REST_MS = 120


@dataclass(frozen=True, slots=True, eq=False)
class _Cut:
    """A table at a size."""

    table: OpenTable
    whole: Tokenizer
    merges: int
    tokenizer: Tokenizer


class SizeState(QObject):
    """The size that the slider stands at, and the curve of the text over all sizes.

    Every table keeps its own size while another is current. All of its merges stay all of them
    when it learns more.

    Signals
    -------
    changed()
        `merges` is another number now, or None.
    tokenizerChanged()
        `tokenizer` is that of the size where the slider rests now.
    curveChanged()
        `curve`, `curve_is_old` or `why_no_curve` is another one now.
    """

    changed = Signal()
    tokenizerChanged = Signal()
    curveChanged = Signal()

    def __init__(self, tables: OpenTables | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tables = tables
        self._merges: int | None = None
        self._curve: Curve | None = None
        self._curve_is_old = False
        self._why_no_curve = ""
        self._of_table: WeakKeyDictionary[OpenTable, int] = WeakKeyDictionary()
        self._cut: _Cut | None = None
        self._job: Job | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._make)
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
    def curve_is_old(self) -> bool:
        """Whether `curve` is of the text before an edit, until that of this one is known."""
        return self._curve_is_old

    @property
    def why_no_curve(self) -> str:
        """Why there is no curve of the text, a sentence; nothing where there is no text."""
        return self._why_no_curve

    @property
    def tokenizer(self) -> Tokenizer | None:
        """The current table at the size where the slider last rested; None while it is made."""
        table = self._current
        if table is None or self._merges is None:
            return None if table is None else table.tokenizer
        return self._cut.tokenizer if self._cut is not None and self._cut.table is table else None

    @property
    def rests(self) -> bool:
        """Whether `tokenizer` is that of `merges`."""
        table, cut = self._current, self._cut
        if table is None or self._merges is None:
            return True
        return cut is not None and (cut.whole, cut.merges) == (table.tokenizer, self._merges)

    def set_merges(self, merges: int | None) -> None:
        """Move the slider; at the last merge it stands for all, also those to come."""
        table = self._current
        if table is not None and merges is not None:
            merges = max(0, merges)
            merges = None if merges >= len(table.tokenizer.table.merges) else merges
        if table is not None and merges is None:
            self._of_table.pop(table, None)
        elif table is not None and merges is not None:
            self._of_table[table] = merges
        self._set(merges)

    def set_curve(self, curve: Curve | None, *, why: str = "") -> None:
        """Take the curve of the text, or None where it is not known (any more), and `why`."""
        self._take_curve(curve, False, why)

    def age_curve(self, why: str) -> None:
        """The text is another one, and its curve is to come: until then there is that of before."""
        self._take_curve(self._curve, self._curve is not None, why)

    def _take_curve(self, curve: Curve | None, is_old: bool, why: str) -> None:
        known = (self._curve_is_old, self._why_no_curve) == (is_old, why)
        if curve is self._curve and known:
            return
        self._curve, self._curve_is_old, self._why_no_curve = curve, is_old, why
        self.curveChanged.emit()

    @property
    def _current(self) -> OpenTable | None:
        return None if self._tables is None else self._tables.current

    def _set(self, merges: int | None) -> None:
        if merges != self._merges:
            self._merges = merges
            self._timer.start(REST_MS)
            self.changed.emit()

    def _on_table(self, table: OpenTable | None) -> None:
        self.set_curve(None)
        self._set(None if table is None else self._of_table.get(table))
        self._timer.start(0)

    def _on_tokenizer(self, table: OpenTable) -> None:
        """A table that has fewer merges now is shown with all of them."""
        if table is not self._current:
            if self._of_table.get(table, 0) >= len(table.tokenizer.table.merges):
                self._of_table.pop(table, None)
            return
        self.set_curve(None)
        self.set_merges(self._merges)
        if not self._timer.isActive():
            self._timer.start(0)

    def _make(self) -> None:
        """Make the tokenizer of this size; of a large table that is too long for a frame."""
        table, merges = self._current, self._merges
        if self._job is not None:
            return  # its end looks again
        if table is None or merges is None or self.rests:
            self.tokenizerChanged.emit()
            return
        whole = table.tokenizer
        self._job = Job(call(whole.prefix, merges), self)
        self._job.then(self._on_made, table, whole, merges)
        # A tokenizer may need a token that only a later merge makes.
        self._job.otherwise(self._on_not_made)
        self._job.ended.connect(self._on_ended)

    def _on_made(self, made: Tokenizer, table: OpenTable, whole: Tokenizer, merges: int) -> None:
        self._cut = _Cut(table, whole, merges, made)
        if self.rests:
            self.tokenizerChanged.emit()

    def _on_not_made(self, _: str) -> None:
        self.set_merges(None)

    def _on_ended(self) -> None:
        if self._job is not None:
            self._job.deleteLater()
        self._job = None
        if not self.rests and not self._timer.isActive():
            self._timer.start(0)

"""The flags of the open tables by token, for the panels that mark or filter tokens."""

from __future__ import annotations

from weakref import WeakKeyDictionary, ref

from PySide6.QtCore import QObject, Signal

from bpe_studio.analysis.flag_marks import FlagMarks
from bpe_studio.gui.job import Job, call
from bpe_studio.gui.state.findings import Findings, FindingsState
from bpe_studio.gui.state.open_tables import OpenTable

QUICK_FLAGS = 5_000  # that are arranged at once; more are on a worker thread


class FlaggedState(QObject):
    """Arranges by token what `FindingsState` keeps.

    Signals
    -------
    changed(object)
        The OpenTable whose flags are known now, or no longer.
    """

    changed = Signal(object)

    def __init__(self, findings: FindingsState, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._findings = findings
        self._marks: WeakKeyDictionary[OpenTable, FlagMarks] = WeakKeyDictionary()
        findings.changed.connect(self._arrange)

    def of(self, table: OpenTable | None) -> FlagMarks | None:
        """The flags of a table; None where nobody has looked."""
        return None if table is None else self._marks.get(table)

    def _arrange(self, table: OpenTable) -> None:
        found = self._findings.of(table)
        if found is None:
            self._marks.pop(table, None)
            self.changed.emit(table)
            return
        flags = found.report.flags
        if len(flags) <= QUICK_FLAGS:
            self._keep(FlagMarks(flags), ref(table), found)
            return
        job = Job(call(FlagMarks, flags), self)
        job.then(self._keep, ref(table), found)
        job.ended.connect(job.deleteLater)

    def _keep(self, marks: FlagMarks, table: ref[OpenTable], found: Findings) -> None:
        known = table()
        if known is not None and self._findings.of(known) is found:  # and nothing newer
            self._marks[known] = marks
            self.changed.emit(known)

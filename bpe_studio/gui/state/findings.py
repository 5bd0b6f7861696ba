"""What health checks have found in the open tables: for the panels that mark or filter tokens."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, Signal

from bpe_studio.analysis.health import HealthReport
from bpe_studio.bpe.corpus import Corpus
from bpe_studio.gui.state.open_tables import OpenTable


@dataclass(frozen=True, slots=True)
class Findings:
    """A report, and the corpus that it was made with, where there was one."""

    report: HealthReport
    corpus: Corpus | None = None


class FindingsState(QObject):
    """The newest findings of each open table.

    Signals
    -------
    changed(object)
        The OpenTable whose findings are new, or gone.
    """

    changed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._findings: WeakKeyDictionary[OpenTable, Findings] = WeakKeyDictionary()

    def of(self, table: OpenTable | None) -> Findings | None:
        """What was found in a table last; None where nobody has looked."""
        return None if table is None else self._findings.get(table)

    def keep(self, table: OpenTable, findings: Findings | None) -> None:
        """Keep what was found, or with None forget it."""
        if findings is None:
            self._findings.pop(table, None)
        else:
            self._findings[table] = findings
        self.changed.emit(table)

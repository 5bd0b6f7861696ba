"""The documents that can be left out of a training, as a list to check and to search."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QLocale, QModelIndex, QObject, Qt, Signal

from bpe_studio.bpe.visible_names import visible_name
from bpe_studio.gui.models.legible import legible
from bpe_studio.gui.models.retrain_plan import Candidate, RetrainPlan, is_in

MOST_FOUND = 500
TITLES = ("Document", "What is in it")
NO_PARENT = QModelIndex()
CHECK, TIP = Qt.ItemDataRole.CheckStateRole, Qt.ItemDataRole.ToolTipRole


class LeaveOutModel(QAbstractTableModel):
    """Candidates first, then what else is checked; with a search, what fits of all files.

    Signals
    -------
    chosenChanged()
        Something was checked or unchecked.
    """

    chosenChanged = Signal()

    def __init__(self, plan: RetrainPlan, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._plan = plan
        self._candidates = {one.name: one for one in plan.candidates}
        self._lower = {name: name.lower() for name in plan.files}
        self._chosen = dict.fromkeys(plan.chosen.get("without", ()))
        self._shown = [*self._own()]

    @property
    def chosen(self) -> tuple[str, ...]:
        """The names that are checked, in the order in which they came."""
        return tuple(self._chosen)

    @property
    def tokens(self) -> int:
        """How many concentrated tokens the checked documents hold."""
        found = (self._candidates.get(name) for name in self._chosen)
        return sum(one.tokens for one in found if one is not None)

    @property
    def leaves_nothing(self) -> bool:
        """Whether every file is left out."""
        return bool(self._plan.files) and all(name in self._chosen for name in self._plan.files)

    def search(self, text: str) -> None:
        """Show what fits, of all files of the corpus; without a text, the candidates again."""
        self.beginResetModel()
        wanted = text.strip()
        self._shown = [*(islice(self._found(wanted), MOST_FOUND) if wanted else self._own())]
        self.endResetModel()

    def toggle(self, row: int) -> None:
        """Check a document, or uncheck it."""
        name = self._shown[row].name
        self._choose(row, name not in self._chosen)

    def _choose(self, row: int, chosen: bool) -> None:
        name = self._shown[row].name
        if chosen:
            self._chosen[name] = None
        else:
            self._chosen.pop(name, None)
        self.dataChanged.emit(self.index(row, 0), self.index(row, 1), [CHECK])
        self.chosenChanged.emit()

    def _own(self) -> Iterator[Candidate]:
        yield from self._candidates.values()
        yield from (self._candidate(name) for name in self._chosen if name not in self._candidates)

    def _found(self, text: str) -> Iterator[Candidate]:
        wanted = text.lower()
        rows = (one for one in self._candidates.values() if wanted in one.name.lower())
        found = dict.fromkeys(one.name for one in rows)
        if text not in found and is_in(text, self._plan.files, self._plan.rows):
            found[text] = None
        yield from map(self._candidate, found)
        for name, lower in self._lower.items():
            if wanted in lower and name not in found:
                yield self._candidate(name)

    def _candidate(self, name: str) -> Candidate:
        known = self._candidates.get(name)
        if known is not None:
            return known
        count = self._plan.files.get(name)
        return Candidate(name, "one row" if count is None else _size(count))

    # Qt's questions

    def rowCount(self, parent: Any = NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._shown)

    def columnCount(self, parent: Any = NO_PARENT) -> int:
        return 0 if parent.isValid() else len(TITLES)

    def flags(self, index: QModelIndex) -> Qt.ItemFlag:
        usual = super().flags(index)
        return usual | Qt.ItemFlag.ItemIsUserCheckable if index.column() == 0 else usual

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        one = self._shown[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return visible_name(one.name) if index.column() == 0 else legible(one.holds)
        if role == CHECK and index.column() == 0:
            chosen = one.name in self._chosen
            return Qt.CheckState.Checked if chosen else Qt.CheckState.Unchecked
        if role == TIP:
            return legible(one.tip or one.name)
        return None

    def setData(self, index: QModelIndex, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != CHECK or index.column() != 0:
            return False
        self._choose(index.row(), Qt.CheckState(value) == Qt.CheckState.Checked)
        return True

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return TITLES[section]
        return None


def _size(count: int) -> str:
    precision = 0 if count < 1000 else 1
    return QLocale().formattedDataSize(count, precision, QLocale.DataSizeFormat.DataSizeSIFormat)

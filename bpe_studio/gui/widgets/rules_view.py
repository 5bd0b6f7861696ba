"""What two tokenizers are besides their tokens, side by side, under a line that folds."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt

from bpe_studio.analysis.table_rules import Rule
from bpe_studio.gui.models.array_table import ArrayTable
from bpe_studio.gui.models.rule_rows import differing_first, rule_columns
from bpe_studio.gui.widgets.array_view import ArrayView
from bpe_studio.gui.widgets.basics import row_height
from bpe_studio.gui.widgets.fold import Fold

FEW, MANY = 4, 12  # rows that are in sight in a low window, and in a high one


class RulesView(Fold):
    """A table of rules; those that differ are marked and come first."""

    def __init__(self) -> None:
        self._room = 0
        self.rules: tuple[Rule, ...] = ()
        self.model = ArrayTable()
        self.table = ArrayView(self.model, name="Rules of both tables")
        self.table.setSortingEnabled(False)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        super().__init__("Rules", self.table)
        self.model.setParent(self)

    def show_rules(self, title: str, rules: Sequence[Rule]) -> None:
        """Show other rules under a title."""
        self.set_title(title)
        self.rules = differing_first(rules)
        self.model.set_data(rule_columns(self.rules), len(self.rules))
        self._fit()

    def set_room(self, room: int) -> None:
        """Take at most about a quarter of this height, and a few rows at least."""
        self._room = room
        self._fit()

    def _fit(self) -> None:
        row = row_height(self.table)
        most = min(max(FEW, self._room // 4 // row), MANY, max(1, len(self.rules)))
        header = self.table.horizontalHeader().sizeHint().height()
        self.table.setFixedHeight(header + most * row + 2 * self.table.frameWidth())

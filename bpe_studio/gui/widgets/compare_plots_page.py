"""The Plots page of Compare: rank against rank, and what the first merges of both share."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from bpe_studio.gui.models.compared_tables import ComparedTables
from bpe_studio.gui.state.open_tables import OpenTable
from bpe_studio.gui.widgets.basics import EmptyState, lines

HINT = "Here stands every token of both tables by its rank in each."


class ComparePlotsPage(QWidget):
    """Plots of two tables.

    Signals
    -------
    tokenChosen(object, int)
        A point was clicked: the `OpenTable` and the id of the token there.
    runningChanged()
        Never: the tables are compared by `ComparedTables`.
    """

    tokenChosen = Signal(object, int)
    runningChanged = Signal()
    running = False

    def __init__(self, compared: ComparedTables) -> None:
        super().__init__()
        self._compared = compared
        self.setLayout(lines(EmptyState(HINT), margin=0))

    def set_sides(self, a: OpenTable | None, b: OpenTable | None) -> None:
        """The tables come with `ComparedTables`."""

    def stop(self) -> None:
        """Nothing runs here."""

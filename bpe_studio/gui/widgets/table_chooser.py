"""A combo box of the open tables."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QSizePolicy,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QWidget,
)

from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.widgets.words import plain_tip

UNSAVED = " ●"
USUAL = 12  # characters
SHORTEST = 5  # in a narrow window
WIDEST = 400


class TableChooser(QComboBox):
    """Chooses one of the open tables: the current one, or one of its own.

    Signals
    -------
    tableChosen(object)
        Another `OpenTable` is chosen, by the user or because the old one was closed; or None.
    """

    tableChosen = Signal(object)

    def __init__(
        self,
        *,
        tables: OpenTables,
        name: str,
        follows_current: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._tables = tables
        self._follows = follows_current
        self._chosen: OpenTable | None = tables.current if follows_current else None
        self.setAccessibleName(name)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(USUAL)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMaximumWidth(WIDEST)
        tables.changed.connect(self._fill)
        if follows_current:
            tables.currentChanged.connect(self.choose)
        self.activated.connect(self._on_activated)
        self._fill()

    def minimumSizeHint(self) -> QSize:
        less = (USUAL - SHORTEST) * self.fontMetrics().horizontalAdvance("X")
        return super().minimumSizeHint() - QSize(less, 0)

    @property
    def chosen(self) -> OpenTable | None:
        """The table that is chosen."""
        return self._chosen

    def choose(self, table: OpenTable | None) -> None:
        """Choose a table of the list."""
        if table is self._chosen:
            return
        self._chosen = table
        self._fill()
        self.tableChosen.emit(table)

    def _fill(self) -> None:
        names = [self._label(table) for table in self._tables]
        if names != [self.itemText(i) for i in range(self.count())]:
            self.clear()
            self.addItems(names)
        if self._chosen is not None and self._tables.index(self._chosen) < 0:
            self.choose(self._tables.current)
        self.setCurrentIndex(self._tables.index(self._chosen))
        tip = f"{self.accessibleName()}: {self._chosen.name}" if self._chosen else ""
        self.setToolTip(plain_tip(tip or self.accessibleName()))
        self.setEnabled(bool(names))
        self.setPlaceholderText("" if names else "no table open")

    def _on_activated(self, place: int) -> None:
        table = self._tables.tables[place]
        self.choose(table)
        if self._follows:
            self._tables.set_current(table)

    @staticmethod
    def _label(table: OpenTable) -> str:
        return f"{table.name}{UNSAVED}" if table.dirty else table.name

    def paintEvent(self, event: QPaintEvent) -> None:
        """A long name keeps its ends and the mark of what is not saved."""
        painter, option = QStylePainter(self), QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        part = QStyle.SubControl.SC_ComboBoxEditField
        place = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, self)
        if self.currentIndex() < 0:  # QComboBox itself would do the same
            option.currentText = self.placeholderText()
        option.currentText = elided(option.currentText, self.fontMetrics(), place.width() - 2)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)


def elided(label: str, metrics: QFontMetrics, width: int) -> str:
    """A label of a table in this width: its name loses its middle, never its mark."""
    mark = UNSAVED if label.endswith(UNSAVED) else ""
    room = width - metrics.horizontalAdvance(mark)
    name = label.removesuffix(mark)
    return metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, room) + mark

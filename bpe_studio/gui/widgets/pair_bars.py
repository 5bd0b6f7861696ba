"""Two thin bars in a cell of a table, that of A above that of B."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import (
    QApplication,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from bpe_studio.gui import theme
from bpe_studio.gui.widgets.side_key import SIDES

THICK, APART = 5.0, 2.0


class PairBars(QStyledItemDelegate):
    """Draws what `lengths` says of a row on screen, two shares of the room from 0 to 1.

    What is not a number has no bar.
    """

    def __init__(self, parent: QWidget, lengths: Callable[[int], tuple[float, float]]) -> None:
        super().__init__(parent)
        self._lengths = lengths

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        self.initStyleOption(option, index)
        style = option.widget.style() if option.widget is not None else QApplication.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        colours = theme.colours(self.parent())
        box = QRectF(option.rect).adjusted(theme.GRID, 0, -theme.GRID, 0)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        top = box.center().y() - THICK - APART / 2
        for line, length in zip(SIDES, self._lengths(index.row()), strict=True):
            if length == length:
                painter.setBrush(QColor(line.ink(colours)))
                bar = QRectF(box.left(), top, max(1.0, length * box.width()), THICK)
                painter.drawRoundedRect(bar, 1.5, 1.5)
            top += THICK + APART
        painter.restore()

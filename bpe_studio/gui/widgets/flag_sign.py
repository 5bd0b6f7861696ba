"""The small sign of a flag beside a token, and the cell of a table that has one."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QStyleOptionViewItem

from bpe_studio.gui import theme
from bpe_studio.gui.models.merges_model import FLAG_ROLE
from bpe_studio.gui.widgets.byte_text import ByteDelegate

SIGN = 6
ROOM = SIGN + theme.GRID


def draw_sign(painter: QPainter, box: QRectF, severity: str, colours: theme.Colours) -> None:
    """A square for an error, a triangle for a warning, a ring for information, as in Health."""
    inks = {"error": colours.danger, "warning": colours.warning}
    ink = QColor(inks.get(severity, colours.muted))
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(ink, 1.2))
    painter.setBrush(ink if severity in inks else Qt.BrushStyle.NoBrush)
    if severity == "error":
        painter.drawRect(box)
    elif severity == "warning":
        top = QPointF(box.center().x(), box.top())
        painter.drawPolygon(QPolygonF([top, box.bottomRight(), box.bottomLeft()]))
    else:
        painter.drawEllipse(box)
    painter.restore()


class FlaggedDelegate(ByteDelegate):
    """A token, and at the right end of its cell the sign of its most serious flag."""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        super().paint(painter, option, index)
        severity = index.data(FLAG_ROLE)
        if severity is not None:
            place = option.rect.center().y() - SIGN / 2 + 1
            box = QRectF(option.rect.right() - theme.GRID - SIGN, place, SIGN, SIGN)
            draw_sign(painter, box, severity, theme.colours(self.parent()))

    def room(self, index: QModelIndex | QPersistentModelIndex) -> int:
        return ROOM if index.data(FLAG_ROLE) is not None else 0

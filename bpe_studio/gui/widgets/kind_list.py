"""The kinds of flags with counts and shares; the chosen one says what it means, and what to do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen, QPolygonF, QResizeEvent
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from bpe_studio.gui import theme
from bpe_studio.gui.widgets.words import number, plain_tip

PADDING = theme.GAP
SIGN = 8
COUNT_WIDTH = 60  # pixels; shares stand in a column left of the counts
LEAST_WITH_SHARE = 210  # pixels of the whole line
KIND_ROLE = Qt.ItemDataRole.UserRole
SPOKEN_ROLE = Qt.ItemDataRole.AccessibleDescriptionRole


@dataclass(frozen=True, slots=True)
class KindEntry:
    """One kind, or with `kind` None all of them. `share` is that of the vocabulary, in words."""

    kind: str | None
    title: str
    count: int
    sentence: str = ""
    severity: str = ""
    share: str = ""
    advice: str = ""

    @property
    def told(self) -> str:
        """Its share, what it means, and what people do about it."""
        share = f"{self.share} of the vocabulary." if self.share and self.count else ""
        return "\n".join(part for part in (share, self.sentence, self.advice) if part)


class KindList(QListWidget):
    """A list to filter by: titles with counts; under the one that is chosen stands what it means.

    Signals
    -------
    kindChosen(object)
        The kind, or None for all.
    """

    kindChosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Kinds of flags")
        self.setItemDelegate(KindDelegate(self))
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.currentItemChanged.connect(self._on_changed)

    def set_entries(self, entries: Sequence[KindEntry]) -> None:
        """Show kinds; the first is chosen."""
        self.blockSignals(True)
        self.clear()
        for entry in entries:
            item = QListWidgetItem(f"{entry.title}: {number(entry.count)}")
            item.setData(KIND_ROLE, entry)
            item.setData(SPOKEN_ROLE, entry.told)
            item.setToolTip(plain_tip(entry.told) if entry.told else "")
            self.addItem(item)
        self.blockSignals(False)
        self.setCurrentRow(0)

    def chosen(self) -> str | None:
        """Return the kind that is chosen, None for all."""
        item = self.currentItem()
        return item.data(KIND_ROLE).kind if item is not None else None

    def choose(self, kind: str | None) -> None:
        """Choose a kind."""
        for row in range(self.count()):
            if self.item(row).data(KIND_ROLE).kind == kind:
                self.setCurrentRow(row)

    def _on_changed(self, item: QListWidgetItem | None) -> None:
        self.scheduleDelayedItemsLayout()  # the chosen one is higher
        if item is not None:
            self.kindChosen.emit(item.data(KIND_ROLE).kind)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()


class KindDelegate(QStyledItemDelegate):
    """Draws a kind: sign, title, share, count, and under the chosen one what it means."""

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        entry, view = index.data(KIND_ROLE), self.parent()
        width = view.viewport().width()
        height = QFontMetrics(theme.ui_font()).height() + PADDING
        if entry.told and view.currentIndex() == index:
            height += self._told_rect(entry, width).height() + 2
        return QSize(width - 2, height)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        entry, colours = index.data(KIND_ROLE), theme.colours(self.parent())
        selected = option.state & QStyle.StateFlag.State_Selected
        painter.save()
        if selected or option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(option.rect, QColor(colours.selection if selected else colours.hover))
        top = option.rect.adjusted(PADDING, PADDING // 2, -PADDING, 0)
        top.setHeight(QFontMetrics(theme.ui_font()).height())
        if entry.severity:
            self._draw_sign(painter, entry, colours, top)
        ink = QColor(colours.text if entry.count else colours.muted)
        font = theme.ui_font()
        font.setWeight(font.Weight.DemiBold if entry.count else font.Weight.Normal)
        painter.setFont(font)
        painter.setPen(ink)
        title = top.adjusted(SIGN + PADDING if entry.severity else 0, 0, 0, 0)
        figure = number(entry.count)
        taken = QFontMetrics(theme.ui_font()).horizontalAdvance(figure) + PADDING
        taken += self._draw_share(painter, entry, colours, top, taken)
        painter.setPen(ink)
        painter.setFont(font)
        shown = QFontMetrics(font).elidedText(
            entry.title, Qt.TextElideMode.ElideRight, title.width() - taken
        )
        painter.drawText(title, Qt.AlignmentFlag.AlignVCenter, shown)
        painter.setFont(theme.ui_font())
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(top, right, figure)
        if entry.told and self.parent().currentIndex() == index:
            painter.setFont(theme.small_font())
            painter.setPen(QColor(colours.muted))
            place = self._told_rect(entry, option.rect.width())
            place.moveTopLeft(title.bottomLeft())
            painter.drawText(place, Qt.TextFlag.TextWordWrap, entry.told)
        painter.restore()

    @staticmethod
    def _draw_share(
        painter: QPainter, entry: KindEntry, colours: theme.Colours, place: QRect, taken: int
    ) -> int:
        """Write the share left of the count where the title leaves room; how much it takes."""
        if not entry.share or not entry.count or place.width() < LEAST_WITH_SHARE:
            return 0
        painter.setFont(theme.small_font())
        painter.setPen(QColor(colours.muted))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        column = max(taken, COUNT_WIDTH)
        painter.drawText(place.adjusted(0, 0, -column, 0), right, entry.share)
        width = QFontMetrics(theme.small_font()).horizontalAdvance(entry.share)
        return column - taken + width + PADDING

    @staticmethod
    def _told_rect(entry: KindEntry, width: int) -> QRect:
        room = QRect(0, 0, width - 3 * PADDING - SIGN, 10_000)
        metrics = QFontMetrics(theme.small_font())
        return metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, entry.told)

    @staticmethod
    def _draw_sign(
        painter: QPainter, entry: KindEntry, colours: theme.Colours, place: QRect
    ) -> None:
        """A square for an error, a triangle for a warning, a ring for information."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ink = {"error": colours.danger, "warning": colours.warning}.get(
            entry.severity, colours.muted
        )
        ink = ink if entry.count else colours.faint
        painter.setPen(QPen(QColor(ink), 1.4))
        painter.setBrush(QColor(ink) if entry.count else Qt.BrushStyle.NoBrush)
        box = QRectF(place.left(), place.center().y() - SIGN / 2 + 1, SIGN, SIGN)
        if entry.severity == "error":
            painter.drawRect(box)
        elif entry.severity == "warning":
            top = QPointF(box.center().x(), box.top())
            painter.drawPolygon(QPolygonF([top, box.bottomRight(), box.bottomLeft()]))
        else:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(box)
        painter.restore()

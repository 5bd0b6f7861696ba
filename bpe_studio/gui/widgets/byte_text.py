"""Readable bytes in a cell of a table: marks for spaces and line ends quiet, the text strong.

The sign for a leading space is drawn, not written: few fonts have it, and the one that a system
falls back to shifts the whole line. Pictures of controls are three letters too small to read, so
they are written as their bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from bpe_studio.gui import theme
from bpe_studio.gui.models.legible import SPACE

MARKS = re.compile("(␠|[·⏎⇥␀-␟␡]+|⟨[^⟩]*⟩)")

CONTROLS = {0x2400 + code: f"⟨{code:02X}⟩" for code in range(0x20)} | {ord("␡"): "⟨7F⟩"}


def written(text: str) -> str:
    """What is drawn of a readable text: controls as their bytes.

    >>> written("␀low␛␡"), written("⏎⇥·␠")
    ('⟨00⟩low⟨1B⟩⟨7F⟩', '⏎⇥·␠')
    """
    return text.translate(CONTROLS)


def runs(text: str) -> Iterator[tuple[str, bool]]:
    """Stretches of a readable text, and whether each is a mark.

    >>> list(runs("␠low·est"))
    [('␠', True), ('low', False), ('·', True), ('est', False)]
    """
    for place, part in enumerate(MARKS.split(text)):
        if part:
            yield part, place % 2 == 1


def readable_width(text: str, metrics: QFontMetricsF) -> float:
    """The width that `draw_readable` needs for a text."""
    drawn = ("0" if part == SPACE else written(part) for part, _ in runs(text))
    return sum(metrics.horizontalAdvance(part) for part in drawn)


def draw_readable(
    painter: QPainter, rect: QRectF, text: str, font: QFont, *, ink: str, quiet: str
) -> None:
    """Draw a readable text at the left of a rectangle, cut at its right end."""
    metrics = QFontMetricsF(font)
    baseline = rect.center().y() + (metrics.ascent() - metrics.descent()) / 2
    x = rect.left()
    painter.setFont(font)
    for part, mark in runs(text):
        if x >= rect.right():
            return
        painter.setPen(QColor(quiet if mark else ink))
        if part == SPACE:
            x += _draw_space(painter, x, baseline, metrics, quiet)
            continue
        part = shown = written(part)
        width = metrics.horizontalAdvance(part)
        if x + width > rect.right() + 1:
            shown = metrics.elidedText(part, Qt.TextElideMode.ElideRight, rect.right() - x)
        painter.drawText(QPointF(x, baseline), shown)
        x += width


def _draw_space(
    painter: QPainter, x: float, baseline: float, metrics: QFontMetricsF, quiet: str
) -> float:
    """An open box, as wide as a letter."""
    width = metrics.horizontalAdvance("0")
    painter.save()
    painter.setPen(QPen(QColor(quiet), 1.2))
    left, right = x + 1.5, x + width - 1.5
    low, high = baseline + 0.5, baseline - metrics.xHeight() * 0.45
    corners = ((left, high), (left, low), (right, low), (right, high))
    painter.drawPolyline([QPointF(*corner) for corner in corners])
    painter.restore()
    return width


class ByteDelegate(QStyledItemDelegate):
    """Draws the display text of a cell as readable bytes in the monospaced face of its view."""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        self.initStyleOption(option, index)
        text, option.text = option.text, ""
        style = option.widget.style() if option.widget is not None else QApplication.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        colours = theme.colours(self.parent())
        box: QRect = option.rect.adjusted(theme.GRID, 0, -theme.GRID - self.room(index), 0)
        given = index.data(Qt.ItemDataRole.ForegroundRole)
        ink = colours.text if given is None else given.name()
        painter.save()
        painter.setClipRect(option.rect)
        draw_readable(painter, QRectF(box), text, option.font, ink=ink, quiet=colours.muted)
        painter.restore()

    def room(self, index: QModelIndex | QPersistentModelIndex) -> int:
        """What is left free at the right end of a cell, for what else is drawn there."""
        return 0

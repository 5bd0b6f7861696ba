"""The legend of the curves, which also reads the values at the cross-hair."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.models.curve_data import Curves, LiveCurve
from bpe_studio.gui.widgets.curve_lines import LINES, Line
from bpe_studio.gui.widgets.words import number

SWATCH = 19.0
GAP = 2.0 * theme.GAP
NOT_EXACT = (
    "Below {} tokens the numbers of the training are not exact: it has continued a table whose "
    "merges use what only later ones make."
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A value with the line that it is read from; `shorter` takes its place where room is short."""

    text: str
    line: Line | None = None
    shorter: tuple[str, ...] = ()


class CurveLegend(QWidget):
    """`—— 3.71 characters per token, its training  - - 3.55 held out  ··· 3.12 this text`.

    The shorter the room, the fewer words.
    """

    def __init__(self) -> None:
        super().__init__()
        self._entries: list[Entry] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Legend and values of the curve")

    def tell(self, curves: Curves, point: int) -> None:
        """Read the values at a point of the curves."""
        self._entries = _entries(curves, point)
        self.setAccessibleDescription(" ".join(entry.text for entry in self._entries))
        exact_from = curves.own.exact_from
        known = exact_from < len(curves.own)
        size = curves.own.sizes[exact_from] if known and exact_from else 0
        self.setToolTip(NOT_EXACT.format(number(size)) if size else "")
        self.update()

    @property
    def words(self) -> list[str]:
        """What it says where there is room for all."""
        return [entry.text for entry in self._entries]

    def fitting(self, metrics: QFontMetricsF) -> list[Entry]:
        """The entries without what matters least, until there is room for them."""
        entries = list(self._entries)
        steps = max((len(entry.shorter) for entry in entries), default=0)
        for step in range(steps):
            for place in reversed(range(len(entries))):
                if self._width(entries, metrics) <= self.width():
                    return entries
                if step < len(self._entries[place].shorter):
                    shorter = self._entries[place].shorter[step]
                    entries[place] = replace(entries[place], text=shorter)
        return entries

    def _width(self, entries: list[Entry], metrics: QFontMetricsF) -> float:
        return sum(
            metrics.horizontalAdvance(entry.text)
            + (SWATCH + theme.GRID if entry.line else 0)
            + GAP * bool(entry.text)
            for entry in entries
        )

    def draw(self, painter: QPainter) -> None:
        """Draw it, on screen or in a picture."""
        painter.setFont(theme.ui_font())
        colours, metrics = theme.colours(self), QFontMetricsF(theme.ui_font())
        x, middle = 0.0, self.height() / 2
        for entry in self.fitting(metrics):
            if not entry.text or x >= self.width():
                continue
            if entry.line is not None:
                painter.setPen(entry.line.pen(colours, 2))
                painter.drawLine(QPointF(x, middle), QPointF(x + SWATCH, middle))
                x += SWATCH + theme.GRID
            text, width = entry.text, metrics.horizontalAdvance(entry.text) + 1
            if x + width > self.width():
                text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, self.width() - x)
            painter.setPen(QColor(colours.text if entry.line else colours.muted))
            painter.drawText(
                QRectF(x, 0, width, self.height()), Qt.AlignmentFlag.AlignVCenter, text
            )
            x += width + GAP

    # Qt's questions

    def sizeHint(self) -> QSize:
        return QSize(320, round(QFontMetricsF(theme.ui_font()).height()) + 2 * theme.GRID)

    def paintEvent(self, event: QPaintEvent) -> None:
        self.draw(QPainter(self))


def _entries(curves: Curves, point: int) -> list[Entry]:
    own = curves.own
    line = LINES["text" if curves.own_is_text else "trained"]
    value = _value(own, point)
    text = "the text before" if curves.text_is_old else "this text"
    of = text if curves.own_is_text else "its training"
    shorter = (f"{value} characters, {of}", f"{value} {of}")
    entries = [Entry(f"{value} characters per token, {of}", line, shorter)]
    if curves.held is not None:
        entries.append(_other("held out", curves.held, point, LINES["held"]))
    if curves.text is not None:
        entries.append(_other(text, curves.text, point, LINES["text"]))
    of_bytes = f"{_about(own, point)}{own.bytes_per_token[point]:.2f} bytes"
    entries.append(Entry(f"{of_bytes} per token", LINES["bytes"], (of_bytes, of_bytes)))
    rank = own.rank_at(point)
    where = f"at {number(own.sizes[point])}"
    whole = where if rank is None else f"{where}  ·  rank {number(rank)}"
    entries.append(Entry(whole, None, (where, "", "")))
    if curves.held_nothing:
        entries.append(Entry("nothing was held out", None, ("", "")))
    return entries


def _other(name: str, curve: LiveCurve, point: int, line: Line) -> Entry:
    value = _value(curve, point) if point < len(curve) else "–"
    return Entry(f"{value} {name}", line)


def _value(curve: LiveCurve, point: int) -> str:
    return f"{_about(curve, point)}{curve.characters_per_token[point]:.2f}"


def _about(curve: LiveCurve, point: int) -> str:
    return "≈" if point < curve.exact_from else ""

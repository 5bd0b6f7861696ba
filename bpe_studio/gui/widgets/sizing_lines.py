"""Several small lines over one axis of vocabulary sizes, with the values where one points."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QToolTip, QWidget

from bpe_studio.gui import theme
from bpe_studio.gui.models.size_scale import SizeScale
from bpe_studio.gui.models.sizing_rows import SizingRow
from bpe_studio.gui.models.thinning import thinned
from bpe_studio.gui.widgets.size_keys import chosen_by, next_point
from bpe_studio.gui.widgets.size_ticks import linear_ticks, log_ticks
from bpe_studio.gui.widgets.words import number, plain_tip

NAME_SHARE = 0.3
MOST_NAME = 150
VALUE_WIDTH = 84
LEAST_ROW = 18
PAD = 3.0


class SizingLines(QWidget):
    """A row for every measure: its name, its line, and its value where one points.

    Signals
    -------
    pointed(int)
        This point is read, -1 for none.
    pointChosen(int)
        A point was clicked, or Enter was pressed on it.
    """

    pointed = Signal(int)
    pointChosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._rows: Sequence[SizingRow] = ()
        self._sizes: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._marked: int | None = None
        self._point = -1
        self._log = False
        self._drawn: list[QPolygonF] | None = None
        self._drawn_in = QRectF()
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("What a model has of every vocabulary size")

    # What is drawn

    def set_rows(self, sizes: NDArray[np.int64], rows: Sequence[SizingRow]) -> None:
        """Draw these lines; point `i` is the table of the first `i` merges."""
        self._sizes, self._rows, self._drawn = sizes, rows, None
        if self._point >= len(sizes):
            self._point = -1
        self._describe()
        self.update()

    def set_mark(self, point: int | None) -> None:
        """Mark the size that the slider stands at; None for all merges."""
        self._marked = point
        self._describe()
        self.update()

    def set_log(self, log: bool) -> None:
        """Lay sizes out by their logarithms, or evenly."""
        self._log, self._drawn = log, None
        self.update()

    @property
    def point(self) -> int:
        """The point that is read: where one points, else where the slider stands."""
        last = len(self._sizes) - 1
        if self._point >= 0:
            return self._point
        return last if self._marked is None else min(self._marked, last)

    def point_to(self, point: int) -> None:
        """Read a point; -1 for that of the slider."""
        self._point = point if 0 <= point < len(self._sizes) else -1
        self._describe()
        self.pointed.emit(self._point)
        self.update()

    def words(self) -> list[str]:
        """Every measure with its value at the point."""
        return [f"{row.name} {self._value(row)}" for row in self._rows]

    def _value(self, row: SizingRow) -> str:
        if row.values is None or self.point >= len(row.values):
            return row.unknown
        value = float(row.values[self.point])
        return row.words(value) if np.isfinite(value) else "–"

    def _describe(self) -> None:
        if len(self._sizes):
            at = f"at {number(self._sizes[self.point])} tokens"
            self.setAccessibleDescription(", ".join([at, *self.words()]))

    # Places

    def _plot(self) -> QRectF:
        """Where the lines are, all rows together."""
        name = min(MOST_NAME, NAME_SHARE * self.width())
        axis = QFontMetricsF(theme.small_font()).height()
        width = max(1.0, self.width() - name - VALUE_WIDTH)
        return QRectF(name, 0, width, max(1.0, self.height() - axis - PAD))

    def _row_box(self, place: int) -> QRectF:
        plot = self._plot()
        height = plot.height() / max(len(self._rows), 1)
        return QRectF(plot.left(), place * height, plot.width(), height)

    @property
    def scale(self) -> SizeScale:
        """Where sizes are, across the lines."""
        plot = self._plot()
        return SizeScale(self._sizes, plot.left(), plot.width(), self._log)

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        if not len(self._sizes):
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = theme.colours(self)
        plot = self._plot()
        painter.fillRect(plot, QColor(colours.base))
        for place, (row, line) in enumerate(zip(self._rows, self._lines(plot), strict=True)):
            box = self._row_box(place)
            self._paint_words(painter, row, box, colours)
            painter.setPen(QPen(QColor(colours.border), 1))
            painter.drawLine(box.bottomLeft(), box.bottomRight())
            painter.setPen(QPen(QColor(colours.accent), 1))  # a wider one takes 8 times as long
            painter.drawPolyline(line)
        self._paint_axis(painter, plot, colours)
        if self._marked is not None and self._marked < len(self._sizes):
            self._paint_hair(painter, self._marked, QPen(QColor(colours.muted), 1))
        if self._point >= 0:
            dotted = QPen(QColor(colours.text), 1, Qt.PenStyle.DotLine)
            self._paint_hair(painter, self._point, dotted)
        self._paint_dots(painter, colours)
        painter.end()

    def _paint_words(
        self, painter: QPainter, row: SizingRow, box: QRectF, colours: theme.Colours
    ) -> None:
        painter.setFont(theme.ui_font())
        metrics = QFontMetricsF(theme.ui_font())
        middle = Qt.AlignmentFlag.AlignVCenter
        room = box.left() - theme.GAP
        name = metrics.elidedText(row.name, Qt.TextElideMode.ElideRight, room)
        painter.setPen(QColor(colours.muted))
        painter.drawText(QRectF(0, box.top(), room, box.height()), middle, name)
        known = row.values is not None
        painter.setPen(QColor(colours.text if known else colours.muted))
        value = QRectF(box.right(), box.top(), VALUE_WIDTH, box.height())
        words = metrics.elidedText(self._value(row), Qt.TextElideMode.ElideRight, VALUE_WIDTH - 4)
        painter.drawText(value, middle | Qt.AlignmentFlag.AlignRight, words)

    def _lines(self, plot: QRectF) -> list[QPolygonF]:
        """The line of every row, made anew when it is another one."""
        if self._drawn is None or self._drawn_in != plot:
            at = thinned(self._sizes, max(64, round(plot.width())))
            across = self.scale.places(self._sizes[at]).tolist()
            self._drawn_in = plot
            self._drawn = [
                self._line(row, self._row_box(place), at, across)
                for place, row in enumerate(self._rows)
            ]
        return self._drawn

    def _line(
        self, row: SizingRow, box: QRectF, at: NDArray[np.int64], across: list[float]
    ) -> QPolygonF:
        if row.values is None:
            return QPolygonF()
        heights = self._heights(row, row.values[at[at < len(row.values)]], box).tolist()
        places = zip(across, heights, strict=False)  # of a table that has grown, it ends earlier
        return QPolygonF([QPointF(x, y) for x, y in places if np.isfinite(y)])

    def _heights(
        self, row: SizingRow, values: NDArray[np.float64], box: QRectF
    ) -> NDArray[np.float64]:
        """From 0 at the bottom of a row to its largest value at the top."""
        top = row.largest or 1.0
        return np.asarray(box.bottom() - PAD - values / top * (box.height() - 2 * PAD))

    def _paint_axis(self, painter: QPainter, plot: QRectF, colours: theme.Colours) -> None:
        painter.setFont(theme.small_font())
        metrics = QFontMetricsF(theme.small_font())
        low, high = (float(size) for size in self._sizes[[0, -1]])
        if self._log:
            logs = log_ticks(np.log10(max(low, 1)), np.log10(max(high, 1)), plot.width())
            ticks = [round(10**tick) for tick in logs]
        else:
            ticks = [round(tick) for tick in linear_ticks(low, high, plot.width())]
        painter.setPen(QColor(colours.muted))
        where = QRectF(0, plot.bottom() + PAD, plot.left() - theme.GAP, metrics.height())
        read = metrics.elidedText(
            f"at {number(self._sizes[self.point])} tokens",
            Qt.TextElideMode.ElideRight,
            where.width(),
        )
        painter.drawText(where, Qt.AlignmentFlag.AlignVCenter, read)
        scale = self.scale
        for tick in ticks:
            words = number(tick)
            half = metrics.horizontalAdvance(words) / 2
            x = min(max(scale.place(tick), half), self.width() - half)
            box = QRectF(x - half, plot.bottom() + PAD, 2 * half, metrics.height())
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)

    def _paint_hair(self, painter: QPainter, point: int, pen: QPen) -> None:
        x, plot = self.scale.place(self._sizes[point]), self._plot()
        painter.setPen(pen)
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))

    def _paint_dots(self, painter: QPainter, colours: theme.Colours) -> None:
        x = self.scale.place(self._sizes[self.point])
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.accent))
        for place, row in enumerate(self._rows):
            if row.values is not None and self.point < len(row.values):
                one = row.values[self.point : self.point + 1]
                y = float(self._heights(row, one, self._row_box(place))[0])
                if np.isfinite(y):
                    painter.drawEllipse(QPointF(x, y), 2.5, 2.5)

    # Qt's questions

    def sizeHint(self) -> QSize:
        return QSize(480, 160)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, 5 * LEAST_ROW + 16)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.point_to(self.scale.nearest(event.position().x()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        point = self.scale.nearest(event.position().x())
        if event.button() == Qt.MouseButton.LeftButton and point >= 0:
            self.pointChosen.emit(point)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.point_to(-1)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self._rows:
            height = self._plot().height() / len(self._rows)
            place = int(event.pos().y() / height)
            if 0 <= place < len(self._rows):
                QToolTip.showText(event.globalPos(), plain_tip(self._rows[place].tip), self)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        point = next_point(event, self.point, len(self._sizes))
        if point is not None:
            self.point_to(point)
        elif chosen_by(event) and len(self._sizes):
            self.pointChosen.emit(self.point)
        else:
            super().keyPressEvent(event)

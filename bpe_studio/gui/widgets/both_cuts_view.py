"""One text with the tokens of two tables: those of A in a strip above each line, B's below."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from PySide6.QtCore import QEvent, QLineF, QPoint, QPointF, QRectF, Signal
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QToolTip

from bpe_studio.gui.models.token_layout import TokenLayout
from bpe_studio.gui.theme import Colours, colours
from bpe_studio.gui.widgets import difference_marks, token_paint
from bpe_studio.gui.widgets.long_text_view import LongTextView
from bpe_studio.gui.widgets.text_rows import Row
from bpe_studio.gui.widgets.token_cells import Cell, CellCache

STRIP = 9.0
BAR = 6.0
TICK = 4.0  # how far a border reaches into the line of text


class BothCutsView(LongTextView):
    """The text stands once; what both tables make of it is painted above and below.

    Signals
    -------
    sideChosen(int, int)
        A token was clicked: the side (0 for A, 1 for B) and its index there. What is clicked in
        the upper half of a line is A's.
    """

    sideChosen = Signal(int, int)
    strip = STRIP

    def __init__(self) -> None:
        super().__init__()
        self._other: TokenLayout | None = None
        self._other_cells = CellCache()
        self._chosen: tuple[int | None, int | None] = (None, None)
        self._side_tip: Callable[[int, int], str] | None = None
        self.tokenClicked.connect(lambda token: self.sideChosen.emit(0, token))

    def set_pair(self, a: TokenLayout | None, b: TokenLayout | None) -> None:
        """Show the tokens of both."""
        self._other = b
        self.set_layout(a)

    def set_side_tip(self, tip: Callable[[int, int], str]) -> None:
        """Give the function that turns a side and a token of it into a tooltip (escaped text)."""
        self._side_tip = tip

    def set_chosen(self, a: int | None, b: int | None) -> None:
        """Outline a token of each."""
        self._chosen = (a, b)
        self._painter.current = a
        self.viewport().update()

    def side_at(self, point: QPoint) -> tuple[int, int]:
        """The side and the token at a point: A in the upper half of a line, B in the lower."""
        for row, place in self.visible_rows():
            inside = QPointF(point) - place.topLeft()
            if not 0 <= inside.y() < row.height:
                continue
            for side in (0, 1):
                for cell in reversed(self._cells_of(side, row, inside.y(), inside.y())):
                    half = cell.rect.adjusted(0, -STRIP, 0, STRIP)
                    middle = half.center().y()
                    half.setBottom(middle) if side == 0 else half.setTop(middle)
                    if half.contains(inside):
                        return side, cell.token
        return 0, -1

    def token_at(self, point: QPoint) -> int:
        """The token of A at a point, -1 for none."""
        side, token = self.side_at(point)
        return token if side == 0 else -1

    def _repaint_cells(self) -> None:
        self._other_cells.clear()
        super()._repaint_cells()

    def _cells_of(self, side: int, row: Row, top: float, bottom: float) -> list[Cell]:
        if side == 0:
            return self._row_cells(row, top, bottom)
        return [] if self._other is None else self._other_cells.of(self._other, row, top, bottom)

    # Qt's questions

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ToolTip or not isinstance(event, QHelpEvent):
            return super().viewportEvent(event)
        side, token = self.side_at(event.pos())
        if token >= 0 and self._side_tip is not None:
            QToolTip.showText(event.globalPos(), self._side_tip(side, token), self.viewport())
        else:
            QToolTip.hideText()
        return True

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._other_cells.clear()
        super().resizeEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        side, token = self.side_at(event.position().toPoint())
        super().mouseReleaseEvent(event)
        if side == 1 and token >= 0 and self.anchor == self.position:
            self.sideChosen.emit(1, token)

    def paintEvent(self, event: QPaintEvent) -> None:
        shown, area = colours(self), QRectF(event.rect())
        painter = QPainter(self.viewport())
        painter.setFont(self.font())
        blocks = []
        for row, place in self.visible_rows():
            top, bottom = area.top() - place.top(), area.bottom() - place.top()
            if bottom < 0 or top > row.height:
                continue
            blocks.append((row, place, []))
            self._paint_marks(painter, shown, self._placed(0, row, place, top, bottom))
            painter.setPen(self.palette().color(QPalette.ColorRole.Text))
            row.layout().draw(painter, place.topLeft(), self._selection_in(row), area)
            for side, layout in ((0, self._layout), (1, self._other)):
                if layout is not None:
                    cells = self._placed(side, row, place, top, bottom)
                    self._paint_side(painter, shown, layout, side, cells)
        self._painter.draw_over(painter, shown, None, blocks, -1)
        if self.hasFocus():
            self._draw_caret(painter, blocks)
        painter.end()

    def _placed(
        self, side: int, row: Row, place: QRectF, top: float, bottom: float
    ) -> list[tuple[Cell, QRectF]]:
        corner = QPointF(round(place.left()), round(place.top()))
        return [(c, c.rect.translated(corner)) for c in self._cells_of(side, row, top, bottom)]

    def _paint_marks(
        self, painter: QPainter, theme: Colours, cells: list[tuple[Cell, QRectF]]
    ) -> None:
        """Under the text, over all of a span that differs: its tokens tile it in either table."""
        marked = self._painter.marked
        if marked is None:
            return
        groups: dict[int, list[QRectF]] = defaultdict(list)
        for cell, rect in cells:
            if cell.token < len(marked) and marked[cell.token]:
                groups[int(marked[cell.token])].append(rect.adjusted(-1, 0, 0, 1))
        for kind, rects in groups.items():
            tint = QColor(difference_marks.colour_of(theme, kind))
            tint.setAlpha(34)
            for rect in rects:
                painter.fillRect(rect, tint)
            difference_marks.draw(painter, theme, kind, rects)

    def _paint_side(
        self,
        painter: QPainter,
        theme: Colours,
        layout: TokenLayout,
        side: int,
        cells: list[tuple[Cell, QRectF]],
    ) -> None:
        fills: dict[int, list[QRectF]] = defaultdict(list)
        hatched, borders, chosen, pills = [], [], [], []
        for cell, rect in cells:
            top = rect.top() - BAR - 1 if side == 0 else rect.bottom() + 1
            bar = QRectF(rect.left(), top, rect.width(), BAR)
            if layout.special[cell.token]:
                pills.append(bar)
            else:
                fills[int(layout.hues[cell.token])].append(bar)
            if layout.partial[cell.token]:
                hatched.append(bar)
            if cell.begins:
                ends = (bar.top(), rect.top() + TICK) if side == 0 else (
                    rect.bottom() - TICK, bar.bottom())  # fmt: skip
                borders.append(QLineF(bar.left(), ends[0], bar.left(), ends[1]))
            if cell.token == self._chosen[side]:
                chosen.append(bar.adjusted(0, -1, 0, 1))
        for hue, bars in fills.items():
            token_paint.fill_cells(painter, theme, hue, bars)
        token_paint.hatch_cells(painter, theme, hatched)
        token_paint.draw_pills(painter, theme, pills)
        painter.setPen(QPen(QColor(theme.muted), 0))
        painter.drawLines(borders)
        token_paint.draw_outlines(painter, theme.accent, chosen, width=2.0)

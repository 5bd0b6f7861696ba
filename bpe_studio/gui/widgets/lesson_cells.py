"""The words of a lesson as rows of symbols, and where each of them stands."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QStyle, QWidget

from bpe_studio.bpe.lesson import Lesson
from bpe_studio.gui import theme
from bpe_studio.gui.widgets.byte_text import draw_readable
from bpe_studio.gui.widgets.symbol_texts import SymbolTexts

LARGER = 3.0  # points more than other text: it is read from the last row
PADDING = 6.0
BETWEEN = 3.0  # two symbols
WALL = 2.0  # what no merge crosses
LANE_GAP = 10.0  # two words
COLUMN_GAP = 28.0
ROWS_A_COLUMN = 8  # more words than that go into further columns, where there is room
FITTING = 0.95  # of the words are to fit into the width of a column
FRAME_MS = 33
FRAMES = 12
RADIUS = 4.0


class SymbolCell(NamedTuple):
    """A symbol on screen; `state` is "", "first" or "second" of a pair to merge, or "joined"."""

    rect: QRectF
    text: str
    hue: int
    state: str


class Lane(NamedTuple):
    """A word: its walls, the place of its count, and its cells."""

    rect: QRectF
    count_rect: QRectF
    times: str
    cells: tuple[SymbolCell, ...]


class LessonCells(QWidget):
    """Paints the state of a lesson: what fires next is framed, what has just fired glows."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lessonCells")
        self.setAccessibleName("Words as rows of symbols")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._lesson: Lesson | None = None
        self._zoom = 0
        self._lanes: list[Lane] = []
        self._flowed: dict[int, tuple[list[Lane], int]] = {}
        self._flowed_of: tuple[object, int] = (None, 0)
        self._height = 0
        self._texts = SymbolTexts()
        self._glow = 0.0
        self._timer = QTimer(self)
        self._timer.setInterval(FRAME_MS)
        self._timer.timeout.connect(self._fade)

    @property
    def lanes(self) -> tuple[Lane, ...]:
        """The words as they are painted."""
        return tuple(self._lanes)

    @property
    def animating(self) -> bool:
        """Whether what has just fired still glows."""
        return self._timer.isActive()

    def show_lesson(self, lesson: Lesson | None, *, stepped: bool = False) -> None:
        """Show where a lesson stands; after a step forward, what it joined glows for a moment."""
        self._lesson = lesson
        self._texts.follow(lesson)
        self.setAccessibleDescription(self._described())
        calm = not self.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration, None, self)
        self._glow = 1.0 if stepped and not calm else 0.0
        if self._glow:
            self._timer.start()
        else:
            self._timer.stop()
        self._arrange()

    def set_zoom(self, zoom: int) -> None:
        """Larger type, or smaller, by steps of a point."""
        if zoom != self._zoom:
            self._zoom = zoom
            self._arrange()

    def zoom_for(self, lesson: Lesson, width: int, height: int, most: int) -> int:
        """The largest type in which the first state of a lesson, its longest, fits into a room."""
        before = self._zoom
        try:
            for zoom in range(1, most + 1):
                self._zoom = zoom
                if not self._fits(lesson, width, height):
                    return zoom - 1
            return most
        finally:
            self._zoom = before

    def cell_font(self) -> QFont:
        """The face of the symbols."""
        font = theme.mono_font()
        font.setPointSizeF(max(theme.SMALLEST_POINTS, font.pointSizeF() + LARGER + self._zoom))
        return font

    # Places

    def _arrange(self) -> None:
        self._lanes, height = self._flow(max(self.width(), 60))
        if height != self._height:
            self._height = height
            self.updateGeometry()
        self.update()

    def _flow(self, width: int) -> tuple[list[Lane], int]:
        """The lanes in a width, and how high they are; layouts ask for the same again and again."""
        if self._lesson is None:
            return [], 0
        state, zoom = self._flowed_of
        if state is not self._lesson.state or zoom != self._zoom:
            self._flowed.clear()
            self._flowed_of = (self._lesson.state, self._zoom)
        if width not in self._flowed:
            self._flowed[width] = self._flow_anew(width)
        return self._flowed[width]

    def _fits(self, lesson: Lesson, width: int, height: int) -> bool:
        font = self.cell_font()
        metrics = QFontMetricsF(font)
        words = lesson.states[0].words
        if len(words) * (metrics.height() + theme.GRID + LANE_GAP) > height:
            return False
        texts = SymbolTexts()
        texts.follow(lesson)
        texts.set_font(font)
        digits = len(str(max(word.count for word in words))) + 1
        room = width - metrics.horizontalAdvance("0") * digits - theme.GAP
        widths = ([texts.width(s) + 2 * PADDING for s in word.symbols] for word in words)
        return all(_lane_width(sizes) <= room for sizes in widths)

    def _flow_anew(self, width: int) -> tuple[list[Lane], int]:
        assert self._lesson is not None
        self._texts.set_font(self.cell_font())
        metrics = self._texts.metrics
        count_width = self._count_width(metrics)
        sizes = [
            [self._texts.width(symbol) + 2 * PADDING for symbol in word.symbols]
            for word in self._lesson.state.words
        ]
        wanted = -(-len(sizes) // ROWS_A_COLUMN)
        # A few long words are wrapped rather than that all stand in one column for them.
        lengths = sorted(map(_lane_width, sizes))
        widest = count_width + lengths[int(len(lengths) * FITTING) if wanted > 1 else -1]
        columns = max(1, min(wanted, int((width + COLUMN_GAP) // (widest + COLUMN_GAP))))
        per_column = -(-len(sizes) // columns)
        room = width if columns == 1 else widest
        lanes: list[Lane] = []
        heights = [0.0] * columns
        for number, widths in enumerate(sizes):
            column = number // per_column
            x, y = column * (widest + COLUMN_GAP), heights[column]
            lane = self._lane(number, widths, (x, y), count_width, room, metrics)
            lanes.append(lane)
            heights[column] = lane.rect.bottom() + LANE_GAP
        return lanes, round(max(heights))

    def _lane(
        self,
        number: int,
        widths: list[float],
        corner: tuple[float, float],
        count_width: float,
        room: float,
        metrics: QFontMetricsF,
    ) -> Lane:
        assert self._lesson is not None
        lesson, state = self._lesson, self._lesson.state
        word = state.words[number]
        firing, joined = set(state.firing[number]), set(state.joined[number])
        height = metrics.height() + theme.GRID
        left = corner[0] + count_width
        x, y, right = left + WALL + BETWEEN, corner[1], left
        end = corner[0] + room - WALL - BETWEEN
        first = lesson.byte_base + 256 + len(lesson.char_ids)
        cells = []
        for place, (symbol, size) in enumerate(zip(word.symbols, widths, strict=True)):
            if x + size > end and x > left + WALL + BETWEEN:
                x, y = left + WALL + BETWEEN, y + height + BETWEEN
            kind = "first" if place in firing else "second" if place - 1 in firing else ""
            kind = kind or ("joined" if place in joined else "")
            rect = QRectF(x, y, min(size, max(end - x, 8.0)), height)
            hue = symbol - first if symbol >= first else -1
            cells.append(SymbolCell(rect, self._texts.text(symbol), hue, kind))
            x += size + BETWEEN
            right = max(right, rect.right())
        rect = QRectF(left, corner[1], right + BETWEEN + WALL - left, y + height - corner[1])
        count = QRectF(corner[0], corner[1], count_width - theme.GAP, height)
        return Lane(rect, count, f"{word.count}×", tuple(cells))

    def _count_width(self, metrics: QFontMetricsF) -> float:
        assert self._lesson is not None
        most = max(word.count for word in self._lesson.state.words)
        return metrics.horizontalAdvance(f"{most}×") + theme.GAP

    def _described(self) -> str:
        if self._lesson is None:
            return ""
        text = self._texts.text
        return "\n".join(
            f"{word.count} × {' '.join(map(text, word.symbols))}"
            for word in self._lesson.state.words
        )

    # Painting

    def _fade(self) -> None:
        self._glow = max(0.0, self._glow - 1 / FRAMES)
        if not self._glow:
            self._timer.stop()
        seen = QRectF(self.visibleRegion().boundingRect())
        for lane in self._lanes:
            for cell in lane.cells if lane.rect.intersects(seen) else ():
                if cell.state == "joined":
                    self.update(cell.rect.toAlignedRect())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours, font = theme.colours(self), self.cell_font()
        seen = QRectF(event.rect())
        for lane in self._lanes:
            if not lane.rect.united(lane.count_rect).intersects(seen):
                continue
            painter.setFont(font)
            painter.setPen(QColor(colours.muted))
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(lane.count_rect, right, lane.times)
            self._draw_walls(painter, colours, lane.rect)
            for cell in lane.cells:
                self._draw_cell(painter, colours, font, cell)
            self._draw_pairs(painter, colours, lane)

    def _draw_walls(self, painter: QPainter, colours: theme.Colours, rect: QRectF) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.muted))
        for x in (rect.left(), rect.right() - WALL):
            painter.drawRect(QRectF(x, rect.top() - 1, WALL, rect.height() + 2))

    def _draw_cell(
        self, painter: QPainter, colours: theme.Colours, font: QFont, cell: SymbolCell
    ) -> None:
        plain = cell.hue < 0
        fill = QColor(colours.base if plain else colours.tokens[cell.hue % len(colours.tokens)])
        if cell.state in ("first", "second"):
            fill = QColor(colours.selection)
        elif cell.state == "joined" and self._glow:
            fill = _mixed(fill, QColor(colours.accent), 0.75 * self._glow)
        painter.setPen(QPen(QColor(colours.strong if plain else colours.token_border), 1.0))
        painter.setBrush(fill)
        painter.drawRoundedRect(cell.rect.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        marked = cell.state in ("first", "second") or plain
        draw_readable(
            painter,
            cell.rect.adjusted(PADDING, 0, -PADDING + 1, 0),
            cell.text,
            font,
            ink=colours.text if marked else colours.token_text,
            quiet=colours.muted if marked else colours.token_text,
        )
        if cell.state == "joined":
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.accent))
            bar = QRectF(cell.rect.left() + 3, cell.rect.bottom() - 3, cell.rect.width() - 6, 2)
            painter.drawRect(bar)

    def _draw_pairs(self, painter: QPainter, colours: theme.Colours, lane: Lane) -> None:
        """A frame round both symbols of what fires next; open where a line ends between them."""
        painter.setPen(QPen(QColor(colours.accent), 2.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for cell, after in zip(lane.cells, lane.cells[1:], strict=False):
            if cell.state != "first":
                continue
            together = cell.rect.top() == after.rect.top()
            for rect in [cell.rect.united(after.rect)] if together else [cell.rect, after.rect]:
                painter.drawRoundedRect(rect, RADIUS, RADIUS)

    # Qt's questions

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._flow(max(width, 60))[1]

    def sizeHint(self) -> QSize:
        return QSize(260, self._height)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self._height)

    def resizeEvent(self, event: QEvent) -> None:
        super().resizeEvent(event)
        self._arrange()


def _lane_width(sizes: list[float]) -> float:
    return sum(sizes) + BETWEEN * (len(sizes) + 1) + 2 * WALL + 1


def _mixed(one: QColor, other: QColor, share: float) -> QColor:
    return QColor(
        round(one.red() + (other.red() - one.red()) * share),
        round(one.green() + (other.green() - one.green()) * share),
        round(one.blue() + (other.blue() - one.blue()) * share),
    )

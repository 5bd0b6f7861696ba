"""The words of a lesson as rows of symbols, painted."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QStyle, QWidget

from bpe_studio.bpe.lesson import Lesson
from bpe_studio.gui import theme
from bpe_studio.gui.widgets.byte_text import draw_readable
from bpe_studio.gui.widgets.lesson_layout import PADDING, WALL, Lane, LessonLayout, SymbolCell

LARGER = 3.0  # points more than other text: it is read from the last row
NARROWEST = 60
FRAME_MS = 33
FRAMES = 12
RADIUS = 4.0


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
        self._height = 0
        self._layout = LessonLayout()
        self._layout.set_font(self.cell_font())
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
        self._layout.follow(lesson)
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
            self._layout.set_font(self.cell_font())
            self._arrange()

    def zoom_for(self, lesson: Lesson, width: int, height: int, most: int) -> int:
        """The largest type in which the first state of a lesson, its longest, fits into a room."""
        layout = LessonLayout()
        for zoom in range(1, most + 1):
            layout.set_font(self.cell_font(zoom))
            if not layout.fits(lesson, width, height):
                return zoom - 1
        return most

    def cell_font(self, zoom: int | None = None) -> QFont:
        """The face of the symbols, as they are or in another size."""
        font = theme.mono_font()
        more = LARGER + (self._zoom if zoom is None else zoom)
        font.setPointSizeF(max(theme.SMALLEST_POINTS, font.pointSizeF() + more))
        return font

    # Places

    def _arrange(self) -> None:
        self._lanes, height = self._layout.flow(max(self.width(), NARROWEST))
        if height != self._height:
            self._height = height
            self.updateGeometry()
        self.update()

    def _described(self) -> str:
        if self._lesson is None:
            return ""
        text = self._layout.text
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
        fill = QColor(colours.base if plain else colours.tokens[cell.hue])
        if cell.state in ("first", "second"):
            fill = QColor(colours.selection)
        elif cell.state == "joined" and self._glow:
            fill = _mixed(fill, QColor(colours.second), 0.75 * self._glow)
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
            painter.setBrush(QColor(colours.second))
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
        return self._layout.flow(max(width, NARROWEST))[1]

    def sizeHint(self) -> QSize:
        return QSize(260, self._height)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self._height)

    def resizeEvent(self, event: QEvent) -> None:
        super().resizeEvent(event)
        self._arrange()


def _mixed(one: QColor, other: QColor, share: float) -> QColor:
    return QColor(
        round(one.red() + (other.red() - one.red()) * share),
        round(one.green() + (other.green() - one.green()) * share),
        round(one.blue() + (other.blue() - one.blue()) * share),
    )

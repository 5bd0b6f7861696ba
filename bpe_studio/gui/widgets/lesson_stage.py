"""The stage of a lesson: rows of symbols, the counts of the pairs, and a sentence above."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QSplitter, QStackedWidget, QWidget

from bpe_studio.bpe.lesson import Lesson
from bpe_studio.gui import theme
from bpe_studio.gui.widgets.basics import EmptyState, SectionHeader, label, lines, set_role
from bpe_studio.gui.widgets.elided_label import ElidedLabel
from bpe_studio.gui.widgets.lesson_cells import LessonCells
from bpe_studio.gui.widgets.lesson_learned import LessonLearned
from bpe_studio.gui.widgets.lesson_pairs import LessonPairs
from bpe_studio.reports.lesson import next_words

MOST_ZOOM = 40
ROOMY = 260  # in less the pairs need the room
LEAST_ZOOM = -3
ROWS_SHARE, PAIRS_SHARE = 600, 400
LONG_SENTENCE = (  # most are shorter
    "12 pairs occur 12 times each; of these the one that the text shows first is merged: e + r, "
    "first seen in “lowest”."
)
EMPTY = (
    "Type a few words that have letters in common, and see which pair of symbols is merged first, "
    "and why."
)
MERGED_NEXT = "the most frequent is merged"
BEGIN = "Begin with low, lower, lowest"


class LessonStage(QWidget):
    """Rows left, counts right, and above both what is merged next.

    The type is as large as the room lets it be; `zoom` is what somebody adds to it.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.zoom = 0
        self._lesson: Lesson | None = None
        self.cells = LessonCells()
        self.pairs = LessonPairs()
        self.sentence = label(wrap=True)
        self.sentence.setAccessibleName("What is merged next")
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.empty = EmptyState(EMPTY, action=BEGIN)
        self.rows_area, self.pairs_area = _area(self.cells), _area(self.pairs)
        self.split = QSplitter(Qt.Orientation.Horizontal)
        self.split.setChildrenCollapsible(False)
        self.split.setHandleWidth(theme.GAP)
        rows, _ = _titled("Words", "no merge crosses a wall", self.rows_area)
        pairs, self.of_pairs = _titled("Pairs", MERGED_NEXT, self.pairs_area)
        self.learned = LessonLearned()
        self.learned_part, _ = _titled("Merges", "so far", self.learned)
        right = QWidget()
        counts = lines(margin=0, gap=theme.GAP)
        counts.addWidget(pairs, 3)
        counts.addWidget(self.learned_part, 2)
        right.setLayout(counts)
        self.split.addWidget(rows)
        self.split.addWidget(right)
        self.split.setSizes([ROWS_SHARE, PAIRS_SHARE])
        page = QWidget()
        column = lines(self.sentence, margin=0)
        column.addWidget(self.split, 1)
        page.setLayout(column)
        self.pages = QStackedWidget()
        self.pages.addWidget(page)
        self.pages.addWidget(self.empty)
        self.setLayout(lines(self.pages, margin=0, gap=0))
        self.rows_area.viewport().installEventFilter(self)
        self.cells.installEventFilter(self)
        self._set_type(0)

    def show_lesson(self, lesson: Lesson | None, *, error: str = "", stepped: bool = False) -> None:
        """Show where a lesson stands, or why there is none."""
        begins = lesson is not self._lesson
        self._lesson = lesson
        self.pages.setCurrentIndex(0 if lesson is not None else 1)
        self.cells.show_lesson(lesson, stepped=stepped)
        self.pairs.show_lesson(lesson)
        self.learned.show_lesson(lesson)
        if lesson is None:
            self.empty.set_text(error or EMPTY, action=BEGIN)
            return
        self.sentence.setText(next_words(lesson, lesson.state))
        self.of_pairs.setText(MERGED_NEXT if lesson.state.next is not None else "none is merged")
        self.pairs_area.verticalScrollBar().setValue(0)  # the best is the first
        QTimer.singleShot(0, self, self._follow)
        if begins:
            self._fit()

    def _follow(self) -> None:
        """Where nothing of what is merged next is in view, go to the first of it."""
        seen = QRectF(self.cells.visibleRegion().boundingRect())
        marked = [c.rect for lane in self.cells.lanes for c in lane.cells if c.state == "first"]
        if marked and not any(seen.contains(rect) for rect in marked):
            place = marked[0].translated(self.cells.pos()).center().toPoint()
            margin = int(marked[0].height()) + theme.MARGIN
            self.rows_area.ensureVisible(place.x(), place.y(), 0, margin)

    def set_zoom(self, zoom: int) -> None:
        """Larger type, or smaller: to be read from the last row of a room."""
        self.zoom = min(max(zoom, LEAST_ZOOM), MOST_ZOOM)
        self._fit()

    def _fit(self) -> None:
        if self._lesson is None:
            return
        room = self.rows_area.viewport().size()
        margins = 2 * theme.MARGIN
        fitting = self.cells.zoom_for(
            self._lesson, room.width() - margins, room.height() - margins, MOST_ZOOM
        )
        self._set_type(min(max(fitting + self.zoom, LEAST_ZOOM), MOST_ZOOM))

    def _set_type(self, zoom: int) -> None:
        self.cells.set_zoom(zoom)
        self.pairs.set_zoom(zoom // 2)
        self.learned.set_zoom(zoom // 4)
        font = theme.ui_font()
        font.setPointSizeF(max(theme.SMALLEST_POINTS, font.pointSizeF() + 1 + zoom / 3))
        self.sentence.setFont(font)
        # Sentences differ in length, and the rows are not to jump from one to the next.
        metrics = self.sentence.fontMetrics()
        needed = metrics.horizontalAdvance(LONG_SENTENCE)
        rows = min(-(-needed // max(self.width(), 1)), 4)
        self.sentence.setMinimumHeight(metrics.lineSpacing() * rows)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.learned_part.setVisible(event.size().height() >= ROOMY)

    def minimumSizeHint(self) -> QSize:
        """Small: where there is little room, the rows scroll, whatever the type."""
        return QSize(250, 130)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is not self.cells:
            self._fit()
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            set_role(self.rows_area, "active", event.type() == QEvent.Type.FocusIn)
        return super().eventFilter(watched, event)


def _titled(title: str, words: str, area: QWidget) -> tuple[QWidget, ElidedLabel]:
    part = QWidget()
    head = QHBoxLayout()
    head.setSpacing(theme.GAP)
    head.addWidget(SectionHeader(title))
    more = ElidedLabel(role="muted")
    more.setText(words)
    head.addWidget(more, 1)
    column = lines(head, margin=0, gap=theme.GRID)
    column.addWidget(area, 1)
    part.setLayout(column)
    return part, more


def _area(content: QWidget) -> QScrollArea:
    area = QScrollArea()
    area.setObjectName("lessonArea")
    area.setWidgetResizable(True)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setMinimumWidth(120)
    holder = QWidget()
    column = lines(content)
    column.addStretch(1)
    holder.setLayout(column)
    area.setWidget(holder)
    return area

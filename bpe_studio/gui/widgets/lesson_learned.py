"""The merges that a lesson has learned so far, in order."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QListWidget, QWidget

from bpe_studio.bpe.decoder import readable
from bpe_studio.bpe.lesson import Lesson
from bpe_studio.bpe.trainer import Merge
from bpe_studio.gui import theme
from bpe_studio.gui.models.legible import legible
from bpe_studio.gui.widgets.words import number
from bpe_studio.reports.lesson import pair_words

LEAST_HEIGHT = 56


class LessonLearned(QListWidget):
    """`1  l + o → lo`, the last one in view."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lessonArea")
        self.setAccessibleName("Merges so far")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSelectionMode(QListWidget.SelectionMode.NoSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setUniformItemSizes(True)
        self._lesson: Lesson | None = None
        self._merges: tuple[Merge, ...] = ()
        self.set_zoom(0)

    @property
    def lines(self) -> list[str]:
        """What stands there."""
        return [self.item(row).text() for row in range(self.count())]

    def show_lesson(self, lesson: Lesson | None) -> None:
        """Show the merges to where a lesson stands."""
        merges = lesson.state.merges if lesson is not None else ()
        same = 0
        if lesson is self._lesson:
            same = min(len(merges), len(self._merges))
            while same and merges[same - 1] is not self._merges[same - 1]:
                same -= 1
        self._lesson, self._merges = lesson, merges
        while self.count() > same:
            self.takeItem(self.count() - 1)
        if lesson is not None:
            self.addItems([_line(lesson, merge) for merge in merges[same:]])
        self.scrollToBottom()

    def set_zoom(self, zoom: int) -> None:
        """Larger type, or smaller, by steps of a point."""
        font = theme.mono_font()
        font.setPointSizeF(max(theme.SMALLEST_POINTS, font.pointSizeF() + zoom))
        self.setFont(font)

    # Qt's questions

    def sizeHint(self) -> QSize:
        return QSize(200, 2 * LEAST_HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, LEAST_HEIGHT)


def _line(lesson: Lesson, merge: Merge) -> str:
    made = readable(lesson.name(merge.id))
    return legible(f"{number(merge.rank + 1)}  {pair_words(lesson, merge)} → {made}")

"""Where the words of a lesson stand: lanes of symbols between walls, in columns."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont

from bpe_studio.bpe.lesson import Lesson, LessonState, LessonWord
from bpe_studio.gui.theme import GAP, GRID
from bpe_studio.gui.widgets.symbol_texts import SymbolTexts

PADDING = 6.0
BETWEEN = 3.0  # two symbols
WALL = 2.0  # what no merge crosses
LANE_GAP = 10.0  # two words
COLUMN_GAP = 28.0
ROWS_A_COLUMN = 8  # more words than that go into further columns, where there is room
HUES = range(1, 6)  # of the theme's; the first is as blue as the mark of what is merged next
FITTING = 0.95  # of the words are to fit into the width of a column


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


Flowed = tuple[list[Lane], int]


class LessonLayout:
    """Lays out where a lesson stands; what was asked for before is known."""

    def __init__(self) -> None:
        self._lesson: Lesson | None = None
        self._state: LessonState | None = None
        self._texts = SymbolTexts()
        self._known: dict[int, Flowed] = {}

    def follow(self, lesson: Lesson | None) -> None:
        """Lay out where this lesson stands now."""
        state = lesson.state if lesson is not None else None
        if state is not self._state or lesson is not self._lesson:
            self._lesson, self._state = lesson, state
            self._texts.follow(lesson)
            self._known.clear()

    def set_font(self, font: QFont) -> None:
        """Lay out in another face."""
        if self._texts.set_font(font):
            self._known.clear()

    def text(self, symbol: int) -> str:
        """How a symbol reads."""
        return self._texts.text(symbol)

    def flow(self, width: int) -> Flowed:
        """The lanes in a width, and how high they are."""
        if self._state is None:
            return [], 0
        if width not in self._known:
            self._known[width] = self._flow(self._state, width)
        return self._known[width]

    def fits(self, lesson: Lesson, width: int, height: int) -> bool:
        """Whether the first state of a lesson, its longest, has room, with next to no word wrapped.

        Where there are many words, in columns.
        """
        self.follow(lesson)
        lanes, needed = self._flow(lesson.states[0], width)
        line = self._texts.metrics.height() + GRID
        wrapped = sum(lane.rect.height() > line for lane in lanes)
        right = max(lane.rect.right() for lane in lanes)
        return needed <= height and right <= width and wrapped <= (1 - FITTING) * len(lanes)

    def _flow(self, state: LessonState, width: int) -> Flowed:
        count_width = self._count_width(state.words)
        sizes = [self._sizes(word) for word in state.words]
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
            corner = column * (widest + COLUMN_GAP), heights[column]
            lane = self._lane(state, number, widths, corner, count_width, room)
            lanes.append(lane)
            heights[column] = lane.rect.bottom() + LANE_GAP
        return lanes, round(max(heights))

    def _lane(
        self,
        state: LessonState,
        number: int,
        widths: list[float],
        corner: tuple[float, float],
        count_width: float,
        room: float,
    ) -> Lane:
        word, height = state.words[number], self._texts.metrics.height() + GRID
        firing, joined = set(state.firing[number]), set(state.joined[number])
        wall = corner[0] + count_width
        begin, end = wall + WALL + BETWEEN, corner[0] + room - WALL - BETWEEN
        x, y, right = begin, corner[1], wall
        cells = []
        for place, (symbol, size) in enumerate(zip(word.symbols, widths, strict=True)):
            if x + size > end and x > begin:
                x, y = begin, y + height + BETWEEN
            kind = "first" if place in firing else "second" if place - 1 in firing else ""
            kind = kind or ("joined" if place in joined else "")
            rect = QRectF(x, y, min(size, max(end - x, 8.0)), height)
            hue = _hue(symbol - state.base_size)  # the merge that has made it; less for none
            if cells and hue == cells[-1].hue >= 0 and symbol != word.symbols[place - 1]:
                hue = _hue(hue)  # two neighbours are told apart
            cells.append(SymbolCell(rect, self._texts.text(symbol), hue, kind))
            x += size + BETWEEN
            right = max(right, rect.right())
        rect = QRectF(wall, corner[1], right + BETWEEN + WALL - wall, y + height - corner[1])
        count = QRectF(corner[0], corner[1], count_width - GAP, height)
        return Lane(rect, count, f"{word.count}×", tuple(cells))

    def _sizes(self, word: LessonWord) -> list[float]:
        return [self._texts.width(symbol) + 2 * PADDING for symbol in word.symbols]

    def _count_width(self, words: tuple[LessonWord, ...]) -> float:
        most = max(word.count for word in words)
        return self._texts.metrics.horizontalAdvance(f"{most}×") + GAP


def _hue(merge: int) -> int:
    """The hue of what a merge has made, -1 for what no merge has made."""
    return HUES[merge % len(HUES)] if merge >= 0 else -1


def _lane_width(sizes: list[float]) -> float:
    return sum(sizes) + BETWEEN * (len(sizes) + 1) + 2 * WALL + 1

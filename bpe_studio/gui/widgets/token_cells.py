"""Where the tokens of one block of a document stand on screen."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF
from PySide6.QtGui import QTextBlock, QTextLine

from bpe_studio.gui.models.token_layout import BEGINS_INSIDE, ENDS_INSIDE, TokenLayout

NEWLINE_WIDTH = 9.0
THINNEST = 3.0
PORTION = 16  # lines
MOST_PORTIONS = 4_000


@dataclass(frozen=True, slots=True)
class Cell:
    """A token, or the part of it on one line, in coordinates of its block."""

    token: int
    rect: QRectF
    begins: bool


class CellCache:
    """The cells of blocks, in portions of a few lines, each made when it is first seen."""

    def __init__(self) -> None:
        self._portions: dict[tuple[int, int], list[Cell]] = {}

    def clear(self) -> None:
        """Forget all cells: the text, its tokens or the width have changed."""
        self._portions.clear()

    def of(self, layout: TokenLayout, block: QTextBlock, top: float, bottom: float) -> list[Cell]:
        """Return the cells of the lines between two heights of a block, and of their neighbours."""
        if len(self._portions) > MOST_PORTIONS:
            self.clear()
        count = block.layout().lineCount()
        first, last = _line_at(block, top), _line_at(block, bottom)
        cells: list[Cell] = []
        for portion in range(first // PORTION, last // PORTION + 1):
            key = (block.blockNumber(), portion)
            if key not in self._portions:
                lines = range(portion * PORTION, min((portion + 1) * PORTION, count))
                self._portions[key] = line_cells(layout, block, lines)
            cells += self._portions[key]
        return cells


def line_cells(layout: TokenLayout, block: QTextBlock, numbers: range) -> list[Cell]:
    """Return the cells of some lines of a laid-out block, left to right."""
    lines = [_Line(block.layout().lineAt(number)) for number in numbers]
    if not lines:
        return []
    begin, length = block.position(), block.length()
    is_last = numbers[-1] == block.layout().lineCount() - 1
    stop_at = begin + (length if is_last else lines[-1].end)
    first, last = layout.first_ending_after(begin + lines[0].start), layout.first_at(stop_at)
    if first >= last:
        return []
    newline = length if is_last and block.next().isValid() else -1
    spans = (layout.positions[first:last] - begin).tolist()
    partial = layout.partial[first:last].tolist()
    inside = layout.inside[first:last].tolist()
    cells: list[Cell] = []
    at = 0
    for number, (start, end) in enumerate(spans):
        if layout.gone[0] <= first + number < layout.gone[1]:
            continue
        while at + 1 < len(lines) and lines[at].end <= start:
            at += 1
        stop = min(end, length - 1)
        for line in lines[at:]:
            left, right = line.x(max(start, line.start)), line.x(min(stop, line.end))
            if partial[number]:
                left, right = line.narrowed(
                    left, right, (start, stop), inside[number], partial[number]
                )
            if newline <= end and newline >= 0 and line is lines[-1]:
                right += NEWLINE_WIDTH
            if right != left or start >= line.start:
                cells.append(line.cell(first + number, left, right, begins=start >= line.start))
            if stop <= line.end:
                break
    return cells


def _line_at(block: QTextBlock, height: float) -> int:
    """Return the number of the line at a height of a block, by bisection."""
    text = block.layout()
    low, high = 0, max(text.lineCount() - 1, 0)
    while low < high:
        middle = (low + high + 1) // 2
        if text.lineAt(middle).y() <= height:
            low = middle
        else:
            high = middle - 1
    return low


class _Line:
    """One visual line with its x positions, each asked of Qt once."""

    def __init__(self, line: QTextLine) -> None:
        self._line = line
        self._known: dict[int, float] = {}
        self._stops: dict[tuple[int, int], int] = {}
        self.start = line.textStart()
        self.end = self.start + line.textLength()
        self.top = line.y()
        self.height = line.height()

    def x(self, position: int) -> float:
        if position not in self._known:
            self._known[position] = self._line.cursorToX(position)[0]
        return self._known[position]

    def narrowed(
        self,
        left: float,
        right: float,
        span: tuple[int, int],
        inside: list[float],
        partial: int,
    ) -> tuple[float, float]:
        """Cut the ends of a span at its share of the first and the last character."""
        start, stop = span
        after = self.x(self._beside(start, 1)) if partial & BEGINS_INSIDE else left
        before = self.x(self._beside(stop, -1)) if partial & ENDS_INSIDE else right
        return left + (after - left) * inside[0], right + (right - before) * inside[1]

    def _beside(self, position: int, step: int) -> int:
        """Return the next position at which a cursor may stand.

        What is found holds for all that was passed: many accents on one letter are passed once.
        """
        known, passed, beside = self._stops, [position], position + step
        while (beside - step, step) not in known:
            if not self.start < beside < self.end or self._line.cursorToX(beside)[1] == beside:
                known[beside - step, step] = min(max(beside, self.start), self.end)
                break
            passed.append(beside)
            beside += step
        stop = known[beside - step, step]
        known.update(((place, step), stop) for place in passed)
        return stop

    def cell(self, token: int, left: float, right: float, *, begins: bool) -> Cell:
        x = round(min(left, right))
        width = max(round(max(left, right)) - x, THINNEST)
        return Cell(token, QRectF(x, round(self.top) + 1, width, round(self.height) - 2), begins)

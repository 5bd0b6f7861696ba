"""Where the tokens of one block of a document stand on screen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QTextBlock, QTextLine

from bpe_studio.gui.models.token_layout import BEGINS_INSIDE, ENDS_INSIDE, TokenLayout

NEWLINE_WIDTH = 9.0
THINNEST = 3.0


@dataclass(frozen=True, slots=True)
class Cell:
    """A token, or the part of it on one line, in coordinates of its block."""

    token: int
    rect: QRectF
    begins: bool


def block_cells(layout: TokenLayout, block: QTextBlock) -> list[Cell]:
    """Return the cells of all tokens that touch a laid-out block, left to right."""
    begin, length = block.position(), block.length()
    first = int(np.searchsorted(layout.positions[:, 1], begin, side="right"))
    last = int(np.searchsorted(layout.positions[:, 0], begin + length, side="left"))
    if first >= last:
        return []
    spans = (layout.positions[first:last] - begin).tolist()
    partial = layout.partial[first:last].tolist()
    inside = layout.inside[first:last].tolist()
    lines = [_Line(line) for line in _lines(block)]
    ends = block.next().isValid()
    cells: list[Cell] = []
    at = 0
    for number, (start, end) in enumerate(spans):
        while at + 1 < len(lines) and lines[at].end <= max(start, 0):
            at += 1
        stop = min(end, length - 1)
        token = first + number
        for line in lines[at:]:
            left = line.x(max(start, line.start))
            right = line.x(min(stop, line.end))
            if partial[number]:
                left, right = line.narrowed(
                    left, right, (start, stop), inside[number], partial[number]
                )
            if end >= length and ends and stop <= line.end and line is lines[-1]:
                right += NEWLINE_WIDTH
            if right != left or start >= line.start:
                cells.append(line.cell(token, left, right, begins=start >= line.start))
            if stop <= line.end:
                break
    return cells


def _lines(block: QTextBlock) -> Iterator[QTextLine]:
    text = block.layout()
    return (text.lineAt(number) for number in range(text.lineCount()))


class _Line:
    """One visual line with its x positions, each asked of Qt once."""

    def __init__(self, line: QTextLine) -> None:
        self._line = line
        self._known: dict[int, float] = {}
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
        return left + (after - left) * inside[0], before + (right - before) * inside[1]

    def _beside(self, position: int, step: int) -> int:
        """Return the next position at which a cursor may stand."""
        beside = position + step
        while self.start < beside < self.end and self._line.cursorToX(beside)[1] != beside:
            beside += step
        return min(max(beside, self.start), self.end)

    def cell(self, token: int, left: float, right: float, *, begins: bool) -> Cell:
        x = round(min(left, right))
        width = max(round(max(left, right)) - x, THINNEST)
        return Cell(token, QRectF(x, round(self.top) + 1, width, round(self.height) - 2), begins)

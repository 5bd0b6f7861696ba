"""What was found in a text, marked under its letters on the lines that are in sight."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPen

from bpe_studio.gui.theme import Colours

FILL_ALPHA = 70
LINE_ALPHA = 170  # a fill alone is lost on a token of nearly its colour
MOST = 4_000  # in one block: more than can be seen
THINNEST = 3.0


def draw(
    painter: QPainter,
    theme: Colours,
    found: NDArray[np.int64],
    current: int,
    blocks: Iterable[tuple[Any, QRectF, list[Any]]],
) -> None:
    """Mark spans (n, 2) of document positions, sorted, on blocks with their places."""
    fill = QColor(theme.second)
    fill.setAlpha(FILL_ALPHA)
    plain: list[QRectF] = []
    chosen: list[QRectF] = []
    for block, place, _ in blocks:
        begin = block.position()
        first = bisect_right(found[:, 1], begin)
        last = bisect_left(found[:, 0], begin + block.length())
        corner = QPointF(round(place.left()), round(place.top()))
        for number in range(first, min(last, first + MOST)):
            start, end = (found[number] - begin).tolist()
            rects = [rect.translated(corner) for rect in _rects(block, start, end)]
            (chosen if number == current else plain).extend(rects)
    line = QColor(theme.second)
    line.setAlpha(LINE_ALPHA)
    painter.setBrush(fill)
    painter.setPen(QPen(line, 1.0))
    painter.drawRects(plain)
    fill.setAlpha(2 * FILL_ALPHA)
    painter.setBrush(fill)
    painter.setPen(QPen(QColor(theme.text), 2.0))
    painter.drawRects(chosen)


def _rects(block: Any, start: int, end: int) -> Iterator[QRectF]:
    """A span of a block, line by line, in its coordinates."""
    layout = block.layout()
    start, end = max(start, 0), min(end, block.length() - 1)
    if not layout.lineCount():
        return
    first = layout.lineForTextPosition(start).lineNumber()
    for number in range(max(first, 0), layout.lineCount()):
        line = layout.lineAt(number)
        begin, stop = line.textStart(), line.textStart() + line.textLength()
        if begin > end or (begin == end and begin > start):
            return
        if stop >= start:
            left = line.cursorToX(max(start, begin))[0]
            right = line.cursorToX(min(end, stop))[0]
            left, right = min(left, right), max(left, right)
            yield QRectF(left, line.y() + 1, max(right - left, THINNEST), line.height() - 2)

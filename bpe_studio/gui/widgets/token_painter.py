"""What the text pane paints under and over its text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPixmap, QTextBlock

from bpe_studio.gui.models.token_layout import BEGINS_INSIDE, STAND_INS, TokenLayout
from bpe_studio.gui.theme import Colours
from bpe_studio.gui.widgets import difference_marks, found_marks, token_paint

Visible = list[tuple[QTextBlock, QRectF, list]]
SIGNS = {" ": "·", "\t": "⇥", "\u00a0": "⍽", "\u3000": "□"}
NEWLINE_SIGN = "⏎"
INNER_LINE = 0.6
CODE_SIZE = 0.38  # of the height of a line
MOST_CODES = 500
SIGN_FLAGS = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip


class TokenPainter:
    """Paints the cells of visible blocks. It holds what is selected, nothing of the document."""

    def __init__(self) -> None:
        self.whitespace = False
        self.selected_id: int | None = None
        self.current: int | None = None
        self.marked: NDArray[np.int8] | None = None
        self.found: NDArray[np.int64] | None = None
        self.found_current = -1
        self._codes: dict[tuple[object, ...], QPixmap] = {}

    def draw_under(
        self, painter: QPainter, theme: Colours, layout: TokenLayout | None, blocks: Visible
    ) -> None:
        """Paint backgrounds and boundaries, and what was found."""
        if layout is not None:
            self._draw_cells(painter, theme, layout, blocks)
        if self.found is not None and len(self.found):
            found_marks.draw(painter, theme, self.found, self.found_current, blocks)

    def _draw_cells(
        self, painter: QPainter, theme: Colours, layout: TokenLayout, blocks: Visible
    ) -> None:
        fills: dict[int, list[QRectF]] = defaultdict(list)
        hatched, pills, boundaries = [], [], []
        hues, special, partial = layout.hues, layout.special, layout.partial
        for token, rect, begins in _placed(blocks):
            if special[token]:
                pills.append(rect)
                continue
            fills[int(hues[token])].append(rect)
            if partial[token]:
                hatched.append(rect)
            if begins:
                top = rect.topLeft()
                if partial[token] & BEGINS_INSIDE:  # a lower line lets the character be read
                    top += QPointF(0, rect.height() * INNER_LINE)
                boundaries.append(QLineF(top, rect.bottomLeft()))
        for hue, rects in fills.items():
            token_paint.fill_cells(painter, theme, hue, rects)
        token_paint.hatch_cells(painter, theme, hatched)
        token_paint.draw_boundaries(painter, theme, boundaries)
        token_paint.draw_pills(painter, theme, pills)

    def draw_over(
        self,
        painter: QPainter,
        theme: Colours,
        layout: TokenLayout | None,
        blocks: Visible,
        hovered: int,
    ) -> None:
        """Paint signs for what cannot be seen, marks, and what is selected or hovered."""
        self._draw_signs(painter, theme, blocks)
        if layout is None:
            return
        groups: dict[str, list[QRectF]] = defaultdict(list)
        marked: dict[int, list[QRectF]] = defaultdict(list)
        for token, rect, _ in _placed(blocks):
            if self.marked is not None and token < len(self.marked) and self.marked[token]:
                marked[int(self.marked[token])].append(rect)
            if token == self.current:
                groups["current"].append(rect)
            elif self.selected_id is not None and layout.ids[token] == self.selected_id:
                groups["equal"].append(rect)
            elif token == hovered:
                groups["hovered"].append(rect)
        for kind, rects in marked.items():
            difference_marks.draw(painter, theme, kind, rects)
        token_paint.draw_outlines(painter, theme.muted, groups["hovered"], width=1.0)
        token_paint.draw_outlines(painter, theme.accent, groups["equal"], width=1.0)
        token_paint.draw_outlines(painter, theme.accent, groups["current"], width=2.0)

    def _draw_signs(self, painter: QPainter, theme: Colours, blocks: Visible) -> None:
        quiet = QColor(theme.token_text)
        quiet.setAlpha(130)
        painter.setPen(quiet)
        for block, place, _ in blocks:
            text = block.text()
            wanted = {**SIGNS, **STAND_INS} if self.whitespace else STAND_INS
            if wanted is STAND_INS and text.isascii():
                continue
            if any(character in text for character in wanted):
                self._draw_line_signs(painter, theme, block, place, wanted)
            if self.whitespace and block.next().isValid():
                self._draw_newline(painter, block, place)

    def _draw_line_signs(
        self,
        painter: QPainter,
        theme: Colours,
        block: QTextBlock,
        place: QRectF,
        signs: dict[str, str],
    ) -> None:
        units = block.text().encode("utf-16-le", "surrogatepass")
        codes = np.frombuffer(units, np.uint16)
        layout = block.layout()
        for position in np.flatnonzero(np.isin(codes, [ord(c) for c in signs])).tolist():
            line = layout.lineForTextPosition(position)
            left, right = line.cursorToX(position)[0], line.cursorToX(position + 1)[0]
            rect = QRectF(left, line.y(), max(right - left, 8), line.height())
            rect.translate(place.topLeft())
            character = chr(int(codes[position]))
            if character in STAND_INS:  # the font has nothing but a box for it
                painter.fillRect(rect.adjusted(1, 2, 0, -2), QColor(theme.hover))
            if len(signs[character]) > 1:
                self._draw_kept_code(painter, rect, signs[character])
            else:
                painter.drawText(rect, SIGN_FLAGS, signs[character])

    def _draw_kept_code(self, painter: QPainter, rect: QRectF, code: str) -> None:
        """Texts of nothing but controls hold thousands of codes; each is drawn once."""
        ratio = painter.device().devicePixelRatioF()
        size = rect.size().toSize()
        ink = painter.pen().color().rgba()
        key = (code, size.width(), size.height(), ratio, ink, painter.font().key())
        if key not in self._codes:
            if len(self._codes) > MOST_CODES:
                self._codes.clear()
            picture = QPixmap(size * ratio)
            picture.setDevicePixelRatio(ratio)
            picture.fill(Qt.GlobalColor.transparent)
            pen = QPainter(picture)
            pen.setFont(painter.font())
            pen.setPen(painter.pen())
            _draw_code(pen, QRectF(0, 0, size.width(), size.height()), code)
            pen.end()
            self._codes[key] = picture
        painter.drawPixmap(rect.topLeft(), self._codes[key])

    def _draw_newline(self, painter: QPainter, block: QTextBlock, place: QRectF) -> None:
        layout = block.layout()
        if not layout.lineCount():
            return
        line = layout.lineAt(layout.lineCount() - 1)
        end = QPointF(line.cursorToX(block.length() - 1)[0], line.y())
        rect = QRectF(end, end + QPointF(10, line.height())).translated(place.topLeft())
        painter.drawText(rect, SIGN_FLAGS, NEWLINE_SIGN)


def _draw_code(painter: QPainter, rect: QRectF, code: str) -> None:
    """The four digits of a character that cannot be seen, two above two, as wide as a letter."""
    painter.save()
    font = painter.font()
    font.setPixelSize(max(7, round(QFontMetricsF(font).height() * CODE_SIZE)))
    painter.setFont(font)
    ink = painter.pen().color()
    ink.setAlpha(255)
    painter.setPen(ink)
    middle = rect.center().y()
    for half, (top, bottom) in enumerate(((rect.top() + 1, middle), (middle, rect.bottom() - 1))):
        place = QRectF(rect.left(), top, rect.width(), bottom - top)
        painter.drawText(place, SIGN_FLAGS, code[2 * half : 2 * half + 2])
    painter.restore()


def _placed(blocks: Visible) -> Iterator[tuple[int, QRectF, bool]]:
    for _, place, cells in blocks:
        corner = QPointF(round(place.left()), round(place.top()))
        for cell in cells:
            yield cell.token, cell.rect.translated(corner), cell.begins

"""Rows of a long text, laid out when they are seen; to the painters they are what blocks are."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont, QTextLayout, QTextOption

from bpe_studio.gui.models.long_document import LongDocument

MOST_ROWS = 400


class Row:
    """One laid-out row, with the questions that one asks a QTextBlock.

    Above and below each line is room for a `strip` so high.
    """

    def __init__(
        self,
        document: LongDocument,
        number: int,
        font: QFont,
        option: QTextOption,
        width: float,
        strip: float = 0.0,
    ) -> None:
        self._number = number
        self._strip = strip
        self._begin, self._end = document.span(number)
        self._last = number + 1 >= len(document)
        self._text = document.row_text(number)
        self._layout = QTextLayout(self._text, font)
        self._layout.setCacheEnabled(True)
        self._layout.setTextOption(option)
        self.height = self._lay_out(width)

    def _lay_out(self, width: float) -> float:
        height = 0.0
        self._layout.beginLayout()
        while (line := self._layout.createLine()).isValid():
            line.setLineWidth(width)
            line.setPosition(QPointF(0, height + self._strip))
            height += line.height() + 2 * self._strip
        self._layout.endLayout()
        return height

    def text(self) -> str:
        return self._text

    def layout(self) -> QTextLayout:
        return self._layout

    def position(self) -> int:
        return self._begin

    def length(self) -> int:
        """As long as the text and the line end, which Qt also counts after the last line."""
        return self._end - self._begin + 1

    def blockNumber(self) -> int:
        return self._number

    def next(self) -> Row:
        return self

    def isValid(self) -> bool:
        """Whether a row follows: what one asks `next()`."""
        return not self._last

    @property
    def lines(self) -> int:
        """How many lines it is on screen."""
        return max(self._layout.lineCount(), 1)

    def line_top(self, line: int) -> float:
        """The height at which a line begins."""
        known = line < self._layout.lineCount()  # Qt crashes on another line's place
        return self._layout.lineAt(line).y() - self._strip if known else 0.0

    def position_at(self, point: QPointF) -> int:
        """Return the position that is nearest to a point of the row."""
        for number in range(self._layout.lineCount()):
            line = self._layout.lineAt(number)
            bottom = line.y() + line.height() + self._strip
            if point.y() < bottom or number + 1 == self._layout.lineCount():
                return self._begin + line.xToCursor(point.x())
        return self._begin

    def caret(self, position: int) -> QRectF:
        """Return where the caret stands at a position, a line of no width."""
        inside = min(max(position - self._begin, 0), self._end - self._begin)
        line = self._layout.lineForTextPosition(inside)
        return QRectF(line.cursorToX(inside)[0], line.y(), 0, line.height())


class Rows:
    """The rows of a document; those that were seen last are kept."""

    def __init__(
        self, document: LongDocument, font: QFont, option: QTextOption, strip: float = 0.0
    ) -> None:
        self.document = document
        self._strip = strip
        self._font, self._option = font, option
        self._width = 0.0
        self._kept: dict[int, Row] = {}

    def __len__(self) -> int:
        return len(self.document)

    def __getitem__(self, number: int) -> Row:
        row = self._kept.pop(number, None)
        if row is None:
            row = Row(self.document, number, self._font, self._option, self._width, self._strip)
        self._kept[number] = row
        if len(self._kept) > MOST_ROWS:
            del self._kept[next(iter(self._kept))]
        return row

    def set_width(self, width: float) -> None:
        """Wrap at another width."""
        if width != self._width:
            self._width = width
            self._kept.clear()

"""A label of a few lines that ends in … where there is no more room."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from bpe_studio.gui.widgets.basics import Label

MOST_READ = 2000  # characters; more do not fit into a few lines of any window
MORE = "…"


class ClampedLabel(Label):
    """Plain text on at most `most` lines, broken only at spaces; its tooltip may say more.

    Qt would break a line after many a sign, in the middle of a name.
    """

    def __init__(self, *, most: int = 3, role: str = "", parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self._most = most
        self._known: tuple[object, list[str]] = (None, [])
        if role:
            self.setProperty("role", role)
        policy = self.sizePolicy()
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def lines(self, width: int) -> list[str]:
        """What there is room for in this width, line by line."""
        # Every layout asks several times, and each word is measured.
        asked = (self.text(), width, self.font().key())
        if self._known[0] != asked:
            self._known = (asked, self._broken(width))
        return self._known[1]

    def _broken(self, width: int) -> list[str]:
        text = self.text()
        words = text[:MOST_READ].split()
        made: list[str] = []
        while words and len(made) < self._most:
            count = self._count(words, width)
            made.append(" ".join(words[:count]))
            del words[:count]
        if made and (words or len(text) > MOST_READ):
            made[-1] = self._ended(made[-1], width)
        return made

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return len(self.lines(width)) * self.fontMetrics().lineSpacing()

    def sizeHint(self) -> QSize:
        return QSize(self.width(), self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        return QSize(24, self.fontMetrics().lineSpacing() if self.text() else 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        metrics = self.fontMetrics()
        for place, line in enumerate(self.lines(self.width())):
            painter.drawText(0, metrics.ascent() + place * metrics.lineSpacing(), line)

    def _count(self, words: list[str], width: int) -> int:
        """How many words fit in a line; one that is wider than a line has one of its own."""
        count = 1
        while count < len(words) and self._fits(" ".join(words[: count + 1]), width):
            count += 1
        return count

    def _ended(self, line: str, width: int) -> str:
        words = line.split(" ")
        while len(words) > 1 and not self._fits(" ".join([*words, MORE]), width):
            words.pop()
        return " ".join([*words, MORE])

    def _fits(self, line: str, width: int) -> bool:
        return self.fontMetrics().horizontalAdvance(line) <= width

"""How the symbols of a lesson read and how wide they are, each found out once."""

from __future__ import annotations

from PySide6.QtGui import QFont, QFontMetricsF

from bpe_studio.bpe.decoder import readable
from bpe_studio.bpe.lesson import Lesson
from bpe_studio.gui.widgets.byte_text import readable_width


class SymbolTexts:
    """Texts and widths of the symbols of one lesson in one face."""

    def __init__(self) -> None:
        self._lesson: Lesson | None = None
        self._font = QFont()
        self._texts: dict[int, str] = {}
        self._widths: dict[int, float] = {}
        self.metrics = QFontMetricsF(self._font)

    def follow(self, lesson: Lesson | None) -> None:
        """Know the symbols of another lesson; those of the same stay known."""
        if lesson is not self._lesson:
            self._lesson = lesson
            self._texts.clear()
            self._widths.clear()

    def set_font(self, font: QFont) -> bool:
        """Measure in this face; whether it is another one."""
        if font == self._font:
            return False
        self._font = font
        self.metrics = QFontMetricsF(font)
        self._widths.clear()
        return True

    def text(self, symbol: int) -> str:
        """How a symbol reads."""
        found = self._texts.get(symbol)
        if found is None:
            assert self._lesson is not None
            found = self._texts[symbol] = readable(self._lesson.name(symbol))
        return found

    def width(self, symbol: int) -> float:
        """How wide that is."""
        found = self._widths.get(symbol)
        if found is None:
            least = self.metrics.averageCharWidth()
            found = max(readable_width(self.text(symbol), self.metrics), least)
            self._widths[symbol] = found
        return found

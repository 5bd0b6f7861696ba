"""Texts and widths of symbols are those of their bytes, also after another lesson or face."""

from __future__ import annotations

from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication

from bpe_studio.bpe.lesson import Lesson
from bpe_studio.gui import theme
from bpe_studio.gui.widgets.byte_text import readable_width
from bpe_studio.gui.widgets.symbol_texts import SymbolTexts


def test_texts_follow_the_lesson_and_the_face(qapp: QApplication) -> None:
    texts = SymbolTexts()
    one, other = Lesson("ab ab"), Lesson("cd cd")
    for lesson in (one, other):
        lesson.run()
    texts.set_font(theme.mono_font())
    texts.follow(one)
    assert [texts.text(symbol) for symbol in (256, 97)] == ["ab", "a"]
    width = texts.width(256)
    assert width == readable_width("ab", QFontMetricsF(theme.mono_font()))
    texts.follow(other)
    assert texts.text(256) == "cd"
    large = theme.mono_font()
    large.setPointSizeF(30)
    texts.set_font(large)
    assert texts.width(256) > width

"""Errors stay until they are closed or their matter is tried again."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from bpe_studio.gui.widgets.error_bar import LEAST_HEIGHT, MOST_HEIGHT, ErrorBar

LONG = "/a/folder/name.json: the token at place 12 is no text; it should be one. " * 4


@pytest.fixture
def bar(qtbot: QtBot) -> Iterator[ErrorBar]:
    around = QWidget()
    qtbot.addWidget(around)
    made = ErrorBar()
    column = QVBoxLayout(around)
    column.addWidget(made)
    column.addWidget(QWidget(), 1)
    around.resize(480, 480)
    around.show()
    yield made
    around.close()


def test_they_stand_one_below_the_other(bar: ErrorBar) -> None:
    assert bar.isHidden()
    bar.tell("<b>a</b> is no tokenizer.", about="a")
    assert bar.isVisible() and bar.head.isHidden()
    bar.tell("b is none.", about="b")
    bar.tell("b is none.", about="b")
    assert bar.sentences == ["<b>a</b> is no tokenizer.", "b is none."]
    assert bar.count.text() == "2 errors" and bar.head.isVisible()


def test_each_goes_when_it_is_closed_or_tried_again(bar: ErrorBar, qtbot: QtBot) -> None:
    for about in ("a", "b", "c", None):
        bar.tell(f"{about} is damaged.", about=about)
    bar.forget("b")
    bar.forget("d")
    assert bar.sentences == ["a is damaged.", "c is damaged.", "None is damaged."]
    bar._rows[0].close_button.click()
    bar.forget()
    assert bar.sentences == ["c is damaged."] and bar.head.isHidden()
    qtbot.keyClick(bar, Qt.Key.Key_Escape)
    assert bar.isHidden() and bar.sentences == []


def test_it_is_as_high_as_it_needs_and_no_higher_than_some(bar: ErrorBar, qtbot: QtBot) -> None:
    scroll = bar.scroll.verticalScrollBar()
    bar.tell(LONG)
    words = bar._rows[0].words
    qtbot.waitUntil(lambda: words.height() >= words.heightForWidth(words.width()))
    qtbot.waitUntil(lambda: not scroll.isVisible())
    for about in range(20):
        bar.tell(LONG, about)
    qtbot.waitUntil(lambda: bar.scroll.height() == MOST_HEIGHT and scroll.isVisible())
    assert bar.head.isVisible()
    bar.parentWidget().resize(480, bar.parentWidget().minimumSizeHint().height())
    qtbot.waitUntil(lambda: bar.scroll.height() == LEAST_HEIGHT)
    qtbot.waitUntil(lambda: scroll.value() == scroll.maximum() > 0)  # the last one is seen

"""The bar asks; keys go on, back, and end it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bpe_studio.gui.models.text_search import KINDS, Question
from bpe_studio.gui.widgets.find_bar import FindBar


@pytest.fixture
def bar(qtbot: QtBot) -> FindBar:
    made = FindBar()
    qtbot.addWidget(made)
    made.begin()
    return made


def test_it_asks_for_what_is_typed(bar: FindBar, qtbot: QtBot) -> None:
    with qtbot.waitSignal(bar.asked) as asked:
        qtbot.keyClicks(bar.edit, "low")
    assert asked.args == [Question("Text", "low", any_case=True)]
    with qtbot.waitSignal(bar.asked) as asked:
        bar.case.click()
    assert asked.args == [Question("Text", "low", any_case=False)]
    with qtbot.waitSignal(bar.asked) as asked:
        bar.begin("Id", "262")
    assert bar.question == Question("Id", "262", any_case=False)


def test_only_texts_have_a_case(bar: FindBar) -> None:
    for kind in KINDS:
        bar.begin(kind)
        assert bar.case.isVisible() == (kind == "Text")
        assert bar.edit.placeholderText()


def test_keys_go_on_and_back(bar: FindBar, qtbot: QtBot) -> None:
    steps = []
    bar.stepAsked.connect(steps.append)
    qtbot.keyClick(bar.edit, Qt.Key.Key_Return)
    qtbot.keyClick(bar.edit, Qt.Key.Key_Enter, Qt.KeyboardModifier.ShiftModifier)
    bar.previous.click()
    bar.next.click()
    assert steps == [1, -1, -1, 1]


def test_escape_is_for_the_bar_and_not_for_the_window(bar: FindBar, qtbot: QtBot) -> None:
    nothing = Qt.KeyboardModifier.NoModifier
    for key, taken in ((Qt.Key.Key_Escape, True), (Qt.Key.Key_F5, False)):
        event = QKeyEvent(QEvent.Type.ShortcutOverride, key, nothing)
        event.ignore()
        QApplication.sendEvent(bar.edit, event)
        assert event.isAccepted() == taken
    with qtbot.waitSignal(bar.closed):
        qtbot.keyClick(bar.edit, Qt.Key.Key_Escape)
    assert bar.isHidden()


def test_what_is_wrong_is_red(bar: FindBar) -> None:
    bar.tell("Not in this text", wrong=True)
    assert bar.count.property("role") == "danger"
    assert bar.edit.property("wrong")
    bar.tell("1 of 2")
    assert bar.count.property("role") == "muted"
    assert not bar.edit.property("wrong")

"""The quiet line for errors and questions."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from bpe_studio.gui.widgets.notice import NoticeBar


@pytest.fixture
def bar(qtbot: QtBot) -> NoticeBar:
    made = NoticeBar()
    qtbot.addWidget(made)
    return made


def test_it_tells_and_goes(bar: NoticeBar, qtbot: QtBot) -> None:
    assert not bar.isVisible()
    bar.tell("<b>a.json</b> is no tokenizer.")
    assert bar.isVisible() and bar.label.text() == "<b>a.json</b> is no tokenizer."
    assert not bar.asking and not bar.action_button.isVisible()
    qtbot.keyClick(bar, Qt.Key.Key_Escape)
    assert not bar.isVisible()


def test_an_answer_is_given_once(bar: NoticeBar, qtbot: QtBot) -> None:
    answers: list[int] = []
    bar.ask("Stop?", "Stop", lambda: answers.append(1))
    assert bar.asking
    qtbot.keyClick(bar, Qt.Key.Key_Return)
    assert answers == [1] and not bar.asking and not bar.isVisible()
    bar.tell("Done.")
    qtbot.keyClick(bar, Qt.Key.Key_Return)
    assert answers == [1]


def test_closing_a_question_answers_nothing(bar: NoticeBar) -> None:
    answers: list[int] = []
    bar.ask("Stop?", "Stop", lambda: answers.append(1))
    bar.close_button.click()
    assert not answers and not bar.asking

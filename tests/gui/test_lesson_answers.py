"""Questions about units and traps are answered on a thread; the last one counts."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from bpe_studio.analysis.traps import find_trap
from bpe_studio.analysis.units import side_by_side
from bpe_studio.bpe.lesson import TOY_CORPUS, Lesson
from bpe_studio.bpe.lesson_table import tokenizer_of
from bpe_studio.gui.models.lesson_answers import LessonAnswers

TABLE = tokenizer_of(Lesson(TOY_CORPUS))


@pytest.fixture
def answers(qtbot: QtBot) -> LessonAnswers:
    return LessonAnswers()


def test_they_are_what_the_analysis_says(answers: LessonAnswers, qtbot: QtBot) -> None:
    with qtbot.waitSignal(answers.units) as told:
        answers.ask_units(TABLE, TOY_CORPUS, " newly ")
    assert told.args == [side_by_side(TABLE, TOY_CORPUS, "newly")]
    with qtbot.waitSignal(answers.trap) as told:
        answers.ask_trap(TABLE, TOY_CORPUS, "shift")
    assert told.args == [find_trap("shift", TABLE, TOY_CORPUS)]
    qtbot.waitUntil(lambda: not answers.busy)


def test_a_new_question_ends_the_one_before(answers: LessonAnswers, qtbot: QtBot) -> None:
    told: list[object] = []
    answers.units.connect(told.append)
    answers.ask_units(TABLE, TOY_CORPUS, "one")
    answers.ask_units(TABLE, TOY_CORPUS, "two")
    qtbot.waitUntil(lambda: not answers.busy)
    assert [answer.word for answer in told] == ["two"]


def test_what_goes_wrong_is_told(answers: LessonAnswers, qtbot: QtBot) -> None:
    viewed = replace(TABLE, view_only="It can only be viewed.")
    with qtbot.waitSignal(answers.failed) as told:
        answers.ask_trap(viewed, TOY_CORPUS, "case")
    assert told.args == ["It can only be viewed."]


def test_they_wait_for_the_kernels(qtbot: QtBot) -> None:
    ready = threading.Event()
    answers = LessonAnswers(ready=ready)
    with qtbot.assertNotEmitted(answers.trap, wait=150):
        answers.ask_trap(TABLE, TOY_CORPUS, "case")
    with qtbot.waitSignal(answers.trap):
        ready.set()

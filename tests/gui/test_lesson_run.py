"""A lesson goes forward and back, plays, and begins anew under other rules."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from bpe_studio.bpe.lesson import TOY_CORPUS, Lesson
from bpe_studio.gui.state.lesson_run import SPEEDS_MS, LessonRun


@pytest.fixture
def run(qtbot: QtBot) -> LessonRun:
    made = LessonRun()
    made.set_speed(len(SPEEDS_MS) - 1)
    return made


def test_it_steps_and_goes_back(run: LessonRun, qtbot: QtBot) -> None:
    with qtbot.waitSignal(run.changed):
        run.step()
    run.step()
    run.back()
    fresh = Lesson(TOY_CORPUS, run.rules)
    fresh.step()
    assert run.lesson is not None and run.lesson.state == fresh.state
    run.reset()
    assert run.place == 0
    with qtbot.assertNotEmitted(run.changed):
        run.back()
        run.reset()


def test_it_plays_to_the_end_and_from_there_anew(run: LessonRun, qtbot: QtBot) -> None:
    places: list[int] = []
    run.changed.connect(lambda: places.append(run.place))
    run.toggle()
    assert run.playing and run.place == 0  # the pair is seen before it fires
    qtbot.waitUntil(lambda: not run.playing, timeout=20_000)
    assert places == [*range(1, run.place + 1)]
    assert run.at_end
    run.toggle()
    assert run.playing and run.place == 0
    run.toggle()
    assert not run.playing


def test_it_goes_to_the_end_at_once(run: LessonRun, qtbot: QtBot) -> None:
    run.run_to_end()
    qtbot.waitUntil(lambda: run.at_end and not run.playing)
    whole = Lesson(TOY_CORPUS, run.rules)
    whole.run()
    assert run.lesson is not None and run.lesson.state == whole.state


def test_back_and_other_rules_stop_the_playing(run: LessonRun) -> None:
    run.step()
    run.toggle()
    run.back()
    assert not run.playing
    run.toggle()
    run.set_rules(base="chars")
    assert not run.playing and run.place == 0
    assert run.lesson is not None and run.lesson.rules.base == "chars"


def test_a_text_that_cannot_be_taught_is_told(run: LessonRun, qtbot: QtBot) -> None:
    with qtbot.waitSignal(run.started):
        run.set_text("a" * 5000)
    assert run.lesson is None and "up to 1,000 characters" in run.error
    for done in (run.step, run.back, run.reset, run.toggle, run.run_to_end):
        done()
    assert not run.playing and run.at_end
    run.set_text("low low")
    assert run.lesson is not None and not run.error


def test_the_same_again_is_silent(run: LessonRun, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(run.started):
        run.set_text(TOY_CORPUS)
        run.set_rules(base="bytes")

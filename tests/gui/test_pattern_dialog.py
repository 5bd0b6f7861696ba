"""The question how a text is cut."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from bpe_studio.bpe.patterns import PRESETS
from bpe_studio.gui.widgets.pattern_dialog import ABOUT, OWN, PatternDialog


def dialog(qtbot: QtBot, chosen: str = "cl100k") -> PatternDialog:
    made = PatternDialog(None, name="a.tiktoken", chosen=chosen)
    qtbot.addWidget(made)
    made.show()
    return made


def test_every_preset_is_there_with_a_line_on_it(qtbot: QtBot) -> None:
    patterns = [b.property("pattern") for b in dialog(qtbot).buttons.buttons()]
    assert set(patterns) == {*PRESETS, OWN} and set(ABOUT) == set(PRESETS)


@pytest.mark.parametrize("chosen", ["cl100k", "tekken", r"\S+|\s+"])
def test_it_begins_with_the_last_choice(qtbot: QtBot, chosen: str) -> None:
    made = dialog(qtbot, chosen)
    answers: list[str] = []
    made.chosen.connect(answers.append)
    assert made.pattern() == chosen
    made.open_button.click()
    assert answers == [chosen]


def test_an_expression_is_checked_as_one_types(qtbot: QtBot) -> None:
    made = dialog(qtbot)
    qtbot.keyClicks(made.expression, "(a")
    assert made.pattern() == "(a" and not made.open_button.isEnabled()
    assert "not a valid expression" in made.trouble.text() and made.trouble.isVisible()
    made.accept()
    assert made.isVisible()
    qtbot.keyClicks(made.expression, "|b)")
    assert made.open_button.isEnabled() and not made.trouble.isVisible()
    made.expression.clear()
    made._show()
    assert not made.open_button.isEnabled() and not made.trouble.isVisible()


def test_cancel_answers_nothing(qtbot: QtBot) -> None:
    made = dialog(qtbot)
    answers: list[str] = []
    made.chosen.connect(answers.append)
    made.reject()
    assert answers == []


@pytest.mark.parametrize("wrong", ["((a", "x*", "(" * 40])
def test_what_is_wrong_can_be_read_whole(qtbot: QtBot, wrong: str) -> None:
    made = dialog(qtbot)
    made.resize(made.minimumSize())
    qtbot.keyClicks(made.expression, wrong)
    qtbot.wait(20)
    trouble = made.trouble
    assert trouble.height() >= trouble.heightForWidth(trouble.width())
    assert trouble.geometry().top() > made.expression.geometry().bottom()
    assert trouble.geometry().bottom() < made.open_button.geometry().top()
    made.resize(made.minimumSize())
    qtbot.wait(20)
    assert trouble.height() >= trouble.heightForWidth(trouble.width())

"""The form of settings."""

from __future__ import annotations

import json

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bpe_studio.api import DEFAULT_SPECIALS, Settings
from bpe_studio.gui.widgets.settings_form import CUSTOM, SettingsForm


@pytest.fixture
def form(qtbot: QtBot) -> SettingsForm:
    made = SettingsForm()
    qtbot.addWidget(made)
    made.show()
    return made


def choose(combo: object, value: str) -> None:
    combo.setCurrentIndex(combo.findData(value))


def test_the_defaults_are_those_of_the_program(form: SettingsForm) -> None:
    assert Settings(**form.values()) == Settings() and not form.problem
    assert form.reading() == {"text_key": "text", "errors": "drop"}
    assert "262" in form.smallest.text()


def test_a_size_that_is_too_small_is_refused_with_the_smallest(form: SettingsForm) -> None:
    form.vocab_size.setValue(261)
    assert not form.check()
    assert "262" in form.problem and form.problem_label.isVisible()
    form.vocab_size.setValue(262)
    assert form.check() and not form.problem_label.isVisible()


def test_specials_move_the_smallest_size(form: SettingsForm) -> None:
    form.specials.setText("<a>,  <b> ,")
    form.check()
    assert form.values()["specials"] == ("<a>", "<b>") and "258" in form.smallest.text()
    form.specials.setText("")
    assert form.check() and form.values()["specials"] == ()
    form.specials.setText("<a>, <a>")
    assert not form.check()


def test_an_expression_is_checked_as_it_is_typed(form: SettingsForm, qtbot: QtBot) -> None:
    form.fold.set_open(True)
    choose(form.pattern, CUSTOM)
    assert form.expression.isVisible() and form.check()
    form.expression.setText(r"\w+")
    qtbot.waitUntil(lambda: bool(form.problem))  # it drops what is no word
    form.expression.setText(r"(")
    assert not form.check()
    form.expression.setText(r"\w+|\W+")
    assert form.check() and form.values()["pattern"] == r"\w+|\W+"
    choose(form.pattern, "gpt2")
    assert not form.expression.isVisible() and form.values()["pattern"] == "gpt2"


def test_everything_comes_back(form: SettingsForm, qtbot: QtBot) -> None:
    form.vocab_size.setValue(1234)
    form.min_freq.setValue(5)
    choose(form.pattern, CUSTOM)
    form.expression.setText(r"\w+|\W+")
    choose(form.base, "chars")
    choose(form.ties, "smallest-ids")
    choose(form.byte_order, "gpt2")
    choose(form.errors, "strict")
    form.specials.setText("<x>")
    form.text_key.setText("body")
    choose(form.rules.characters, "whole")
    form.rules.longest.setValue(16)
    form.rules.documents.setValue(3)
    other = SettingsForm()
    qtbot.addWidget(other)
    other.restore(json.loads(json.dumps(form.state())))
    assert other.values() == form.values() and other.reading() == form.reading()


def test_rules_for_merges(form: SettingsForm, qtbot: QtBot) -> None:
    form.fold.set_open(True)
    assert form.rules.longest.text() == "any length"
    with qtbot.waitSignal(form.changed):
        choose(form.rules.characters, "whole")
    with qtbot.waitSignal(form.changed):
        form.rules.longest.setValue(16)
    assert form.rules.longest.text() == "16 bytes"
    form.rules.documents.setValue(3)
    chosen = Settings(**form.values())
    assert (chosen.whole_characters, chosen.max_token_bytes, chosen.min_documents) == (True, 16, 3)
    form.check()
    assert form.fold.button.text() == "Advanced · changed"
    form.follow({"max_token_bytes": None, "whole_characters": False, "min_documents": 1})
    assert not Settings(**form.values()).merge_rules.as_written()
    form.follow(None)
    assert form.values()["max_token_bytes"] == 16
    nonsense = {"max_token_bytes": 2**40, "whole_characters": 1, "min_documents": -1}
    form.restore({**form.state(), **nonsense})
    assert form.values()["max_token_bytes"] is None and form.values()["min_documents"] == 3
    form.take_defaults()
    assert not Settings(**form.values()).merge_rules.as_written()


def test_the_fold_tells_that_something_is_changed(form: SettingsForm) -> None:
    assert form.fold.button.text() == "Advanced" and not form.defaults_button.isEnabled()
    choose(form.base, "chars")
    form.specials.setText("<x>")
    form.vocab_size.setValue(1234)
    form.check()
    assert form.fold.button.text() == "Advanced · changed" and form.defaults_button.isEnabled()
    form.defaults_button.click()
    assert form.fold.button.text() == "Advanced" and form.values()["vocab_size"] == 1234
    assert form.values()["specials"] == DEFAULT_SPECIALS


def test_a_wrong_expression_has_a_red_border(form: SettingsForm) -> None:
    choose(form.pattern, CUSTOM)
    form.expression.setText("(")
    form.check()
    assert form.expression.property("wrong") and form.problem
    choose(form.pattern, "gpt2")
    assert not form.expression.property("wrong") and not form.problem


def test_a_table_to_continue_decides(form: SettingsForm) -> None:
    form.vocab_size.setValue(1234)
    before = form.state()
    form.follow({"pattern": "gpt2", "base": "chars", "specials": ["<x>"]})
    assert form.values()["pattern"] == "gpt2" and form.values()["vocab_size"] == 1234
    assert form.values()["specials"] == ("<x>",) and form.state() == before
    form.follow({"pattern": "gpt2"})
    form.follow(None)
    assert form.state() == before and form.values()["pattern"] == "classic"


@pytest.mark.parametrize(
    "state", [{}, {"vocab_size": "x", "base": 3, "specials": [1], "pattern": 2}]
)
def test_nonsense_is_passed_over(form: SettingsForm, state: dict[str, object]) -> None:
    form.restore(state)
    assert form.values()["specials"] == DEFAULT_SPECIALS and not form.problem


def test_holding_out_is_proposed_until_it_is_chosen(form: SettingsForm) -> None:
    form.show()
    assert form.values()["hold_out"] == 0
    assert not form.hold_out_button.isVisible()
    form.propose_hold_out(True)
    button = form.hold_out_button
    assert button.isVisible() and button.text() == "Hold out 2 %" and not button.isChecked()
    button.click()
    assert form.values()["hold_out"] == 0.02
    assert button.isVisible() and button.text() == "2 % held out" and button.isChecked()
    assert form.fold.button.text() == "Advanced · changed"
    button.click()
    assert form.values()["hold_out"] == 0 and not button.isChecked()
    form.hold_out.setValue(12.5)
    form.check()
    assert button.text() == "12.5 % held out"
    form.propose_hold_out(False)
    assert not button.isVisible()


def test_what_is_below_stays_where_it_is(form: SettingsForm) -> None:
    form.resize(264, 600)
    form.show()
    form.propose_hold_out(True)
    places = []
    for _ in range(3):
        QApplication.processEvents()
        places.append((form.hold_out_button.geometry().topLeft(), form.fold.y()))
        form.hold_out_button.click()
    assert places[0] == places[1] == places[2]


def test_a_held_out_share_comes_back(form: SettingsForm) -> None:
    form.restore({**form.state(), "hold_out": 0.125})
    assert form.values()["hold_out"] == 0.125
    form.restore({**form.state(), "hold_out": "much"})
    assert form.values()["hold_out"] == 0.125

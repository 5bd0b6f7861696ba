"""The dialog: documents to check and to find, rules, and what it sends."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from bpe_studio.analysis.retraining import Suggestion
from bpe_studio.gui.models.leave_out import LeaveOutModel
from bpe_studio.gui.models.retrain_plan import Candidate, RetrainPlan
from bpe_studio.gui.widgets.retrain_dialog import (
    CHOOSE,
    NOT_FOUND,
    NOTHING_FOUND,
    NOTHING_LEFT,
    RetrainDialog,
)

FILES = {f"{n:02}.txt": 1000 for n in range(30)} | {"rows.jsonl": 5000}
CANDIDATES = (
    Candidate("07.txt", "2 tokens · 300 uses", "", 2),
    Candidate("rows.jsonl:5", "1 token · 30 uses", "", 1),
)


def plan(**chosen: Any) -> RetrainPlan:
    return RetrainPlan(
        table="mine",
        corpus_name="texts",
        settings={"vocab_size": 300, "min_freq": 2},
        chosen={"without": ("07.txt",), **chosen},
        suggestion=Suggestion(crossing=3, longer=1, lonely=0),
        candidates=CANDIDATES,
        files=FILES,
        rows=frozenset({"rows.jsonl"}),
    )


@pytest.fixture
def dialog(qtbot: QtBot) -> RetrainDialog:
    made = RetrainDialog(None, plan())
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)  # the test does it
    qtbot.addWidget(made)
    made.show()
    return made


def names(model: LeaveOutModel) -> list[str]:
    return [model.data(model.index(row, 0)) for row in range(model.rowCount())]


def checked(model: LeaveOutModel) -> list[str]:
    role = Qt.ItemDataRole.CheckStateRole
    states = [model.data(model.index(row, 0), role) for row in range(model.rowCount())]
    return [
        name
        for name, state in zip(names(model), states, strict=True)
        if state == Qt.CheckState.Checked
    ]


def test_qt_finds_no_fault() -> None:
    model = LeaveOutModel(plan())
    tester = QAbstractItemModelTester(model)
    model.search("1")
    model.toggle(0)
    model.search("")
    assert tester is not None and checked(model) == ["07.txt", "01.txt"]


def test_candidates_come_first_and_what_is_chosen_stays() -> None:
    model = LeaveOutModel(plan())
    assert names(model) == ["07.txt", "rows.jsonl:5"] and checked(model) == ["07.txt"]
    model.search("ROWS")
    assert names(model) == ["rows.jsonl:5", "rows.jsonl"]
    model.toggle(1)
    model.search("2")
    assert names(model) == ["02.txt", "12.txt", *(f"{n}.txt" for n in range(20, 30))]
    model.search("rows.jsonl:9")
    assert names(model) == ["rows.jsonl:9"]
    index = model.index(0, 0)
    assert model.setData(index, Qt.CheckState.Checked, Qt.ItemDataRole.CheckStateRole)
    model.search("rows.jsonl:x")
    assert names(model) == []
    model.search(" ")
    assert names(model) == ["07.txt", "rows.jsonl:5", "rows.jsonl", "rows.jsonl:9"]
    assert model.chosen == ("07.txt", "rows.jsonl", "rows.jsonl:9") and model.tokens == 2


def test_it_says_what_will_be_done(dialog: RetrainDialog) -> None:
    words = dialog.about.text()
    for part in ("mine is trained anew", "texts (31 files, 35.0 kB)", "300 ids", "this one stays"):
        assert part in words
    assert not dialog.remarks.isVisible()
    assert dialog.trouble.text() == "Leaves out 1 document, in which 2 tokens are concentrated."
    assert "3 tokens hold halves across borders now" in dialog.sentences[0].text()
    assert "1 token is over-long now" in dialog.sentences[1].text()
    assert dialog.sentences[2].text().endswith("No token is of only one document now.")


def test_it_sends_the_settings(dialog: RetrainDialog, qtbot: QtBot) -> None:
    dialog.whole.setChecked(True)
    assert not dialog.longest.isEnabled()
    dialog.short.setChecked(True)
    dialog.longest.setValue(16)
    with qtbot.waitSignal(dialog.chosen) as sent:
        dialog.train_button.click()
    assert sent.args == [
        {
            "vocab_size": 300,
            "min_freq": 2,
            "without": ("07.txt",),
            "whole_characters": True,
            "max_token_bytes": 16,
            "min_documents": 1,
        }
    ]


def test_what_is_suggested_is_set(qtbot: QtBot) -> None:
    made = RetrainDialog(None, plan(whole_characters=True, max_token_bytes=20, min_documents=4))
    qtbot.addWidget(made)
    settings = made.settings()
    assert (settings["whole_characters"], settings["max_token_bytes"]) == (True, 20)
    assert settings["min_documents"] == 4


def test_without_a_choice_there_is_nothing_to_train(dialog: RetrainDialog, qtbot: QtBot) -> None:
    dialog.documents.toggle(0)
    assert dialog.trouble.text() == CHOOSE and not dialog.train_button.isEnabled()
    with qtbot.assertNotEmitted(dialog.chosen):
        dialog.accept()
    dialog.several.setChecked(True)
    assert dialog.train_button.isEnabled() and dialog.trouble.text() == "Nothing is left out."


def test_not_all_can_be_left_out(qtbot: QtBot) -> None:
    made = RetrainDialog(None, plan(without=tuple(FILES)))
    qtbot.addWidget(made)
    assert made.trouble.text() == NOTHING_LEFT and not made.train_button.isEnabled()


def test_an_empty_list_says_why(dialog: RetrainDialog, qtbot: QtBot) -> None:
    assert not dialog.nothing.isVisible()
    dialog.filter_edit.setText("no such file")
    qtbot.waitUntil(dialog.nothing.isVisible)
    assert dialog.nothing.text() == NOT_FOUND
    dialog.filter_edit.clear()
    qtbot.waitUntil(lambda: not dialog.nothing.isVisible())
    made = RetrainDialog(None, replace(plan(), candidates=(), chosen={}, on_corpus=False))
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(made)
    made.show()
    assert made.sentences[2].text() == "What one document alone repeats is not learned."
    assert made.nothing.isVisible() and made.nothing.text() == NOTHING_FOUND


def test_enter_in_the_search_does_not_train(dialog: RetrainDialog, qtbot: QtBot) -> None:
    dialog.filter_edit.setFocus()
    with qtbot.assertNotEmitted(dialog.chosen):
        qtbot.keyClick(dialog.filter_edit, Qt.Key.Key_Return)
    assert dialog.isVisible()


def test_a_row_is_checked_by_the_keyboard(dialog: RetrainDialog, qtbot: QtBot) -> None:
    dialog.table.setCurrentIndex(dialog.documents.index(1, 0))
    qtbot.keyClick(dialog.table, Qt.Key.Key_Space)
    assert dialog.documents.chosen == ("07.txt", "rows.jsonl:5")

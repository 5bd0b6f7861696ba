"""A section folds, remembers that, and makes its content when it is first opened."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from bpe_studio.gui.state.explain_view import ExplainView
from bpe_studio.gui.widgets.merges_switch import MergesSwitch
from bpe_studio.gui.widgets.section import Section


def test_it_folds_and_the_next_one_of_its_name_is_folded_too(qtbot: QtBot) -> None:
    view = ExplainView()
    first = Section("Letters", lambda: QLabel("inside"), name="letters", view=view)
    qtbot.addWidget(first)
    first.show()
    assert first.content.isVisible()
    first.button.click()
    assert not first.content.isVisible()
    second = Section("Letters", lambda: QLabel("inside"), name="letters", view=view)
    other = Section("Piece", lambda: QLabel("inside"), name="piece", view=view)
    for section in (second, other):
        qtbot.addWidget(section)
        section.show()
    assert (second.is_open, other.is_open) == (False, True)


def test_its_content_is_made_once_and_only_when_it_is_opened(qtbot: QtBot) -> None:
    made = []

    def make() -> QLabel:
        made.append(QLabel("inside"))
        return made[-1]

    section = Section("Piece", make, name="piece 3", view=ExplainView(), open_at_first=False)
    qtbot.addWidget(section)
    section.show()
    assert made == []
    for opened in (True, False, True):
        section.set_open(opened)
        assert section.content.isVisible() is opened
    assert len(made) == 1


def test_the_switch_follows_the_view_and_changes_it(qtbot: QtBot) -> None:
    view = ExplainView()
    switch = MergesSwitch(view)
    qtbot.addWidget(switch)
    assert switch.steps.isChecked()
    with qtbot.waitSignal(view.mergesChanged) as changed:
        switch.tree.click()
    assert changed.args == ["tree"]
    view.set_merges("steps")
    assert (switch.steps.isChecked(), switch.tree.isChecked()) == (True, False)
    with qtbot.assertNotEmitted(view.mergesChanged):
        switch.steps.click()

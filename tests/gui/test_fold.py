"""A part of a form that opens and closes."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from bpe_studio.gui.widgets.fold import Fold


def test_it_opens_and_closes(qtbot: QtBot) -> None:
    fold = Fold("Advanced", QLabel("inside"))
    qtbot.addWidget(fold)
    fold.show()
    assert not fold.content.isVisible()
    with qtbot.waitSignal(fold.toggled):
        fold.button.click()
    assert fold.content.isVisible()
    fold.set_open(False)
    assert not fold.content.isVisible()
    fold.set_title("3 problems")
    assert fold.button.text() == fold.button.accessibleName() == "3 problems"

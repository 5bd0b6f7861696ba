"""A combo box that has no room for its text says so."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from bpe_studio.gui.widgets.elided_combo import ElidedCombo


def test_the_text_ends_in_dots_where_it_does_not_fit(qtbot: QtBot) -> None:
    combo = ElidedCombo()
    qtbot.addWidget(combo)
    combo.addItem("Training corpus (303 files, 6.2 MB)")
    combo.resize(500, 30)
    combo.show()
    assert combo.shown_text() == "Training corpus (303 files, 6.2 MB)"
    combo.resize(120, 30)
    assert combo.shown_text().endswith("…") and combo.shown_text().startswith("Train")

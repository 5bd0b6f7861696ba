"""A few lines, names whole, … at the end."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from bpe_studio.gui.widgets.clamped_label import ClampedLabel

NAMES = ", ".join(f"<|reserved_special_token_{number}|>" for number in range(30))


@pytest.mark.parametrize("width", [120, 320, 640])
def test_it_is_no_higher_than_its_lines(qtbot: QtBot, width: int) -> None:
    made = ClampedLabel(most=3)
    qtbot.addWidget(made)
    height = made.fontMetrics().lineSpacing()
    assert made.heightForWidth(width) == 0
    made.setText(NAMES)
    lines = made.lines(width)
    assert made.heightForWidth(width) == 3 * height
    assert lines[-1].endswith(" …") and NAMES.startswith(" ".join(lines)[:-2])
    assert made.text() == NAMES
    made.setText("Short.")
    assert made.lines(width) == ["Short."] and made.heightForWidth(width) == height
    made.resize(width, 60)
    made.grab()


def test_a_name_is_not_broken(qtbot: QtBot) -> None:
    made = ClampedLabel(most=3)
    qtbot.addWidget(made)
    name = "<|reserved_special_token_3|>"
    made.setText(f"{name} {name} and")
    width = made.fontMetrics().horizontalAdvance(name + " a")
    assert made.lines(width) == [name, name, "and"]
    made.setText("x" * 5000)
    assert len(made.lines(200)) == 1

"""The middle part gives way where a panel is narrow."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from bpe_studio.gui.widgets.wrapping_row import WrappingRow


def test_it_wraps_and_comes_back(qtbot: QtBot) -> None:
    parts = [QPushButton(word) for word in ("left", "a middle", "right")]
    row = WrappingRow(*parts)
    qtbot.addWidget(row)
    row.show()
    wide = sum(part.sizeHint().width() for part in parts) + 100
    row.resize(wide, row.sizeHint().height())
    assert not row.wrapped
    assert len({part.y() for part in parts}) == 1
    assert parts[0].x() < parts[1].x() < parts[2].x()
    row.resize(row.minimumSizeHint().width(), 200)
    assert row.wrapped
    assert parts[1].y() > parts[0].y() == parts[2].y()
    assert all(part.geometry().right() <= row.width() for part in parts)
    row.resize(wide, 60)
    assert not row.wrapped


def test_a_hidden_middle_takes_no_room(qtbot: QtBot) -> None:
    row = WrappingRow(QPushButton("left"), QPushButton("a middle"), QPushButton("right"))
    qtbot.addWidget(row)
    row.show()
    row.resize(row.minimumSizeHint().width(), 200)
    high = row.sizeHint().height()
    row.show_middle(False)
    assert row.sizeHint().height() < high
    row.show_middle(True)
    assert row.sizeHint().height() == high

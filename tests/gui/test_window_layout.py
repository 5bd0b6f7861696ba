"""Docks in their places."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, Qt
from PySide6.QtWidgets import QMainWindow, QWidget
from pytestqt.qtbot import QtBot

from bpe_studio.gui.state.settings_store import SettingsStore
from bpe_studio.gui.widgets.dock import Dock
from bpe_studio.gui.window_layout import WindowLayout, packed, unpacked


def make(qtbot: QtBot, folder: Path) -> tuple[QMainWindow, list[Dock], WindowLayout]:
    window = QMainWindow()
    qtbot.addWidget(window)
    window.setCentralWidget(QWidget())
    docks = [Dock(QWidget(), title) for title in ("Training", "Merges", "Explain", "Curve")]
    layout = WindowLayout(window, docks, SettingsStore(folder))
    layout.arrange()
    return window, docks, layout


def test_the_first_places(qtbot: QtBot, tmp_path: Path) -> None:
    window, docks, layout = make(qtbot, tmp_path)
    window.resize(1280, 800)
    window.show()
    layout.arrange()
    areas = Qt.DockWidgetArea
    assert [window.dockWidgetArea(dock) for dock in docks] == [
        areas.LeftDockWidgetArea,
        areas.RightDockWidgetArea,
        areas.RightDockWidgetArea,
        areas.BottomDockWidgetArea,
    ]
    training, merges, explain, curve = (dock.geometry() for dock in docks)
    assert training.left() == 0 and training.height() > 700
    assert merges.right() > 1270 and 380 < merges.width() < 460
    assert explain.top() > merges.bottom() and curve.left() > training.right()


def test_what_was_remembered_is_put_back(qtbot: QtBot, tmp_path: Path) -> None:
    window, docks, layout = make(qtbot, tmp_path)
    layout.restore()
    assert not layout.remembered
    docks[3].hide()
    layout.remember()
    layout._store.save()
    _, docks, layout = make(qtbot, tmp_path)
    layout.restore()
    assert layout.remembered and docks[3].isHidden()
    layout.arrange()
    assert not docks[3].isHidden()


@pytest.mark.parametrize("text", ["", "ü", "a", "====", "AAAA"])
def test_nonsense_is_nothing(text: str) -> None:
    assert isinstance(unpacked(text), QByteArray)


def test_packed_and_back() -> None:
    assert unpacked(packed(QByteArray(bytes(range(256))))) == QByteArray(bytes(range(256)))

"""Docks in their places."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow, QWidget
from pytestqt.qtbot import QtBot

from bpe_studio.gui.state.settings_store import SettingsStore
from bpe_studio.gui.widgets.dock import Dock
from bpe_studio.gui.window_layout import FIRST_SIZE, FRAME, WindowLayout, fitted, packed, unpacked


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
    _window, docks, layout = make(qtbot, tmp_path)
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


SMALL, BIG = QRect(0, 0, 1280, 800), QRect(1280, 0, 1920, 1040)


@pytest.mark.parametrize(
    ("place", "screens", "where"),
    [
        (QRect(100, 100, 800, 600), [SMALL], QRect(100, 100, 800, 600)),
        (QRect(0, 0, 1440, 900), [SMALL], QRect(8, 36, 1264, 756)),
        (QRect(900, 500, 800, 600), [SMALL], QRect(472, 192, 800, 600)),
        (QRect(1500, 90, 1440, 900), [SMALL, BIG], QRect(1500, 90, 1440, 900)),
        (QRect(1500, 90, 1440, 900), [SMALL], QRect(8, 36, 1264, 756)),  # that screen is gone
        (QRect(-900, -900, 800, 600), [BIG, SMALL], QRect(1288, 36, 800, 600)),
        (QRect(1, 2, 3, 4), [], QRect(1, 2, 3, 4)),
    ],
)
def test_a_place_inside_the_screens(place: QRect, screens: list[QRect], where: QRect) -> None:
    assert fitted(place, screens) == where


def test_a_first_start_fits_the_screen(qtbot: QtBot, tmp_path: Path) -> None:
    window, _, layout = make(qtbot, tmp_path)
    layout.open_first()
    room = QGuiApplication.primaryScreen().availableGeometry().marginsRemoved(FRAME)
    wanted = FIRST_SIZE.boundedTo(room.size())
    assert window.size() == wanted.expandedTo(window.minimumSizeHint())


def test_a_place_that_fits_no_more_is_brought_back(qtbot: QtBot, tmp_path: Path) -> None:
    window, _, layout = make(qtbot, tmp_path)
    window.setGeometry(700, 600, 700, 700)  # the screen of the tests has 800 by 800
    layout.remember()
    layout.restore()
    room = QGuiApplication.primaryScreen().availableGeometry().marginsRemoved(FRAME)
    assert room.contains(window.geometry())


@pytest.mark.parametrize("text", ["", "ü", "a", "====", "AAAA"])
def test_nonsense_is_nothing(text: str) -> None:
    assert isinstance(unpacked(text), QByteArray)


def test_packed_and_back() -> None:
    assert unpacked(packed(QByteArray(bytes(range(256))))) == QByteArray(bytes(range(256)))

"""Docks with titles of our own."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow, QWidget
from pytestqt.qtbot import QtBot

from bpe_studio.gui.widgets.basics import IconButton
from bpe_studio.gui.widgets.dock import Dock


def test_a_dock_floats_and_hides_by_its_buttons(qtbot: QtBot) -> None:
    window, panel = QMainWindow(), QWidget()
    qtbot.addWidget(window)
    panel.setObjectName("mergesPanel")
    dock = Dock(panel, "Merges")
    window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, dock)
    window.show()
    assert dock.objectName() == "mergesPanelDock" and dock.accessibleName() == "Merges"
    float_button, close_button = dock.titleBarWidget().findChildren(IconButton)
    float_button.click()
    assert dock.isFloating()
    float_button.click()
    assert not dock.isFloating()
    close_button.click()
    assert not dock.isVisible()

"""Menus from data."""

from __future__ import annotations

from PySide6.QtWidgets import QMainWindow
from pytestqt.qtbot import QtBot

from bpe_studio.gui.menus import SEPARATOR, Item, Menus


def test_actions_do_what_their_items_say(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    menus, done = Menus(window), []
    themes = menus.submenu(
        "T&heme",
        [
            Item(name=name, text=name, done=lambda name=name: done.append(name), checkable=True,
                 group="theme", checked=name == "a")
            for name in "ab"
        ],
    )  # fmt: skip
    menu = menus.add(
        "&File",
        [
            Item(name="open", text="&Open …", keys="Ctrl+O", done=lambda: done.append("open")),
            SEPARATOR,
            Item(name="shown", text="&Shown", done=done.append, checkable=True),
            themes,
        ],
    )
    assert [action.isSeparator() for action in menu.actions()] == [False, True, False, False]
    menus["open"].trigger()
    menus["shown"].trigger()
    menus["b"].trigger()
    assert done == ["open", True, "b"]
    assert menus["b"].isChecked() and not menus["a"].isChecked()
    assert menus.shortcuts() == [("File", "Open", "Ctrl+O")]
    menus.add("&Edit", [menus["open"]])  # in two menus, it is one action
    assert menus.shortcuts() == [("File", "Open", "Ctrl+O")]

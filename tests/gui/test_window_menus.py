"""The menus that change: recent files and open tables."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.settings_store import SettingsStore
from bpe_studio.gui.window_menus import _fill_recent, _fill_tables
from tests.gui.small_tables import small_tokenizer


class Opened:
    """Stands in for the file actions."""

    def __init__(self) -> None:
        self.paths: list[Path] = []

    def open_recent(self, path: Path) -> None:
        self.paths.append(path)


def test_recent_files(qtbot: QtBot, tmp_path: Path) -> None:
    store, opened, menu = SettingsStore(tmp_path), Opened(), QMenu()
    qtbot.addWidget(menu)
    _fill_recent(menu, store, opened)
    assert not menu.isEnabled()
    path = tmp_path / "a&b.json"
    store.add_recent(path)
    _fill_recent(menu, store, opened)
    assert menu.isEnabled() and menu.actions()[0].text() == str(path).replace("&", "&&")
    menu.actions()[0].trigger()
    assert opened.paths == [path]


def test_open_tables(qtbot: QtBot) -> None:
    tables, menu = OpenTables(), QMenu()
    qtbot.addWidget(menu)
    one = tables.add(OpenTable(tokenizer=small_tokenizer(), name="a", dirty=True))
    tables.add(OpenTable(tokenizer=small_tokenizer(), name="b"))
    _fill_tables(menu, tables)
    assert [action.text() for action in menu.actions()] == ["a ●", "b"]
    assert [action.isChecked() for action in menu.actions()] == [False, True]
    menu.actions()[0].trigger()
    assert tables.current is one

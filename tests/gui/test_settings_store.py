"""What the window remembers: plain JSON, never lost, never trusted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from bpe_studio.gui.state.settings_store import RECENT_LIMIT, SettingsStore


def test_values_come_back(tmp_path: Path) -> None:
    store = SettingsStore(tmp_path)
    store.set("theme", "dark")
    store.save()
    assert SettingsStore(tmp_path).get("theme", "system") == "dark"
    assert json.loads(store.path.read_text()) == {"theme": "dark"}


def test_it_saves_by_itself(tmp_path: Path, qtbot: QtBot) -> None:
    store = SettingsStore(tmp_path / "new" / "folder")
    store.set("a", 1)
    qtbot.waitUntil(store.path.exists)


@pytest.mark.parametrize("damage", [b"", b"{", b"[1]", b'{"theme": ', b"\xff\xfe", b"[" * 100_000])
def test_a_damaged_file_gives_way_to_the_one_before(tmp_path: Path, damage: bytes) -> None:
    store = SettingsStore(tmp_path)
    store.set("theme", "dark")
    store.save()
    store.set("theme", "light")
    store.save()
    store.path.write_bytes(damage)
    assert SettingsStore(tmp_path).get("theme", "system") == "dark"


def test_both_damaged_is_a_fresh_start(tmp_path: Path) -> None:
    store = SettingsStore(tmp_path)
    store.set("theme", "dark")
    store.save()
    store.save()
    for path in tmp_path.iterdir():
        path.write_text("no")
    assert SettingsStore(tmp_path).get("theme", "system") == "system"


def test_a_value_of_the_wrong_type_is_not_used(tmp_path: Path) -> None:
    store = SettingsStore(tmp_path)
    store.set("theme", ["dark"])
    assert store.get("theme", "system") == "system"


def test_a_folder_that_cannot_be_written_disturbs_nobody(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    store = SettingsStore(blocked / "below")
    store.set("a", 1)
    store.save()


def test_recent_files_latest_first(tmp_path: Path) -> None:
    store = SettingsStore(tmp_path)
    for number in range(RECENT_LIMIT + 3):
        store.add_recent(Path(f"/t/{number}.json"))
    store.add_recent(Path("/t/9.json"))
    recent = store.recent()
    assert recent[0] == Path("/t/9.json") and len(recent) == RECENT_LIMIT
    assert len(set(recent)) == RECENT_LIMIT

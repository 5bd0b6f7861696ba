"""The actions of the Explain panel are in a menu of the window and do what they say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from bpe_studio.gui.app import make_window
from bpe_studio.gui.main_window import MainWindow
from bpe_studio.gui.state.open_tables import OpenTable
from bpe_studio.gui.state.settings_store import SettingsStore
from bpe_studio.gui.widgets import tree_picture
from tests.gui.small_tables import small_tokenizer

TEXT = "the lowest lower"


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    made = make_window(SettingsStore(tmp_path / "settings"))
    made.kernels.skip()
    made.resize(1280, 800)
    made.show()
    made.tables.add(OpenTable(tokenizer=small_tokenizer(), name="small"))
    made.text.set_text(TEXT)
    made.selection.select_span(TEXT, 4, 7)
    qtbot.waitUntil(
        lambda: made.explain.story is not None and made.explain.story.proof is not None,
        timeout=60_000,
    )
    yield made
    made.closing.end_all(made, made.training, made.corpus, made.kernels)
    made.closing.settle()
    made.close()
    made.deleteLater()


def test_no_two_actions_have_the_same_key(window: MainWindow) -> None:
    """Qt would do neither."""
    keys = [
        action.shortcut().toString()
        for action in window.menus.actions.values()
        if not action.shortcut().isEmpty()
    ]
    assert sorted(keys) == sorted(set(keys))
    listed = [words for menu, words, _ in window.menus.shortcuts() if menu == "Explanation"]
    assert len(listed) == len(window.menus.menus["Explanation"].actions())


def test_merges_as_a_tree(window: MainWindow) -> None:
    tick = window.menus["merges_tree"]
    tick.trigger()
    assert window.explain.view.merges == "tree"
    window.explain.switch_merges()
    assert not tick.isChecked()


def test_copying_and_saving(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.menus["explain_copy"].trigger()
    assert "Why is this not one token?" in QGuiApplication.clipboard().text()
    window.menus["tree_copy"].trigger()
    assert not QGuiApplication.clipboard().image().isNull()
    place = (tmp_path / "tree.png", "Picture")
    monkeypatch.setattr(tree_picture, "choose_place", lambda *_: place)
    window.menus["tree_save"].trigger()
    qtbot.waitUntil(lambda: "Saved tree.png" in window.statusBar().currentMessage())
    assert place[0].exists()


def test_the_shortest_text_and_what_is_missing(qtbot: QtBot, window: MainWindow) -> None:
    proof = window.explain.story.proof
    window.menus["explain_proof"].trigger()
    qtbot.waitUntil(lambda: window.explain.story.text == proof.text, timeout=60_000)
    window.menus["explain_earned"].trigger()
    assert "Open a corpus" in window.statusBar().currentMessage()

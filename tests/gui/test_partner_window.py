"""The window offers a partner of table A, trains it and compares both."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from bpe_studio.gui.app import make_window
from bpe_studio.gui.main_window import MainWindow
from bpe_studio.gui.partner_training import NO_CORPUS
from bpe_studio.gui.state.open_tables import OpenTable
from bpe_studio.gui.state.settings_store import SettingsStore
from bpe_studio.gui.widgets.compare_pages import CORPUS
from tests.gui.small_tables import PROSE, small_tokenizer


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    made = make_window(SettingsStore(tmp_path / "settings"))
    made.kernels.skip()
    made.show()
    for name, merges in (("one", 40), ("two", 20)):
        tokenizer = small_tokenizer(PROSE * 3, merges)
        made.tables.add(OpenTable(tokenizer=tokenizer, name=name))
    yield made
    made.closing.end_all(made, made.training, made.corpus, made.kernels)
    made.closing.settle()
    made.close()
    made.deleteLater()


def test_without_files_the_corpus_panel_comes_to_the_front(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.show_panel(window.merges)
    with qtbot.waitSignal(window.partner_training.failed) as told:
        window.menus["compare_partner"].trigger()
    assert told.args == [NO_CORPUS] and window.partner_training.dialog is None
    assert window.training_panel.isAncestorOf(window.focusWidget())


def test_a_partner_becomes_b_and_esc_ends_its_training(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    gate = threading.Event()

    def train(*_: Any, **__: Any) -> Generator[Any]:
        while not gate.wait(0.01):
            yield SimpleNamespace(phase="training", done=0, total=0, seconds=1.0)
        return SimpleNamespace(tokenizer=small_tokenizer(PROSE * 3, 7), shortfall="It has fewer.")

    training = window.partner_training
    training._train = train
    (tmp_path / "text.txt").write_text(PROSE)
    window.corpus.add([tmp_path / "text.txt"])
    qtbot.waitUntil(lambda: window.corpus.corpus is not None)
    window.menus["compare_partner"].trigger()
    window.compare.stop()  # the probe texts; Esc would end them first
    qtbot.waitUntil(lambda: not window.compare.running, timeout=60_000)
    training.dialog.train_button.click()
    assert window.stopping.possible
    window.stopping.ask()
    qtbot.waitUntil(lambda: not training.runner.running)
    gate.set()
    training.dialog.train_button.click()
    qtbot.waitUntil(lambda: len(window.tables) == 3)
    assert window.compare.chooser_a.chosen is window.tables.tables[0]
    assert window.compare.chooser_b.chosen.name == "one-wordpiece"
    assert window.compare.chooser_b.chosen.tokenizer.notes[-1] == "It has fewer."
    assert window.compare.pages.page == CORPUS

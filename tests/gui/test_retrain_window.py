"""Planted pollution from end to end in the window: trained, found, trained without, compared."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from bpe_studio.gui.app import make_window
from bpe_studio.gui.main_window import MainWindow
from bpe_studio.gui.state.open_tables import OpenTable
from bpe_studio.gui.state.settings_store import SettingsStore

WORDS = [
    "the",
    "quick",
    "brown",
    "fox",
    "jumps",
    "over",
    "a",
    "lazy",
    "dog",
    "while",
    "seven",
    "wizards",
    "quietly",
    "boil",
    "water",
]
WORD = " zorblax"
PATIENCE = 400_000  # the first one waits for the kernels to be compiled


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    made = make_window(SettingsStore(tmp_path / "settings"))
    made.kernels.skip()
    made.resize(1280, 800)
    made.show()
    yield made
    made.closing.end_all(made, made.training, made.corpus, made.kernels)
    made.closing.settle()
    made.close()
    made.deleteLater()


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Sixty files of words, and one that says an invented word again and again."""
    folder = tmp_path / "texts"
    folder.mkdir()
    for n in range(60):
        words = (WORDS[(n * k + k * k) % len(WORDS)] for k in range(900))
        (folder / f"{n:02}.txt").write_text(" ".join(words), encoding="utf-8")
    (folder / "bad.txt").write_text(WORD * 300, encoding="utf-8")
    return folder


def train(qtbot: QtBot, window: MainWindow, corpus: Path) -> OpenTable:
    window.corpus.add([corpus])
    qtbot.waitUntil(lambda: window.corpus.corpus is not None)
    window.training_panel.form.vocab_size.setValue(360)
    window.menus["start"].trigger()
    qtbot.waitUntil(lambda: not window.training.running, timeout=PATIENCE)
    assert window.tables.current is not None
    return window.tables.current


def concentrated(window: MainWindow, table: OpenTable) -> set[bytes]:
    found = window.findings.of(table)
    assert found is not None and found.report.use is not None
    flags = found.report.of_kind("concentrated")
    return {table.tokenizer.token_bytes(flag.id) for flag in flags}


def test_a_polluted_file_is_found_left_out_and_its_token_is_gone(
    qtbot: QtBot, window: MainWindow, corpus: Path
) -> None:
    old = train(qtbot, window, corpus)
    window.show_panel(window.health)
    window.health.check_table(old, window.corpus.corpus)

    def checked() -> bool:
        found = window.findings.of(old)
        return found is not None and found.report.use is not None

    qtbot.waitUntil(checked, timeout=PATIENCE)
    assert WORD.encode() in concentrated(window, old)

    window.health.retrainAsked.emit()
    qtbot.waitUntil(lambda: window.retraining.dialog is not None)
    dialog = window.retraining.dialog
    assert dialog.documents.chosen == ("bad.txt",)
    assert dialog.trouble.text() == "Leaves out 1 document, in which 1 token is concentrated."
    dialog.train_button.click()
    qtbot.waitUntil(lambda: window.notice.asking, timeout=PATIENCE)

    new = window.tables.current
    assert new is not None and new is not old and old in window.tables.tables
    assert new.name.startswith("texts-without-")
    assert new.tokenizer.training.without == ("bad.txt",)
    assert new.tokenizer.table.find(WORD.encode()) is None
    assert WORD.encode() not in concentrated(window, new)
    before = len(concentrated(window, old))
    assert window.notice.label.text().startswith("Trained without 1 document")
    became = f"On the whole corpus, concentrated: {before} before, 0 after ({before} gone, 0 come)."
    assert window.notice.label.text().endswith(became)

    window.notice.action_button.click()
    assert window.tabs.currentWidget() is window.health and window.tables.current is new
    qtbot.waitUntil(lambda: window.health.change[0] is not None)
    change, name = window.health.change
    gone = change.of("concentrated")
    assert name == old.name and WORD.encode() in gone.gone and gone.after == 0
    chosen = (window.compare.chooser_a.chosen, window.compare.chooser_b.chosen)
    assert chosen == (old, new)


def test_the_key_asks_too_and_says_what_is_lacking(qtbot: QtBot, window: MainWindow) -> None:
    window.menus["retrain"].trigger()
    assert window.errors.isVisible() and window.retraining.dialog is None

"""A partner of another kind is trained as the table was, opened, and compared."""

from __future__ import annotations

import threading
from collections.abc import Generator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.gui.partner_training import LOOKING, NO_CORPUS, NO_TABLE, PartnerTraining
from bpe_studio.gui.state.corpus import CorpusState
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from tests.gui.small_tables import PROSE, small_tokenizer


class Bench:
    """The training with a table and a corpus; what is asked of the library is noted."""

    def __init__(self, qtbot: QtBot, folder: Path) -> None:
        self.qtbot = qtbot
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.tables, self.corpus = OpenTables(), CorpusState()
        self.gate = threading.Event()
        self.gate.set()
        self.calls: list[tuple[str, int, dict[str, Any]]] = []
        self.problem = ""
        self.shortfall = ""
        self.said: list[str] = []
        self.pairs: list[tuple[OpenTable, OpenTable]] = []
        self.training = PartnerTraining(
            window=self.window, tables=self.tables, corpus=self.corpus, train=self.train
        )
        self.training.failed.connect(self.said.append)
        self.training.told.connect(self.said.append)
        self.training.trained.connect(lambda a, b: self.pairs.append((a, b)))
        (folder / "one.txt").write_text(PROSE)
        self.folder = folder
        self.table = self.tables.add(OpenTable(tokenizer=small_tokenizer(), name="mine"))

    def train(self, corpus: Any, kind: str, size: int, **settings: Any) -> Generator[Any]:
        self.calls.append((kind, size, settings))
        yield SimpleNamespace(phase="reading", done=1, total=2, seconds=0.0)
        while not self.gate.wait(0.01):
            yield SimpleNamespace(phase="training", done=0, total=0, seconds=3.0)
        if self.problem:
            raise ValueError(self.problem)
        return SimpleNamespace(tokenizer=self.made, shortfall=self.shortfall)

    @property
    def made(self) -> Tokenizer:
        return small_tokenizer(PROSE * 3, 12)

    def find(self) -> None:
        self.corpus.add([self.folder])
        self.qtbot.waitUntil(lambda: self.corpus.corpus is not None)

    def settle(self) -> None:
        self.qtbot.waitUntil(lambda: not self.training.runner.running, timeout=60_000)


@pytest.fixture
def bench(qtbot: QtBot, tmp_path: Path) -> Bench:
    return Bench(qtbot, tmp_path)


def test_it_needs_a_table_and_a_corpus(bench: Bench) -> None:
    bench.training.ask(None)
    with bench.qtbot.waitSignal(bench.training.corpusAsked):
        bench.training.ask(bench.table)
    bench.corpus.add([bench.folder])
    bench.training.ask(bench.table)
    assert bench.said == [NO_TABLE, NO_CORPUS, LOOKING]


def test_a_partner_is_trained_as_the_table_was(bench: Bench) -> None:
    bench.find()
    bench.training.ask(bench.table)
    dialog = bench.training.dialog
    assert dialog.size.value() == bench.table.tokenizer.vocab_size
    dialog.kinds["unigram"].setChecked(True)
    dialog.train_button.click()
    bench.settle()
    kind, size, settings = bench.calls[0]
    tokenizer = bench.table.tokenizer
    assert (kind, size) == ("unigram", tokenizer.vocab_size)
    assert settings["pattern"] is tokenizer.pattern
    assert settings["specials"] == tokenizer.specials and settings["hold_out"] == 0.0
    (a, b), *_ = bench.pairs
    assert a is bench.table and b.name == "mine-unigram" and b.dirty
    assert b.tokenizer is bench.made and bench.tables.current is bench.table
    assert bench.training.dialog is None and "mine-unigram" in bench.said[0]


def test_how_far_it_is_and_how_to_end_it(bench: Bench) -> None:
    bench.find()
    bench.gate.clear()
    bench.training.ask(bench.table)
    dialog = bench.training.dialog
    dialog.train_button.click()
    bench.qtbot.waitUntil(lambda: "for 3 s" in dialog.strip.words.text())
    assert dialog.strip.words.text().startswith("WordPiece: ")
    assert not dialog.train_button.isEnabled()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    bench.settle()
    assert dialog.isVisible() and dialog.train_button.isEnabled() and not bench.pairs
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert bench.training.dialog is None and len(bench.tables) == 1


def test_why_it_failed_stands_in_the_dialog(bench: Bench) -> None:
    bench.find()
    bench.problem = "A model of this kind needs the package tokenizers."
    bench.training.ask(bench.table)
    dialog = bench.training.dialog
    dialog.train_button.click()
    bench.settle()
    assert dialog.trouble.text() == bench.problem and dialog.trouble.isVisible()
    bench.problem, bench.shortfall = "", "The text gives WordPiece no more than 271 ids."
    dialog.train_button.click()
    bench.settle()
    assert bench.said == [bench.shortfall] and len(bench.pairs) == 1


def test_one_dialog_at_a_time(bench: Bench) -> None:
    bench.find()
    bench.training.ask(bench.table)
    first = bench.training.dialog
    bench.training.ask(bench.table)
    assert bench.training.dialog is first
    first.reject()

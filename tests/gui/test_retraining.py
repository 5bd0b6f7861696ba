"""From the question to what became of it, with a training that a test plays."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from bpe_studio.analysis.flags import flag
from bpe_studio.analysis.health import HealthReport
from bpe_studio.analysis.looks import Partial
from bpe_studio.bpe.corpus import Corpus, CorpusFile
from bpe_studio.gui.models.retrain_words import outcome, without_words
from bpe_studio.gui.retraining import BUSY, NO_CORPUS, NO_TABLE, Retraining
from bpe_studio.gui.state.corpus import CorpusState
from bpe_studio.gui.state.findings import Findings, FindingsState
from bpe_studio.gui.state.kernels import KernelState
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.training import TrainingState
from tests.analysis.uses import use_of
from tests.gui.fake_session import FakeSession
from tests.gui.small_tables import small_tokenizer


class Bench:
    """States, a window, and the table that is to be trained again."""

    def __init__(self, qtbot: QtBot, folder: Path) -> None:
        self.qtbot = qtbot
        self.file = folder / "a.txt"
        self.file.write_text("low lower lowest", encoding="utf-8")
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.window.show()
        self.tables, self.corpus, kernels = OpenTables(), CorpusState(), KernelState()
        kernels.skip()
        self.session, self.asked_for = FakeSession(), {}
        self.training = TrainingState(
            corpus=self.corpus, tables=self.tables, kernels=kernels, make_session=self._session
        )
        self.findings = FindingsState()
        self.retraining = Retraining(
            window=self.window,
            tables=self.tables,
            corpus=self.corpus,
            training=self.training,
            findings=self.findings,
            ready=kernels.ready,
        )
        self.refusals: list[str] = []
        self.checks: list[OpenTable] = []
        self.endings: list[tuple[str, OpenTable, OpenTable]] = []
        self.retraining.failed.connect(self.refusals.append)
        self.retraining.checkAsked.connect(lambda table, _: self.checks.append(table))
        self.retraining.ended.connect(lambda *told: self.endings.append(told))

    def _session(self, corpus: Corpus, settings: dict[str, Any]) -> FakeSession:
        self.asked_for = settings
        return self.session

    def add_corpus(self) -> None:
        self.corpus.add([self.file])
        self.qtbot.waitUntil(lambda: self.corpus.corpus is not None)

    def add_table(self) -> OpenTable:
        return self.tables.add(OpenTable(tokenizer=small_tokenizer(merges=9), name="old"))

    def ask(self) -> None:
        self.retraining.ask()
        # Without a report the table is checked, which may wait for the kernels to be compiled.
        self.qtbot.waitUntil(lambda: self.retraining.dialog is not None, timeout=400_000)

    def keep(self, table: OpenTable, concentrated: int, corpus: Corpus | None = None) -> None:
        """What a check of a table finds on a corpus, by default on that of the panel."""
        tokenizer = table.tokenizer
        flags = tuple(
            flag(int(token), "concentrated", "So.")
            for token in tokenizer.table.merges[:concentrated, 2]
        )
        use = use_of(tokenizer, {"a.txt": [{int(flag.id): 30 for flag in flags}]})
        counts = {"concentrated": concentrated}
        report = HealthReport(flags, counts, 9, Partial(), trained_here=True, use=use)
        self.findings.keep(table, Findings(report, corpus or self.corpus.corpus))

    def train(self) -> OpenTable:
        """Choose a rule, and train to the end."""
        self.retraining.dialog.several.setChecked(True)
        self.retraining.dialog.accept()
        self.qtbot.waitUntil(lambda: not self.training.running)
        return self.training.table


@pytest.fixture
def bench(qtbot: QtBot, tmp_path: Path) -> Bench:
    return Bench(qtbot, tmp_path)


def test_what_is_lacking_is_said(bench: Bench, qtbot: QtBot) -> None:
    bench.retraining.ask()
    bench.add_table()
    with qtbot.waitSignal(bench.retraining.corpusAsked):
        bench.retraining.ask()
    bench.add_corpus()
    bench.session.pause = 0.05
    bench.training.start({"vocab_size": 300})
    bench.retraining.ask()
    assert bench.refusals == [NO_TABLE, NO_CORPUS, BUSY]
    bench.training.stop()
    qtbot.waitUntil(lambda: not bench.training.running)
    assert bench.endings == [] and bench.retraining.dialog is None


def test_a_table_that_cannot_be_trained_says_why(bench: Bench) -> None:
    bench.add_corpus()
    tokenizer = replace(small_tokenizer(), training=None, view_only="It can only be viewed.")
    bench.tables.add(OpenTable(tokenizer=tokenizer, name="odd"))
    bench.retraining.ask()
    assert bench.refusals == ["odd cannot be trained here. It can only be viewed."]


def test_both_tables_are_checked_and_the_outcome_is_told(bench: Bench, qtbot: QtBot) -> None:
    bench.add_corpus()
    old = bench.add_table()
    bench.ask()
    new = bench.train()
    assert bench.asked_for["min_documents"] == 2 and bench.asked_for["vocab_size"] == 268
    assert new is not old and new.name.startswith("a-without-") and bench.checks == [old]
    bench.findings.keep(new, Findings(HealthReport((), {}, 9, Partial(), trained_here=True)))
    assert bench.checks == [old]  # of the table alone: it says nothing of the corpus
    bench.keep(old, 3)
    assert bench.checks == [old, new] and not bench.endings
    bench.keep(new, 0)
    bench.keep(new, 1)  # a later check is nothing new
    qtbot.waitUntil(lambda: bool(bench.endings))
    assert bench.endings == [
        (
            "Trained with pairs of at least 2 documents. Concentrated: 3 before, 0 after "
            "(3 gone, 0 come).",
            old,
            new,
        )
    ]


def test_what_is_known_is_not_checked_again(bench: Bench) -> None:
    bench.add_corpus()
    old = bench.add_table()
    bench.keep(old, 3)
    bench.ask()
    assert bench.retraining.dialog.documents.rowCount() == 1  # a.txt, where it is concentrated
    new = bench.train()
    assert bench.checks == [new]


def test_findings_of_another_corpus_do_not_count(bench: Bench) -> None:
    bench.add_corpus()
    old = bench.add_table()
    bench.keep(old, 3, Corpus((CorpusFile(Path("b.txt"), "b.txt", 1),)))
    bench.ask()
    bench.train()
    assert bench.checks == [old]


def test_a_training_that_is_stopped_is_not_compared(bench: Bench, qtbot: QtBot) -> None:
    bench.add_corpus()
    bench.add_table()
    bench.session.pause = 0.05
    bench.ask()
    bench.retraining.dialog.whole.setChecked(True)
    bench.retraining.dialog.accept()
    qtbot.waitUntil(lambda: bench.training.table is not None)
    bench.training.stop()
    qtbot.waitUntil(lambda: not bench.training.running)
    assert bench.checks == []
    bench.training.start({"vocab_size": 300})  # another one is not about it
    qtbot.waitUntil(lambda: not bench.training.running)
    assert bench.checks == []


def test_a_table_that_is_closed_is_not_compared(bench: Bench) -> None:
    bench.add_corpus()
    old = bench.add_table()
    bench.keep(old, 3)
    bench.ask()
    bench.tables.remove(old)
    bench.train()
    assert bench.checks == [] and bench.endings == []


def test_cancel_trains_nothing(bench: Bench, qtbot: QtBot) -> None:
    bench.add_corpus()
    bench.add_table()
    bench.ask()
    bench.retraining.dialog.reject()
    assert not bench.training.running
    qtbot.waitUntil(lambda: bench.retraining.dialog is None)


def test_outcomes_in_words() -> None:
    one, two = small_tokenizer(merges=9), small_tokenizer(merges=4)
    ids = one.table.merges[:, 2].tolist()

    def report(places: range, *kinds: str, long: int = 0) -> HealthReport:
        flags = tuple(flag(ids[place], kind, "So.") for kind in kinds for place in places)
        counts = dict.fromkeys(kinds, len(places))
        counts |= {"over-long": long} if long else {}
        return HealthReport(flags, counts, 9, Partial(), trained_here=True)

    before = report(range(2, 9), "concentrated", "partial-utf8", "over-long")
    after = report(range(2, 4), "concentrated", "partial-utf8", long=1400)
    settings = {
        "without": ("a.txt", "b.jsonl:3"),
        "whole_characters": True,
        "max_token_bytes": 32,
        "min_documents": 2,
    }
    assert outcome(settings, before, after, (one, two)) == (
        "Trained without 2 documents, by 3 rules. On the whole corpus, concentrated: 7 before, 2 "
        "after (5 gone, 0 come); half a character: 7 before, 2 after (5 gone, 0 come); over-long: "
        "7 before, 1,400 after (7 gone, 0 come)."
    )
    usual = {"without": (), "whole_characters": False, "max_token_bytes": None, "min_documents": 1}
    assert without_words(usual) == ""
    whole = {**usual, "whole_characters": True}
    nothing = report(range(0))
    assert outcome(whole, nothing, after, (one, two)) == "Trained with whole characters only."
    gone = report(range(4, 9), "partial-utf8")
    assert outcome(whole, gone, report(range(0), "partial-utf8"), (one, two)) == (
        "Trained with whole characters only. Half a character: 5 before, 0 after (5 gone, 0 come)."
    )

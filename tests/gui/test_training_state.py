"""Start, stop, step and continue, and what is told about it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from bpe_studio.api import settings_for
from bpe_studio.gui.state.corpus import CorpusState
from bpe_studio.gui.state.kernels import KernelState
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.training import TrainingState
from tests.gui.fake_session import FakeSession
from tests.gui.small_tables import small_tokenizer

SETTINGS = {"vocab_size": 8000, "min_freq": 2}


class Bench:
    """A training state over a fake session."""

    def __init__(self, qtbot: QtBot, folder: Path, **session: Any) -> None:
        (folder / "a.txt").write_text("low low lower lowest")
        self.qtbot = qtbot
        self.corpus, self.tables, self.kernels = CorpusState(), OpenTables(), KernelState()
        self.kernels.skip()
        self.made: list[FakeSession] = []
        self.state = TrainingState(
            corpus=self.corpus,
            tables=self.tables,
            kernels=self.kernels,
            make_session=lambda corpus, settings: self.make(
                corpus=corpus, settings=settings_for(**settings), **session
            ),
        )
        self.phases: list[str] = []
        self.batches: list[Any] = []
        self.errors: list[str] = []
        self.state.phaseChanged.connect(self.phases.append)
        self.state.batchArrived.connect(self.batches.append)
        self.state.failed.connect(self.errors.append)
        self.corpus.add([folder])
        qtbot.waitUntil(lambda: self.corpus.corpus is not None)

    def make(self, **session: Any) -> FakeSession:
        self.made.append(FakeSession(**session))
        return self.made[-1]

    def wait(self) -> None:
        self.qtbot.waitUntil(lambda: not self.state.running, timeout=10_000)


def test_a_whole_training(qtbot: QtBot, tmp_path: Path) -> None:
    bench = Bench(qtbot, tmp_path, pause=0.002)
    bench.state.start(SETTINGS)
    assert bench.state.running
    bench.wait()
    assert bench.phases == ["counting", "merging", "done"]
    table = bench.tables.current
    assert (
        table is not None and table.dirty and table.name == f"{tmp_path.stem}-279"
    )  # what it holds
    assert len(table.tokenizer.table.merges) == 20 and bench.state.table is table
    assert bench.state.offer(SETTINGS).kind == "table"  # its own training is done
    ranks = [b.first_rank for b in bench.batches]
    assert ranks[0] == 0 and sum(map(len, bench.batches)) == 20 and ranks == sorted(ranks)


def test_stop_keeps_what_is_learned_and_continue_goes_on(qtbot: QtBot, tmp_path: Path) -> None:
    bench = Bench(qtbot, tmp_path, merges=30, batch=1, pause=0.01)
    bench.state.start(SETTINGS)
    qtbot.waitUntil(lambda: bool(bench.batches))
    bench.state.stop()  # tests/bench/gui_latency.py says how soon it answers
    bench.wait()
    assert bench.phases[-2:] == ["stopping", "stopped"]
    learned = len(bench.tables.current.tokenizer.table.merges)
    assert 0 < learned < 30 and bench.state.offer(SETTINGS).kind == "session"
    assert bench.state.continue_(SETTINGS)
    bench.wait()
    assert bench.phases[-1] == "done" and len(bench.made) == 1 and len(bench.tables) == 1
    assert len(bench.tables.current.tokenizer.table.merges) == bench.made[0].total


def test_step_learns_one_merge(qtbot: QtBot, tmp_path: Path) -> None:
    bench = Bench(qtbot, tmp_path)
    for learned in (1, 2, 3):
        bench.state.step(SETTINGS)
        bench.wait()
        assert len(bench.tables.current.tokenizer.table.merges) == learned
    assert len(bench.made) == 1 and bench.state.phase == "stopped"


def test_step_does_not_begin_anew_when_nothing_is_left(qtbot: QtBot, tmp_path: Path) -> None:
    bench = Bench(qtbot, tmp_path)
    bench.state.start(SETTINGS)
    bench.wait()
    assert not bench.state.steps_anew
    bench.state.step({"vocab_size": 200, "min_freq": 2})
    assert not bench.state.running and len(bench.made) == 1
    bench.tables.remove(bench.tables.current)
    assert bench.state.steps_anew


def test_what_is_counted_is_prepared(qtbot: QtBot, tmp_path: Path) -> None:
    bench = Bench(qtbot, tmp_path, read=(10, 20, 40))
    bench.state.start(SETTINGS)
    bench.wait()
    assert bench.phases == ["counting", "preparing", "merging", "done"]


def test_an_error_is_told_and_nothing_opens(qtbot: QtBot, tmp_path: Path) -> None:
    bench = Bench(qtbot, tmp_path, error=ValueError("The corpus holds no text."))
    bench.state.start(SETTINGS)
    bench.wait()
    assert bench.errors == ["The corpus holds no text."]
    assert bench.state.phase == "idle" and len(bench.tables) == 0


def test_stop_while_counting_leaves_nothing(qtbot: QtBot, tmp_path: Path) -> None:
    bench = Bench(qtbot, tmp_path, pause=0.05)
    bench.state.start(SETTINGS)
    bench.state.stop()
    bench.wait()
    assert bench.state.phase == "idle" and len(bench.tables) == 0


def test_it_says_that_it_waits_for_the_kernels(qtbot: QtBot, tmp_path: Path) -> None:
    bench = Bench(qtbot, tmp_path)
    bench.kernels.ready.clear()
    bench.state.start(SETTINGS)
    qtbot.waitUntil(lambda: bench.state.phase == "compiling")
    bench.kernels.skip()
    bench.wait()
    assert bench.phases[1:3] == ["compiling", "counting"] and bench.phases[-1] == "done"


def test_a_closed_table_cannot_go_on(qtbot: QtBot, tmp_path: Path) -> None:
    bench = Bench(qtbot, tmp_path)
    bench.state.step(SETTINGS)
    bench.wait()
    bench.tables.remove(bench.tables.current)
    assert not bench.state.offer(SETTINGS).kind and not bench.state.continue_(SETTINGS)


def test_another_size_makes_a_new_table(qtbot: QtBot, tmp_path: Path) -> None:
    bench = Bench(qtbot, tmp_path)
    bench.state.step(SETTINGS)
    bench.wait()
    first = bench.tables.current
    larger = {"vocab_size": 16_000, "min_freq": 2, "pattern": "gpt2"}
    assert bench.state.offer(larger).kind == "table"
    bench.state.continue_(larger)
    assert bench.state.followed["pattern"] == "classic" and bench.state.running
    assert bench.state.offer(larger).kind == ""
    bench.wait()
    assert len(bench.tables) == 2 and bench.tables.current is not first
    assert bench.tables.current.name == f"{first.name} → 279"
    settings = bench.made[1].settings
    assert settings.start is first.tokenizer and settings.vocab_size == 16_000
    bench.tables.set_current(first)
    assert bench.state.offer(SETTINGS).kind == "session"


def test_it_tells_when_the_offer_may_be_another(qtbot: QtBot, tmp_path: Path) -> None:
    bench = Bench(qtbot, tmp_path)
    with qtbot.waitSignal(bench.state.offerChanged):
        bench.tables.add(OpenTable(tokenizer=small_tokenizer(), name="small"))
    assert bench.state.has_table


def test_a_second_training_opens_a_second_table(qtbot: QtBot, tmp_path: Path) -> None:
    bench = Bench(qtbot, tmp_path)
    for _ in range(2):
        bench.state.start(SETTINGS)
        bench.wait()
    assert len(bench.tables) == 2 and bench.tables.current is bench.state.table


def test_close_waits_for_the_thread(qtbot: QtBot, tmp_path: Path) -> None:
    bench = Bench(qtbot, tmp_path, pause=0.02)
    assert bench.state.close(0)
    bench.state.start(SETTINGS)
    assert bench.state.close(2000) and not bench.state.running


@pytest.mark.parametrize("pause", [0.0, 0.005])
def test_progress_never_goes_back(qtbot: QtBot, tmp_path: Path, pause: float) -> None:
    bench = Bench(qtbot, tmp_path, pause=pause)
    seen: list[tuple[str, int, int]] = []
    bench.state.progressed.connect(lambda p: seen.append((p.phase, p.done, p.total)))
    bench.state.start(SETTINGS)
    bench.wait()
    merging = [done for phase, done, _ in seen if phase == "merging"]
    assert merging == sorted(merging) and merging[-1] == 20
    assert all(done <= total or phase == "counting" for phase, done, total in seen)


def test_what_is_held_out_is_known_when_the_training_ends(qtbot: QtBot, tmp_path: Path) -> None:
    """A real session this time: over a fake one nothing would be measured."""
    rows = (f'{{"text": "low lower {n} newest the then"}}\n' for n in range(80))
    (tmp_path / "rows.jsonl").write_text("".join(rows))
    corpus, tables, kernels = CorpusState(), OpenTables(), KernelState()
    kernels.skip()
    state = TrainingState(corpus=corpus, tables=tables, kernels=kernels)
    corpus.add([tmp_path / "rows.jsonl"])
    qtbot.waitUntil(lambda: corpus.corpus is not None)
    settings = {"vocab_size": 266, "hold_out": 0.2}
    state.start(settings)
    qtbot.waitUntil(lambda: not state.running, timeout=60_000)
    table = tables.current
    assert table is not None and table.tokenizer.training is not None
    record = table.tokenizer.training
    assert record.held_out is not None and len(record.held_out) == len(table.tokenizer.merges)
    assert record.held_out_totals["documents"] + record.totals["documents"] == 80
    assert state.followed is None or state.followed["hold_out"] == 0.2
    offer = state.offer({"vocab_size": 300, "min_freq": 2})
    assert offer.kind == "table" and "tie rule and hold-out" in offer.sentence
    assert settings_for(**offer.settings).hold_out == 0.2

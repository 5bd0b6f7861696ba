"""Which tables are compared on what, when that is done again, and what stays."""

from __future__ import annotations

import threading
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from bpe_studio.bpe.corpus import Corpus, find_files
from bpe_studio.gui.models.corpus_comparing import CorpusComparing
from bpe_studio.gui.models.corpus_source import Source
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from tests.gui.plain_comparison import plain_comparison
from tests.gui.small_tables import PROSE, small_tokenizer


class Bench:
    """A comparison with three tables; every pass is noted."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.passes: list[tuple[str, ...]] = []
        self.gate = threading.Event()
        self.gate.set()
        self.tables = OpenTables()
        self.comparing = CorpusComparing(self.tables, compare=self.compare)
        self.a, self.b, self.c = (
            self.tables.add(OpenTable(tokenizer=small_tokenizer(PROSE * 3, merges), name=name))
            for name, merges in (("a", 40), ("b", 20), ("c", 5))
        )

    def compare(self, tables: Any, corpus: Corpus, *, report: Any = None) -> Generator[Any]:
        names = {table.tokenizer: table.name for table in self.tables}
        self.passes.append(tuple(names.get(table, "?") for table in tables))
        while not self.gate.wait(0.01):
            yield type("Step", (), {"bytes_read": 0})()
        return (yield from plain_comparison(tables, corpus, report=report))

    def settle(self) -> None:
        self.qtbot.waitUntil(lambda: not self.comparing.runner.running, timeout=60_000)

    def look(self) -> None:
        self.comparing.eager = True
        self.comparing.set_sides(self.a, self.b)
        self.qtbot.waitUntil(lambda: self.comparing.answered, timeout=60_000)


@pytest.fixture
def bench(qtbot: QtBot) -> Bench:
    return Bench(qtbot)


@pytest.fixture
def corpus(tmp_path: Path) -> Source:
    (tmp_path / "one.txt").write_text(PROSE)
    (tmp_path / "two.py").write_text("low = lower\n")
    return Source("panel", "some files", find_files([tmp_path]))


def test_the_probe_texts_are_compared_when_somebody_looks(bench: Bench) -> None:
    bench.comparing.set_sides(bench.a, bench.b)
    bench.qtbot.wait(300)
    assert not bench.passes
    bench.look()
    assert bench.passes == [("a", "b", "c")]
    assert bench.comparing.result.tables == (bench.a, bench.b, bench.c)


def test_figures_are_those_of_the_tables(bench: Bench) -> None:
    bench.look()
    found = bench.comparing.result.comparison
    text = "".join(file.path.read_text() for file in bench.comparing.result.corpus.files)
    assert found.tables[2].tokens == sum(
        len(bench.c.tokenizer.encode(file.path.read_text()))
        for file in bench.comparing.result.corpus.files
    )
    assert found.characters == len(text)


def test_other_tables_are_compared_again(bench: Bench) -> None:
    bench.look()
    bench.comparing.set_sides(bench.a, bench.c)
    assert bench.comparing.outdated
    bench.qtbot.waitUntil(lambda: bench.comparing.answered, timeout=60_000)
    assert bench.passes == [("a", "b", "c"), ("a", "c", "b")] and not bench.comparing.outdated


def test_changing_places_reads_nothing_again(bench: Bench) -> None:
    bench.look()
    before = bench.comparing.result.comparison
    bench.comparing.set_sides(bench.b, bench.a)
    after = bench.comparing.result.comparison
    assert bench.comparing.answered and len(bench.passes) == 1
    assert after.tables == (before.tables[1], before.tables[0], before.tables[2])
    assert [piece.data for piece in after.dearer_b] == [piece.data for piece in before.dearer_a]
    assert all(piece.lost < 0 for piece in after.dearer_b)
    assert after.spans.get("a-splits") == before.spans.get("b-splits")
    assert after.equal.a is before.equal.b
    assert bench.comparing.result.kinds[0].tokens[:2] == tuple(
        table.file_tokens[:8].sum() + table.file_tokens[-2:].sum() for table in after.tables[:2]
    )


def test_a_corpus_is_compared_when_asked_for_and_with_two_tables(
    bench: Bench, corpus: Source
) -> None:
    bench.look()
    bench.comparing.set_source(corpus)
    bench.qtbot.wait(300)
    assert len(bench.passes) == 1 and not bench.comparing.answered
    bench.comparing.compare()
    bench.settle()
    assert bench.passes[1:] == [("a", "b")]
    assert bench.comparing.result.comparison.files == ("one.txt", "two.py")


def test_a_table_can_be_added_and_left_out(bench: Bench, corpus: Source) -> None:
    bench.look()
    bench.comparing.set_source(corpus)
    bench.comparing.set_part(bench.c, True)
    bench.comparing.compare()
    bench.settle()
    assert bench.passes[1:] == [("a", "b", "c")]
    bench.comparing.set_part(bench.c, False)  # what is known is more than what is asked for
    assert bench.comparing.answered


def test_stopping_keeps_what_was_found(bench: Bench, corpus: Source) -> None:
    bench.look()
    before = bench.comparing.result
    bench.gate.clear()
    bench.comparing.set_source(corpus)
    bench.comparing.compare()
    assert bench.comparing.runner.running
    bench.comparing.stop()
    bench.settle()
    assert bench.comparing.result is before


def test_a_stopped_probe_is_not_begun_anew(bench: Bench) -> None:
    begun: list[bool] = []
    bench.comparing.began.connect(lambda: begun.append(True))
    bench.gate.clear()
    bench.comparing.eager = True
    bench.comparing.set_sides(bench.a, bench.b)
    bench.qtbot.waitUntil(lambda: bench.comparing.runner.running)
    bench.comparing.stop()
    bench.settle()
    bench.qtbot.wait(400)
    assert begun == [True]


def test_a_newer_tokenizer_makes_a_result_outdated(bench: Bench, corpus: Source) -> None:
    bench.comparing.set_sides(bench.a, bench.b)
    bench.comparing.set_source(corpus)
    bench.comparing.compare()
    bench.settle()
    assert bench.comparing.answered
    bench.tables.set_tokenizer(bench.b, small_tokenizer(PROSE * 3, 30))
    assert bench.comparing.outdated and bench.comparing.result is not None


def test_what_is_closed_is_not_kept(bench: Bench) -> None:
    bench.look()
    bench.comparing.eager = False
    bench.tables.remove(bench.b)
    assert bench.comparing.result is None and bench.comparing.question() is None


def test_a_failure_is_told_once(bench: Bench) -> None:
    told: list[str] = []
    bench.comparing.failed.connect(told.append)
    bench.b.tokenizer = replace(bench.b.tokenizer, view_only="It can only be viewed.")

    def refuse(tables: Any, corpus: Corpus, *, report: Any = None) -> Generator[Any]:
        raise ValueError("It can only be viewed.")
        yield

    bench.comparing._compare = refuse
    bench.comparing.eager = True
    bench.comparing.set_sides(bench.a, bench.b)
    bench.qtbot.waitUntil(lambda: bool(told), timeout=60_000)
    bench.qtbot.wait(500)
    assert told == ["It can only be viewed."]


def test_a_table_to_view_takes_no_part(bench: Bench) -> None:
    bench.c.tokenizer = replace(bench.c.tokenizer, view_only="It can only be viewed.")
    bench.look()
    assert bench.passes == [("a", "b")]

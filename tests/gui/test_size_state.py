"""The size that the slider stands at, table by table."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.size import SizeState
from tests.gui.small_tables import small_tokenizer


class Bench:
    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.tables = OpenTables()
        self.size = SizeState(self.tables)
        self.changes: list[int | None] = []
        self.size.changed.connect(lambda: self.changes.append(self.size.merges))

    def open(self, merges: int = 40) -> OpenTable:
        return self.tables.add(OpenTable(tokenizer=small_tokenizer(merges=merges), name="small"))

    def wait(self) -> None:
        self.qtbot.waitUntil(lambda: self.size.rests, timeout=60_000)


@pytest.fixture
def bench(qtbot: QtBot) -> Bench:
    return Bench(qtbot)


def test_all_is_the_table_itself(bench: Bench) -> None:
    assert bench.size.tokenizer is None and bench.size.rests
    table = bench.open()
    assert bench.size.tokenizer is table.tokenizer
    bench.size.set_merges(1_000)
    assert bench.size.merges is None and bench.changes == []


def test_the_tokenizer_follows_where_it_rests(bench: Bench) -> None:
    table = bench.open()
    made = []
    bench.size.tokenizerChanged.connect(lambda: made.append(bench.size.tokenizer))
    for merges in (3, 24, 7):
        bench.size.set_merges(merges)
    assert bench.size.tokenizer is None and not bench.size.rests
    bench.wait()
    assert [len(found.merges) for found in made if found is not table.tokenizer] == [7]
    assert bench.size.tokenizer.merges == table.tokenizer.merges[:7]
    bench.size.set_merges(8)
    assert len(bench.size.tokenizer.merges) == 7, "until it rests again"
    bench.size.set_merges(None)
    assert bench.size.tokenizer is table.tokenizer


def test_every_table_keeps_its_own_size(bench: Bench) -> None:
    first = bench.open()
    bench.size.set_merges(7)
    second = bench.open(merges=20)
    assert bench.size.merges is None
    bench.size.set_merges(5)
    bench.tables.set_current(first)
    assert bench.size.merges == 7
    bench.wait()
    assert bench.size.tokenizer.merges == first.tokenizer.merges[:7]
    bench.tables.set_current(second)
    assert bench.size.merges == 5


def test_a_table_that_learns_more(bench: Bench) -> None:
    table = bench.open(merges=10)
    bench.tables.set_tokenizer(table, small_tokenizer(merges=20))
    assert bench.size.merges is None, "all stays all"
    bench.size.set_merges(15)
    bench.tables.set_tokenizer(table, small_tokenizer(merges=24))
    assert bench.size.merges == 15
    bench.wait()
    assert bench.size.tokenizer.merges == small_tokenizer(merges=24).merges[:15]
    bench.tables.set_tokenizer(table, small_tokenizer(merges=12))
    assert bench.size.merges is None, "it has fewer now"


def test_a_closed_table_leaves_nothing(bench: Bench) -> None:
    table = bench.open()
    bench.size.set_merges(7)
    bench.tables.remove(table)
    assert bench.size.merges is None and bench.size.tokenizer is None

"""The Health panel shows what the analysis finds, and can be filtered, sorted and left."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from bpe_studio.analysis.health import KINDS, check_all
from bpe_studio.analysis.usage import count_usage
from bpe_studio.bpe.counting import count_words
from bpe_studio.bpe.words import WordCounts
from bpe_studio.gui.models.health_rows import check_rows
from bpe_studio.gui.panels.health_panel import HealthPanel
from bpe_studio.gui.state.findings import FindingsState
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.selection import Selection
from tests.gui.small_tables import PROSE, small_tokenizer

TEXT = PROSE + "─" * 8 + " नमस्ते नमस्ते " * 2


class NoTraining:
    """A training state that has counted nothing."""

    words = None
    table = None


class Bench:
    """A panel with its states and an open table."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.tables, self.selection = OpenTables(), Selection()
        self.findings = FindingsState()
        self.panel = HealthPanel(
            tables=self.tables,
            selection=self.selection,
            training=NoTraining(),
            findings=self.findings,
        )
        qtbot.addWidget(self.panel)
        self.panel.resize(700, 480)
        self.panel.show()
        self.tokenizer = small_tokenizer(TEXT * 2, 80)
        self.tables.add(OpenTable(tokenizer=self.tokenizer, name="small"))

    def check(self) -> None:
        self.panel.empty.button.click()
        self.qtbot.waitUntil(lambda: self.panel.rows is not None, timeout=60_000)


@pytest.fixture
def bench(qtbot: QtBot) -> Bench:
    return Bench(qtbot)


def test_it_shows_what_the_analysis_finds(bench: Bench) -> None:
    bench.check()
    expected = check_all(bench.tokenizer)
    assert bench.panel.rows.report.flags == expected.flags
    assert bench.panel.model.rowCount() == len(expected.flags)
    assert "self-test holds" in bench.panel.corpus.text()


def test_what_was_found_is_kept_for_other_panels(bench: Bench) -> None:
    with bench.qtbot.waitSignal(bench.findings.changed, timeout=60_000) as told:
        bench.panel.empty.button.click()
    table = bench.tables.current
    assert told.args == [table]
    assert bench.findings.of(table).report.flags == check_all(bench.tokenizer).flags


def test_retraining_can_be_asked_for(bench: Bench) -> None:
    bench.check()
    with bench.qtbot.waitSignal(bench.panel.retrainAsked):
        bench.panel.retrain_button.click()


def test_a_kind_and_a_text_filter(bench: Bench) -> None:
    bench.check()
    flags = bench.panel.rows.flags
    kind = flags[0].kind
    bench.panel.kinds.choose(kind)
    assert bench.panel.model.rowCount() == sum(flag.kind == kind for flag in flags)
    bench.panel.filter_edit.setText(str(flags[0].id))
    bench.qtbot.waitUntil(lambda: 1 <= bench.panel.model.rowCount() < len(flags))


def test_a_row_leads_to_its_token(bench: Bench) -> None:
    bench.check()
    bench.panel.model.sort(2, Qt.SortOrder.DescendingOrder)
    bench.panel.table.selectRow(0)
    assert bench.selection.token == int(bench.panel.rows.ids.max())
    assert bench.panel.detail.isVisible()


def test_cancel_comes_back_to_the_beginning(bench: Bench) -> None:
    bench.panel.check()
    bench.panel.cancel()
    bench.qtbot.waitUntil(lambda: bench.panel._job is None, timeout=60_000)
    shown = bench.panel.pages.currentWidget()
    assert shown is (bench.panel.empty if bench.panel.rows is None else bench.panel.result_page)


def test_another_table_forgets_what_was_found(bench: Bench) -> None:
    bench.check()
    bench.tables.add(OpenTable(tokenizer=small_tokenizer(), name="other"))
    assert bench.panel.rows is None
    assert bench.panel.pages.currentWidget() is bench.panel.empty
    assert bench.panel.empty.button.text() == "Check other"


def test_usage_comes_from_the_counted_corpus() -> None:
    tokenizer = small_tokenizer()
    words = counted_words(tokenizer.pattern, PROSE)
    *_, last = iterate(check_rows(tokenizer, words))
    expected = count_usage(tokenizer, words)
    assert last.report.used == expected.used
    assert last.uses.tolist() == [expected.of(flag.id)[0] for flag in last.flags]
    assert all(flag.kind in KINDS for flag in last.flags)
    titles = [column.title for column in last.columns()]
    assert titles == ["Token", "Kind", "Id", "Rank", "Uses", "Evidence"]


def counted_words(pattern: object, text: str) -> WordCounts:
    from bpe_studio.bpe.corpus import Block

    blocks = [Block(document=0, file=0, data=text.encode(), last=True, bytes_read=len(text))]
    *_, last = count_words(iter(blocks), pattern)
    return last.words


def iterate(generator: object) -> list[object]:
    """Run a generator to its end; its result comes last."""
    found = []
    while True:
        try:
            found.append(next(generator))
        except StopIteration as stop:
            return [*found, stop.value]

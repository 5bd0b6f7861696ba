"""The Compare panel shows what the analysis finds, of the tables and of the text."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from html import escape

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from bpe_studio.analysis.compare import compare_tables
from bpe_studio.analysis.compare_text import compare_text
from bpe_studio.gui.models.compare_rows import compare_texts, marks
from bpe_studio.gui.models.token_layout import lay_out
from bpe_studio.gui.panels import compare_panel
from bpe_studio.gui.panels.compare_panel import ComparePanel
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.selection import Selection
from bpe_studio.gui.state.text import TextState
from tests.gui.small_tables import PROSE, small_tokenizer

TEXT = "the lowest newest 你 widest\nthere"


class Bench:
    """A panel with its states."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.text, self.tables, self.selection = TextState(), OpenTables(), Selection()
        self.text.set_text(TEXT)
        self.panel = ComparePanel(text=self.text, tables=self.tables, selection=self.selection)
        qtbot.addWidget(self.panel)
        self.panel.resize(700, 560)
        self.panel.show()

    def open_two(self) -> tuple[OpenTable, OpenTable]:
        other = small_tokenizer(PROSE[20:] * 3, 12)
        a = self.tables.add(OpenTable(tokenizer=small_tokenizer(), name="a"))
        b = self.tables.add(OpenTable(tokenizer=other, name="b"))
        self.wait(a, b)
        return a, b

    def wait(self, a: OpenTable, b: OpenTable) -> None:
        def settled() -> bool:
            rows, layout = self.panel.rows, self.panel.pair.layout_of(1)
            ends = rows is not None and (rows.a, rows.b) == (a.tokenizer, b.tokenizer)
            return ends and layout is not None and layout.text == self.text.text

        self.qtbot.waitUntil(settled, timeout=60_000)


@pytest.fixture
def bench(qtbot: QtBot) -> Bench:
    return Bench(qtbot)


def test_it_asks_for_a_second_table(bench: Bench) -> None:
    bench.tables.add(OpenTable(tokenizer=small_tokenizer(), name="a"))
    assert bench.panel.pages.currentWidget() is bench.panel.empty
    with bench.qtbot.waitSignal(bench.panel.openAsked):
        bench.panel.empty.button.click()


def test_figures_are_those_of_the_analysis(bench: Bench) -> None:
    a, b = bench.open_two()
    expected = compare_tables(a.tokenizer, b.tokenizer)
    assert bench.panel.model.rowCount() == len(expected)
    assert bench.panel.figures.text().startswith(f"{expected.shared} shared")
    for place, count in ((1, expected.shared), (2, expected.only_a), (3, expected.only_b)):
        bench.panel.shown.setCurrentIndex(place)
        assert bench.panel.model.rowCount() == count


def test_a_filter_reads_signs_as_bytes(bench: Bench) -> None:
    bench.open_two()
    bench.panel.filter_edit.setText("␠T")
    total = len(bench.panel.rows.comparison)
    bench.qtbot.waitUntil(lambda: bench.panel.model.rowCount() < total)
    data = bench.panel.rows.comparison.data
    assert all(b" t" in data[row].lower() for row in bench.panel.model.shown_rows)


def test_the_text_stands_under_both(bench: Bench) -> None:
    a, b = bench.open_two()
    expected = compare_text(a.tokenizer, b.tokenizer, TEXT)
    pair = bench.panel.pair
    assert f"{expected.tokens_a} tokens" in pair.figures[0].text()
    assert f"{expected.tokens_b} tokens" in pair.figures[1].text()
    assert len(pair.layout_of(0)) == expected.tokens_a
    bench.text.set_text("lower")
    bench.wait(a, b)
    assert pair.panes[0].text() == "lower"
    assert pair.panes[0].isReadOnly()


def test_marks_are_the_tokens_of_differing_spans() -> None:
    a, b = small_tokenizer(), small_tokenizer(PROSE[20:] * 3, 12)
    found = compare_text(a, b, TEXT)
    layout = lay_out(a, TEXT)
    expected = [
        any(span.start <= first < span.end for span in found.differences)
        for first in layout.characters[:, 0].tolist()
    ]
    assert marks(layout, found).tolist() == expected
    assert np.any(marks(layout, found))


def test_differences_are_walked_round(bench: Bench) -> None:
    bench.open_two()
    pair = bench.panel.pair
    places = pair._places()
    pair.go(-1)
    assert pair._at == len(places) - 1
    pair.go(1)
    assert pair._at == 0


def test_swapping_exchanges_the_sides(bench: Bench) -> None:
    a, b = bench.open_two()
    bench.panel.swap_button.click()
    bench.wait(b, a)
    assert bench.panel.rows.comparison.only_a == compare_tables(b.tokenizer, a.tokenizer).only_a


def test_a_row_selects_the_id_of_the_current_table(bench: Bench) -> None:
    _, b = bench.open_two()
    found = bench.panel.rows.comparison
    row = int(np.flatnonzero(found.in_both & (found.id_b > 259))[0])
    bench.panel.table.selectRow(bench.panel.model.view_row(row))
    assert bench.tables.current is b
    assert bench.selection.token == found.id_b[row]


def test_closing_one_of_them_asks_again(bench: Bench) -> None:
    a, _ = bench.open_two()
    bench.tables.remove(a)
    assert bench.panel.pages.currentWidget() is bench.panel.empty


class Slow:
    """Comparisons of texts that wait to be let go, one entry for each that was begun."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun: list[str] = []
        self.closed: list[str] = []
        self.go = threading.Event()
        self._real = compare_panel.compare_texts
        monkeypatch.setattr(compare_panel, "compare_texts", self)

    def __call__(self, a: object, b: object, text: str, **options: object) -> Iterator[float]:
        self.begun.append(text)
        try:
            while not self.go.wait(0.005):
                yield 0.25
        except GeneratorExit:
            self.closed.append(text)
            raise
        return (yield from self._real(a, b, text, **options))


def test_a_stale_comparison_is_ended_and_not_shown(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = bench.open_two()
    pair, slow = bench.panel.pair, Slow(monkeypatch)
    bench.text.set_text("one")
    assert pair.differences.text().startswith("Comparing")
    assert [pane.text() for pane in pair.panes] == ["", ""]
    assert pair.figures[0].text() == ""
    bench.qtbot.waitUntil(lambda: slow.begun == ["one"])
    bench.qtbot.waitUntil(lambda: "25 %" in pair.differences.text())
    bench.text.set_text("two")
    bench.qtbot.waitUntil(lambda: slow.closed == ["one"])
    bench.qtbot.waitUntil(lambda: slow.begun == ["one", "two"])
    slow.go.set()
    bench.wait(a, b)
    assert pair.panes[0].text() == "two"
    assert "Comparing" not in pair.differences.text()


def test_a_table_that_learns_does_not_stop_the_comparison(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, b = bench.open_two()
    slow = Slow(monkeypatch)
    bench.text.set_text("lowest")
    bench.qtbot.waitUntil(lambda: slow.begun == ["lowest"])
    bench.tables.set_tokenizer(b, small_tokenizer(merges=20))
    bench.qtbot.waitUntil(lambda: "25 %" in bench.panel.pair.differences.text())
    assert not slow.closed
    slow.go.set()
    bench.qtbot.waitUntil(lambda: slow.begun == ["lowest"] * 2)
    bench.qtbot.waitUntil(lambda: bench.panel.pair._tokenizers[1] is b.tokenizer)


def test_other_tables_clear_what_is_shown(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.open_two()
    slow = Slow(monkeypatch)
    c = bench.tables.add(OpenTable(tokenizer=small_tokenizer(merges=9), name="c"))
    assert bench.panel.chooser_b.chosen is c
    assert bench.panel.rows is None
    assert bench.panel.model.rowCount() == 0
    assert bench.panel.figures.text().startswith("Comparing")
    slow.go.set()
    bench.wait(bench.panel.chooser_a.chosen, c)
    assert bench.panel.model.rowCount() > 0


def test_only_the_beginning_of_a_long_text_is_laid_out() -> None:
    a, b = small_tokenizer(), small_tokenizer(PROSE[20:] * 3, 12)
    text = "the lowest 你 widest " * 40
    steps = list(compare_steps(a, b, text, most=101))
    pair = steps.pop()
    assert steps == sorted(steps)
    assert pair.a.text == pair.b.text
    assert text.startswith(pair.a.text)
    assert 90 < len(pair.a.text) <= 101
    assert a.encode(pair.a.text) == pair.a.ids.tolist()
    assert b.encode(pair.b.text) == pair.b.ids.tolist()
    assert pair.comparison.tokens_a == len(a.encode(text))


def compare_steps(*what: object, **options: object) -> Iterator[object]:
    yield (yield from compare_texts(*what, **options))


def test_three_specials_are_named_and_the_others_in_the_tip(bench: Bench) -> None:
    names = [f"<|special_{number}|>" for number in range(9)]
    a, b = small_tokenizer(), small_tokenizer()
    a = replace(a, special_ids={name: 900 + place for place, name in enumerate(names)})
    b = replace(b, special_ids={})
    tables = [bench.tables.add(OpenTable(tokenizer=made, name="x")) for made in (a, b)]
    bench.panel.choose(*tables)
    bench.wait(*tables)
    remarks = bench.panel.remarks
    assert f"{', '.join(names[:3])} and 6 more" in remarks.text()
    assert escape(names[8]) in remarks.toolTip()
    assert remarks.height() <= 3 * remarks.fontMetrics().lineSpacing()


def test_it_says_that_whole_tables_are_compared(bench: Bench) -> None:
    a, b = bench.open_two()
    panel = bench.panel
    assert not panel.whole.isVisible()
    panel._size.set_merges(3)
    assert panel.whole.isVisible() and "Whole tables" in panel.whole.text()
    assert (panel.rows.a, panel.rows.b) == (a.tokenizer, b.tokenizer)
    panel._size.set_merges(None)
    assert not panel.whole.isVisible()

"""The Compare panel shows what the analysis finds, of the tables and of the text."""

from __future__ import annotations

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from bpe_studio.analysis.compare import compare_tables
from bpe_studio.analysis.compare_text import compare_text
from bpe_studio.gui.models.compare_rows import marks
from bpe_studio.gui.models.token_layout import lay_out
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

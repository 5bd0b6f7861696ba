"""The Compare panel shows what the analysis finds of two tables."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from bpe_studio.analysis.compare import compare_tables
from bpe_studio.analysis.corpus_comparison import CorpusComparison
from bpe_studio.analysis.table_rules import rules_beside
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.gui.panels.compare_panel import NO_DIFFERENCE, NO_TOKEN
from bpe_studio.gui.state.open_tables import OpenTable
from bpe_studio.gui.widgets.compare_pages import PLOTS, TEXT
from tests.gui.comparing import Bench
from tests.gui.small_tables import PROSE, small_tokenizer


@pytest.fixture
def bench(qtbot: QtBot) -> Bench:
    return Bench(qtbot)


def test_it_asks_for_a_second_table(bench: Bench) -> None:
    bench.tables.add(OpenTable(tokenizer=small_tokenizer(), name="a"))
    assert bench.panel.views.currentWidget() is bench.panel.empty
    with bench.qtbot.waitSignal(bench.panel.openAsked):
        bench.panel.empty.button.click()


def test_figures_are_those_of_the_analysis(bench: Bench) -> None:
    a, b = bench.open_two()
    expected = compare_tables(a.tokenizer, b.tokenizer)
    assert bench.panel.pages.tables.model.rowCount() == len(expected)
    assert bench.panel.figures.text().startswith(f"{expected.shared} shared")
    for place, count in ((1, expected.shared), (2, expected.only_a), (3, expected.only_b)):
        bench.panel.pages.tables.shown.setCurrentIndex(place)
        assert bench.panel.pages.tables.model.rowCount() == count


def test_a_filter_reads_signs_as_bytes(bench: Bench) -> None:
    bench.open_two()
    bench.panel.pages.tables.filter_edit.setText("␠T")
    total = len(bench.panel.rows.comparison)
    bench.qtbot.waitUntil(lambda: bench.panel.pages.tables.model.rowCount() < total)
    data = bench.panel.rows.comparison.data
    assert all(b" t" in data[row].lower() for row in bench.panel.pages.tables.model.shown_rows)


def test_swapping_exchanges_the_sides(bench: Bench) -> None:
    a, b = bench.open_two()
    bench.panel.swap_button.click()
    bench.wait(b, a)
    assert bench.panel.rows.comparison.only_a == compare_tables(b.tokenizer, a.tokenizer).only_a


def test_a_row_selects_the_id_of_the_current_table(bench: Bench) -> None:
    _, b = bench.open_two()
    found = bench.panel.rows.comparison
    row = int(np.flatnonzero(found.in_both & (found.id_b > 259))[0])
    bench.panel.pages.tables.table.selectRow(bench.panel.pages.tables.model.view_row(row))
    assert bench.tables.current is b
    assert bench.selection.token == found.id_b[row]


def test_closing_one_of_them_asks_again(bench: Bench) -> None:
    a, _ = bench.open_two()
    bench.tables.remove(a)
    assert bench.panel.views.currentWidget() is bench.panel.empty


def test_other_tables_clear_what_is_shown(bench: Bench) -> None:
    bench.open_two()
    c = bench.tables.add(OpenTable(tokenizer=small_tokenizer(merges=9), name="c"))
    bench.panel.chooser_b.choose(c)
    assert bench.panel.rows is None
    assert bench.panel.pages.tables.model.rowCount() == 0
    assert bench.panel.figures.text().startswith("Comparing")
    bench.wait(bench.panel.chooser_a.chosen, c)
    assert bench.panel.pages.tables.model.rowCount() > 0


def test_rules_stand_side_by_side_and_those_that_differ_come_first(bench: Bench) -> None:
    names = [f"<|special_{number}|>" for number in range(9)]
    a, b = small_tokenizer(), small_tokenizer()
    a = replace(a, special_ids={name: 900 + place for place, name in enumerate(names)})
    b = replace(b, special_ids={})
    tables = [bench.tables.add(OpenTable(tokenizer=made, name="x")) for made in (a, b)]
    bench.panel.choose(*tables)
    bench.wait(*tables)
    view = bench.panel.pages.tables.rules
    expected = rules_beside((a, b))
    assert sorted(rule.name for rule in view.rules) == sorted(rule.name for rule in expected)
    signs = [view.model.index(row, 0).data() for row in range(view.model.rowCount())]
    differ = sum(not rule.same for rule in expected)
    assert differ > 0
    assert signs == ["≠"] * differ + [""] * (len(expected) - differ)
    assert view.button.text() == f"Rules: {differ} of {len(expected)} differ"
    assert not view.table.isVisible()
    view.set_open(True)
    assert view.table.isVisible()
    place = [rule.name for rule in view.rules].index("specials")
    tip = view.model.index(place, 2).data(Qt.ItemDataRole.ToolTipRole)
    assert escape(names[8]) in tip and names[8] not in tip


def test_it_says_that_whole_tables_are_compared(bench: Bench) -> None:
    a, b = bench.open_two()
    panel = bench.panel
    assert not panel.whole.isVisible()
    panel._size.set_merges(3)
    assert panel.whole.isVisible() and "Whole tables" in panel.whole.text()
    assert (panel.rows.a, panel.rows.b) == (a.tokenizer, b.tokenizer)
    panel._size.set_merges(None)
    assert not panel.whole.isVisible()


def test_a_table_can_stand_beside_itself(bench: Bench) -> None:
    a, b = bench.open_two()
    bench.panel.choose(a, a)
    bench.wait(a, a)
    bench.tables.rename(b, "c")
    assert (bench.panel.chooser_a.chosen, bench.panel.chooser_b.chosen) == (a, a)
    assert bench.panel.rows.comparison.same


def test_pages_that_are_not_in_front_compare_no_text(bench: Bench) -> None:
    a, b = bench.open_two()
    assert bench.panel.pages.text.pair.pair is None
    assert not bench.panel.pages.text.running
    bench.panel.pages.show_page(TEXT)
    bench.wait(a, b)
    assert bench.panel.pages.text.pair.pair is not None


def test_running_is_told(bench: Bench) -> None:
    told = []
    bench.panel.runningChanged.connect(lambda: told.append(bench.panel.running))
    bench.open_two()
    bench.panel.pages.show_page(TEXT)
    bench.qtbot.waitUntil(lambda: True in told)
    bench.qtbot.waitUntil(lambda: not bench.panel.running)
    assert told[-1] is False


def test_a_token_is_explained_under_either_table(bench: Bench) -> None:
    a, b = bench.open_two()
    found, tables = bench.panel.rows.comparison, bench.panel.pages.tables
    row = int(np.flatnonzero(found.in_both & (found.id_a != found.id_b))[0])
    tables.table.selectRow(tables.model.view_row(row))
    assert (bench.tables.current, bench.selection.token) == (b, found.id_b[row])
    assert [action.isEnabled() for action in tables.explain_actions] == [True, True]
    with bench.qtbot.waitSignal(bench.panel.explainAsked):
        tables.explain_actions[0].trigger()
    assert (bench.tables.current, bench.selection.token) == (a, found.id_a[row])
    bench.panel.explain_under(1)
    assert (bench.tables.current, bench.selection.token) == (b, found.id_b[row])
    bench.panel.explain_under(-1)
    assert (bench.tables.current, bench.selection.token) == (b, found.id_b[row])
    alone = int(np.flatnonzero(found.id_b < 0)[0])
    tables.table.selectRow(tables.model.view_row(alone))
    assert [action.isEnabled() for action in tables.explain_actions] == [True, False]
    with bench.qtbot.waitSignal(bench.panel.told) as told:
        bench.panel.explain_under(1)
    assert told.args == ["B has no such token."]


def test_a_token_selected_elsewhere_is_selected_here(bench: Bench) -> None:
    bench.open_two()
    found, tables = bench.panel.rows.comparison, bench.panel.pages.tables
    row = int(np.flatnonzero(found.in_both & (found.id_b > 258))[3])
    bench.selection.select_token(int(found.id_b[row]))
    assert tables.row == row
    assert bench.panel.pages.row == row


@pytest.mark.parametrize("shown", ["Rank moved", "Id moved", "Made otherwise"])
def test_the_table_narrows_to_what_moved(bench: Bench, shown: str) -> None:
    bench.open_two()
    found, tables = bench.panel.rows.comparison, bench.panel.pages.tables
    both = [row for row in range(len(found)) if found.id_a[row] >= 0 and found.id_b[row] >= 0]
    ranked = [row for row in both if found.rank_a[row] >= 0 and found.rank_b[row] >= 0]
    expected = {
        "Rank moved": [row for row in ranked if found.rank_a[row] != found.rank_b[row]],
        "Id moved": [row for row in both if found.id_a[row] != found.id_b[row]],
        "Made otherwise": [row for row in ranked if found.parts_a(row) != found.parts_b(row)],
    }[shown]
    tables.shown.setCurrentText(shown)
    assert sorted(tables.model.shown_rows.tolist()) == expected


def test_uses_are_columns_once_a_corpus_was_read(bench: Bench) -> None:
    a, b = bench.open_two()
    tables = bench.panel.pages.tables
    titles = [column.title for column in tables.model.columns]
    assert "Uses A" not in titles
    tables.table.sortByColumn(titles.index("Id B"), Qt.SortOrder.DescendingOrder)
    corpus = compared(a.tokenizer, b.tokenizer, PROSE)
    tables.table.selectRow(3)
    chosen = tables.row
    bench.panel.compared.set_corpus((a.tokenizer, b.tokenizer), corpus)
    bench.qtbot.waitUntil(lambda: bench.panel.rows.uses is not None)
    assert tables.row == chosen >= 0
    titles = [column.title for column in tables.model.columns]
    header = tables.table.horizontalHeader()
    assert titles[header.sortIndicatorSection()] == "Id B"
    place, found = titles.index("Uses B"), bench.panel.rows.comparison
    ids = b.tokenizer.encode(PROSE)
    for row in (0, 97, 200, len(found) - 1):
        shown = tables.model.index(tables.model.view_row(row), place).data()
        expected = "–" if found.id_b[row] < 0 else str(ids.count(int(found.id_b[row])))
        assert shown == expected
    bench.panel.compared.set_corpus((b.tokenizer, a.tokenizer), corpus)  # of other sides
    assert bench.panel.rows.uses is None
    assert "Uses A" not in [column.title for column in tables.model.columns]


def compared(a: Tokenizer, b: Tokenizer, text: str) -> CorpusComparison:
    """What a corpus of one text tells, as far as uses go."""
    figures = []
    for tokenizer in (a, b):
        ids, final = np.unique(tokenizer.encode(text), return_counts=True)
        figures.append(SimpleNamespace(ids=ids.astype(np.int32), final=final.astype(np.int64)))
    return SimpleNamespace(tables=tuple(figures))


def test_what_was_chosen_is_remembered(qtbot: QtBot, bench: Bench) -> None:
    bench.panel.pages.show_page(TEXT)
    bench.panel.pages.tables.rules.set_open(True)
    other = Bench(qtbot).panel
    other.hide()
    other.restore({"page": PLOTS, "rules": 3})
    assert other.state() == {"page": PLOTS, "rules": False}
    assert other.pages.plots is None
    other.restore(bench.panel.state())
    other.restore({"page": "last", "rules": True})
    assert other.state() == bench.panel.state() == {"page": TEXT, "rules": True}
    other.show()
    assert other.pages.page == TEXT


def test_without_a_row_no_token_is_explained(bench: Bench) -> None:
    bench.open_two()
    bench.panel.pages.follow(-1)
    with bench.qtbot.waitSignal(bench.panel.told) as told:
        bench.panel.explain_under(0)
    assert told.args == [NO_TOKEN]


def test_a_difference_of_the_text_is_explained_under_either_table(bench: Bench) -> None:
    a, b = bench.open_two()
    bench.panel.pages.show_page(TEXT)
    with bench.qtbot.waitSignal(bench.panel.told) as told:
        bench.panel.explain_under(1)
    assert told.args == [NO_DIFFERENCE]
    bench.qtbot.waitUntil(lambda: bench.panel.pages.text.pair.pair is not None)
    bench.panel.pages.text.go(1)
    _, start, end = bench.panel.pages.text.difference
    for side, table in enumerate((a, b)):
        with bench.qtbot.waitSignal(bench.panel.explainAsked):
            bench.panel.explain_under(side)
        assert bench.tables.current is table
        span = bench.selection.span
        assert (span.start, span.end) == (start, end)


def test_a_pair_stays_when_a_table_comes(bench: Bench) -> None:
    a, b = bench.open_two()
    bench.tables.add(OpenTable(tokenizer=a.tokenizer.prefix(3), name="third"))
    assert (bench.panel.chooser_a.chosen, bench.panel.chooser_b.chosen) == (a, b)

"""The menu of Compare: pages, Explain under either table, reports; Esc ends what runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from bpe_studio.gui.app import make_window
from bpe_studio.gui.compare_actions import WITHOUT_CORPUS
from bpe_studio.gui.compare_menu import NEED_TWO
from bpe_studio.gui.main_window import MainWindow
from bpe_studio.gui.state.open_tables import OpenTable
from bpe_studio.gui.state.settings_store import SettingsStore
from bpe_studio.gui.widgets.compare_pages import CORPUS, PLOTS, TABLES, TEXT
from tests.gui.small_tables import PROSE, small_tokenizer


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    made = make_window(SettingsStore(tmp_path / "settings"))
    made.kernels.skip()
    qtbot.addWidget(made, before_close_func=lambda w: w.closing.end_all(w, *w.states))
    made.show()
    yield made


def open_two(qtbot: QtBot, window: MainWindow) -> tuple[OpenTable, OpenTable]:
    a = window.tables.add(OpenTable(tokenizer=small_tokenizer(), name="a"))
    b = window.tables.add(OpenTable(tokenizer=small_tokenizer(PROSE[20:] * 3, 12), name="b"))
    window.show_panel(window.compare)
    qtbot.waitUntil(lambda: window.compare.rows is not None, timeout=60_000)
    return a, b


def test_entries_wait_for_two_tables(qtbot: QtBot, window: MainWindow) -> None:
    assert not any(window.menus[name].isEnabled() for name in NEED_TWO)
    open_two(qtbot, window)
    assert all(window.menus[name].isEnabled() for name in NEED_TWO)


def test_pages_have_keys(qtbot: QtBot, window: MainWindow) -> None:
    open_two(qtbot, window)
    window.show_panel(window.text_panel)
    for page in (PLOTS, TEXT, CORPUS, TABLES):
        window.menus[f"compare_page_{page}"].trigger()
        assert window.tabs.currentWidget() is window.compare
        assert window.compare.pages.page == page
    window.menus["compare_next"].trigger()
    assert window.compare.pages.page == TEXT
    a, b = window.compare.chooser_a.chosen, window.compare.chooser_b.chosen
    window.menus["compare_swap"].trigger()
    assert (window.compare.chooser_a.chosen, window.compare.chooser_b.chosen) == (b, a)


def test_explain_comes_to_the_front_under_the_table_that_was_asked(
    qtbot: QtBot, window: MainWindow
) -> None:
    a, b = open_two(qtbot, window)
    found, tables = window.compare.rows.comparison, window.compare.pages.tables
    row = int(np.flatnonzero(found.in_both & found.has_shift)[-1])
    tables.table.selectRow(tables.model.view_row(row))
    window.menus["compare_explain_a"].trigger()
    assert (window.tables.current, window.selection.token) == (a, found.id_a[row])
    assert window.docks[window.explain].isVisible()
    assert (
        window.merges.model.rank_at(window.merges.table.currentIndex().row()) == (found.rank_a[row])
    )
    window.menus["compare_explain_b"].trigger()
    assert (window.tables.current, window.selection.token) == (b, found.id_b[row])


@pytest.mark.parametrize("suffix", [".html", ".md", ".csv", ".json"])
def test_a_report_is_saved(qtbot: QtBot, window: MainWindow, tmp_path: Path, suffix: str) -> None:
    open_two(qtbot, window)
    window.text.set_text("the lowest newest widest")
    window.menus[f"compare_page_{TEXT}"].trigger()
    qtbot.waitUntil(lambda: window.compare.seen.text is not None, timeout=60_000)
    path = tmp_path / f"report{suffix}"
    with qtbot.waitSignal(window.compare_actions.told, timeout=60_000) as told:
        window.compare_actions.save_report(path)
    assert told.args == [f"Saved report{suffix}."]
    written = path.read_text("utf-8")
    if suffix == ".json":
        json.loads(written)
    if suffix == ".html":
        assert written.lower().startswith("<!doctype html")
    assert not window.errors.isVisible()


def test_a_report_tells_that_figures_of_other_tables_are_left_out(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    a, b = open_two(qtbot, window)
    window.menus[f"compare_page_{CORPUS}"].trigger()
    page = window.compare.pages.corpus
    qtbot.waitUntil(lambda: page.result is not None and not page.running, timeout=60_000)
    for other, but in ((b, ""), (a, WITHOUT_CORPUS)):
        window.compare.choose(a, other)
        qtbot.waitUntil(lambda: window.compare.seen is not None, timeout=60_000)
        with qtbot.waitSignal(window.compare_actions.told, timeout=60_000) as told:
            window.compare_actions.save_report(tmp_path / "report.md")
        assert told.args == [f"Saved report.md{but}."]


def test_a_suffix_that_is_none_is_told(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    open_two(qtbot, window)
    with qtbot.waitSignal(window.compare_actions.failed):
        window.compare_actions.save_report(tmp_path / "report.pdf")
    assert list(tmp_path.glob("report*")) == []


def test_esc_ends_what_compare_does(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_two(qtbot, window)
    stopped = []
    monkeypatch.setattr(type(window.compare), "running", property(lambda _: not stopped))
    monkeypatch.setattr(window.compare, "stop", lambda: stopped.append(True))
    window.compare.runningChanged.emit()
    assert window.menus["stop"].isEnabled()
    window.menus["stop"].trigger()
    assert stopped == [True]

"""The Merges panel: filter, jump, select, copy, save, grow."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from bpe_studio.bpe.patterns import PRESETS
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.gui.models.merges_model import FLAG_ROLE
from bpe_studio.gui.panels import merges_panel
from bpe_studio.gui.panels.merges_panel import MergesPanel
from bpe_studio.gui.state import flagged
from bpe_studio.gui.state.findings import FindingsState
from bpe_studio.gui.state.flagged import FlaggedState
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.selection import Selection
from tests.gui.flags_by_hand import found_in
from tests.gui.small_tables import small_tokenizer
from tests.gui.test_merges_model import batch


class Bench:
    """A panel with its states."""

    def __init__(self, qtbot: QtBot) -> None:
        self.tables, self.selection = OpenTables(), Selection()
        self.findings = FindingsState()
        self.panel = MergesPanel(
            tables=self.tables, selection=self.selection, flagged=FlaggedState(self.findings)
        )
        qtbot.addWidget(self.panel)
        self.panel.resize(500, 400)
        self.panel.show()

    def open(self, merges: int = 40) -> OpenTable:
        return self.tables.add(OpenTable(tokenizer=small_tokenizer(merges=merges), name="small"))


@pytest.fixture
def bench(qtbot: QtBot) -> Bench:
    return Bench(qtbot)


def test_the_empty_panel_teaches(bench: Bench, qtbot: QtBot) -> None:
    assert bench.panel.empty.isVisible() and not bench.panel.table.isVisible()
    with qtbot.waitSignal(bench.panel.trainAsked):
        bench.panel.empty.button.click()
    bench.open()
    assert bench.panel.table.isVisible() and bench.panel.count.text() == "28 merges"


def test_selecting_goes_both_ways(bench: Bench) -> None:
    table = bench.open()
    ids = table.tokenizer.table.merges[:, 2].tolist()
    assert bench.panel.select_rank(5) and bench.selection.token == ids[5]
    bench.selection.select_token(ids[9])
    assert bench.panel.table.currentIndex().row() == 9
    bench.selection.select_token(3)  # a byte: no row makes it
    assert not bench.panel.table.selected_rows() and bench.selection.token == 3


def test_of_several_merges_the_one_that_fired_is_shown(bench: Bench) -> None:
    merges = [(97, 98, 256), (98, 99, 257), (256, 99, 258), (97, 257, 258)]
    table = MergeTable.build(byte_ids=range(256), merges=merges)
    tokenizer = Tokenizer(table=table, pattern=PRESETS["classic"])
    bench.tables.add(OpenTable(tokenizer=tokenizer, name="several"))
    bench.selection.select_token(258)
    assert bench.panel.table.currentIndex().row() == 2
    bench.selection.select_rank(3)
    assert bench.panel.table.currentIndex().row() == 3 and bench.selection.token == 258
    bench.panel.filter_edit.setText("id:258")
    bench.panel.model.set_filter("id:258")
    assert bench.panel.table.currentIndex().row() == 1
    bench.selection.select_token(256)
    assert bench.selection.rank is None


def test_arrow_keys_walk_tokens(bench: Bench, qtbot: QtBot) -> None:
    table = bench.open()
    bench.panel.select_rank(5)
    qtbot.keyClick(bench.panel.table, Qt.Key.Key_Down)
    assert bench.selection.token == table.tokenizer.table.merges[6, 2]


def test_filter_counts_and_says_what_it_does_not_understand(bench: Bench, qtbot: QtBot) -> None:
    bench.open()
    panel = bench.panel
    panel.filter_edit.setText("rank:3-5")
    qtbot.waitUntil(lambda: panel.count.text() == "3 of 28 merges")
    panel.filter_edit.setText("rank:x")
    qtbot.waitUntil(lambda: "rank" in panel.count.text())
    assert panel.filter_edit.property("wrong")
    panel.filter_edit.clear()
    qtbot.waitUntil(lambda: panel.count.text() == "28 merges")
    assert not panel.filter_edit.property("wrong")


def test_jump_to_rank(bench: Bench, qtbot: QtBot) -> None:
    bench.open()
    panel = bench.panel
    panel.focus_rank()
    panel.rank_edit.setText("17")
    qtbot.keyClick(panel.rank_edit, Qt.Key.Key_Return)
    assert panel.table.currentIndex().row() == 17
    panel.rank_edit.setText("5000")
    qtbot.keyClick(panel.rank_edit, Qt.Key.Key_Return)
    assert "no rank 5000" in panel.count.text() and panel.rank_edit.property("wrong")
    qtbot.keyClick(panel.rank_edit, Qt.Key.Key_Backspace)
    assert "merges" in panel.count.text() and not panel.rank_edit.property("wrong")


def test_rows_are_copied_as_tsv(bench: Bench) -> None:
    bench.open()
    panel = bench.panel
    panel.table.selectAll()
    panel.copy_rows()
    text = QGuiApplication.clipboard().text()
    rows = list(csv.reader(text.splitlines(), dialect="excel-tab"))
    assert len(rows) == 28 and rows[4][0] == "4"
    assert all(row[1] + row[2] == row[3] for row in rows)


def test_rows_are_saved_as_csv(bench: Bench, qtbot: QtBot, tmp_path: Path) -> None:
    bench.open()
    bench.panel.model.set_filter("low")
    path = tmp_path / "merges.csv"
    with qtbot.waitSignal(bench.panel.told):
        bench.panel.save_csv(path)
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    assert rows[0][-1] == "token_hex" and len(rows) == 1 + bench.panel.model.rowCount()
    assert all(b"low" in bytes.fromhex(row[-1]) for row in rows[1:])


def test_a_file_that_cannot_be_written_is_told(bench: Bench, qtbot: QtBot, tmp_path: Path) -> None:
    bench.open()
    with qtbot.waitSignal(bench.panel.failed):
        bench.panel.save_csv(tmp_path / "none" / "merges.csv")


def test_it_grows_without_moving(bench: Bench) -> None:
    made = small_tokenizer()
    table = bench.open(merges=20)
    bench.panel.select_rank(15)
    bar = bench.panel.table.verticalScrollBar()
    place = bar.value()
    for first in range(20, 28, 3):
        bench.tables.grow(table, batch(made, first, first + 3))
    assert bench.panel.count.text() == "28 merges"
    assert bar.value() == place and bench.panel.table.currentIndex().row() == 15
    bench.tables.set_tokenizer(table, made)
    assert bar.value() == place and bench.panel.model.rowCount() == 28


def test_what_was_missed_is_made_up_for(bench: Bench) -> None:
    table = bench.open(merges=3)
    bench.tables.set_tokenizer(table, small_tokenizer())
    assert bench.panel.model.rowCount() == 28


def test_sorted_rows_are_placed_soon(bench: Bench, qtbot: QtBot) -> None:
    made = small_tokenizer()
    table = bench.open(merges=20)
    bench.panel.table.sortByColumn(3, Qt.SortOrder.AscendingOrder)
    bench.tables.grow(table, batch(made, 20, 28))
    qtbot.waitUntil(lambda: bench.panel.model.rowCount() == 28)


def test_a_big_table_is_read_on_a_thread(
    bench: Bench, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(merges_panel, "BIG_TABLE", 10)
    bench.open()
    bench.open(merges=20)
    qtbot.waitUntil(lambda: bench.panel.model.rowCount() == 20)
    bench.tables.next()
    qtbot.waitUntil(lambda: bench.panel.model.rowCount() == 28)


def test_a_sentence_never_widens_the_panel(bench: Bench, qtbot: QtBot) -> None:
    before = bench.panel.minimumSizeHint().width()
    bench.panel.filter_edit.setText("rank:" + "x" * 200)
    qtbot.waitUntil(lambda: "x" * 100 in bench.panel.count.text())
    assert bench.panel.minimumSizeHint().width() == before
    assert "xxx" in bench.panel.count.toolTip()


def test_the_keyboard_arrives_without_choosing(bench: Bench, qtbot: QtBot) -> None:
    bench.open()
    bench.panel.activateWindow()
    bench.panel.table.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(bench.panel.table.hasFocus)
    assert bench.selection.token is None
    first = bench.panel.model.token_at(0)
    bench.selection.select_token(first)
    assert bench.panel.table.selected_rows() == [0]


def test_a_row_that_is_selected_elsewhere_is_in_the_middle(bench: Bench) -> None:
    bench.open()
    bench.panel.resize(500, 220)
    table = bench.panel.table
    bench.panel.select_rank(14)
    row = table.visualRect(table.currentIndex()).center().y()
    assert abs(row - table.viewport().height() / 2) < 3 * table.rowHeight(0)


def test_merges_that_the_slider_leaves_out_are_muted(bench: Bench, qtbot: QtBot) -> None:
    table = bench.open()
    model, size = bench.panel.model, bench.panel._size

    def inks() -> list[bool]:
        role = Qt.ItemDataRole.ForegroundRole
        return [model.index(row, 1).data(role) is not None for row in range(model.rowCount())]

    assert not any(inks())
    size.set_merges(9)
    qtbot.waitUntil(lambda: inks() == [False] * 9 + [True] * 19, timeout=60_000)
    assert bench.panel.count.text() == "28 merges  ·  at this size the first 9"
    model.sort(0, Qt.SortOrder.DescendingOrder)
    assert inks() == [True] * 19 + [False] * 9
    assert "not in use" in model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    size.set_merges(None)
    qtbot.waitUntil(lambda: not any(inks()), timeout=60_000)
    assert bench.panel.count.text() == "28 merges" and table is bench.tables.current


def marks(panel: MergesPanel) -> list[str | None]:
    model, column = panel.model, 3
    return [model.data(model.index(row, column), FLAG_ROLE) for row in range(model.rowCount())]


def test_flagged_tokens_are_marked_and_named(bench: Bench) -> None:
    table = bench.open()
    assert set(marks(bench.panel)) == {None}
    bench.findings.keep(table, found_in(table, "rare", "unreachable", "scaffold"))
    assert marks(bench.panel)[:4] == ["warning", "error", "info", None]
    model = bench.panel.model
    tips = [model.data(model.index(row, 0), Qt.ItemDataRole.ToolTipRole) for row in (1, 3)]
    assert tips[0].endswith("\nFlagged: Unreachable") and "Flagged" not in tips[1]
    bench.findings.keep(table, None)
    assert set(marks(bench.panel)) == {None}


def test_only_flagged_is_a_button_and_a_word(bench: Bench, qtbot: QtBot) -> None:
    table, panel = bench.open(), bench.panel
    bench.findings.keep(table, found_in(table, "rare", "unreachable"))
    panel.flag_button.click()
    assert panel.filter_edit.text() == "flag:" and panel.count.text() == "2 of 28 merges"
    panel.filter_edit.setText("flag:error")
    qtbot.waitUntil(lambda: panel.count.text() == "1 of 28 merges")
    assert panel.flag_button.isChecked()
    panel.filter_edit.clear()
    assert not panel.flag_button.isChecked()
    qtbot.waitUntil(lambda: panel.count.text() == "28 merges")
    panel.toggle_only_flagged()
    assert panel.flag_button.isChecked() and panel.model.rowCount() == 2
    panel.toggle_only_flagged()
    assert panel.filter_edit.text() == "" and panel.model.rowCount() == 28


def test_a_table_that_nobody_checked_says_so(bench: Bench) -> None:
    table, panel = bench.open(), bench.panel
    panel.toggle_only_flagged()
    assert panel.model.rowCount() == 0 and "Nobody has checked" in panel.count.text()
    bench.findings.keep(table, found_in(table, "rare"))
    assert panel.count.text() == "1 of 28 merges"
    other = bench.open(merges=20)
    assert "Nobody has checked" in panel.count.text()
    bench.findings.keep(table, found_in(table, "rare", "rare"))  # of a table behind it
    assert "Nobody has checked" in panel.count.text()
    bench.findings.keep(other, found_in(other))
    assert panel.count.text() == "0 of 20 merges"


def test_many_flags_are_arranged_on_a_thread(
    bench: Bench, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flagged, "QUICK_FLAGS", 0)
    table = bench.open()
    bench.findings.keep(table, found_in(table, "rare"))
    bench.findings.keep(table, found_in(table, "unreachable", "scaffold"))  # the newest counts
    qtbot.waitUntil(lambda: marks(bench.panel)[:2] == ["error", "info"])

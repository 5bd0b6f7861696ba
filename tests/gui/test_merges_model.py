"""The model of the merges table: arrays behind Qt's questions."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QTableView
from pytestqt.qtbot import QtBot

from bpe_studio.analysis.merge_rows import COLUMNS, MergeRows
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.trainer import MergeBatch
from bpe_studio.gui.models.merges_model import MergesModel
from tests.gui.small_tables import small_tokenizer

UP, DOWN = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder


def batch(made: Tokenizer, first: int, last: int) -> MergeBatch:
    record = made.training
    part = slice(first, last)
    return MergeBatch(first, made.table.merges[part], record.counts[part], record.applied[part], 40)


@pytest.fixture
def model() -> MergesModel:
    made = MergesModel()
    made.set_tokenizer(small_tokenizer())
    return made


def column(model: MergesModel, name: str) -> list[str]:
    place = COLUMNS.index(name)
    return [model.data(model.index(row, place)) for row in range(model.rowCount())]


def test_cells(model: MergesModel) -> None:
    made = small_tokenizer()
    assert model.rowCount() == len(made.table.merges) and model.columnCount() == 8
    new = int(made.table.merges[0, 2])
    cells = [model.data(model.index(0, place)) for place in range(8)]
    assert cells[0] == "0" and cells[4] == str(new)
    assert cells[1] + cells[2] == cells[3]
    assert cells[5] == str(made.training.counts[0]) and cells[7] == "2"
    assert "bytes: " in model.data(model.index(0, 0), Qt.ItemDataRole.ToolTipRole)
    assert [model.headerData(p, Qt.Orientation.Horizontal) for p in (0, 3)] == ["Rank", "Token"]


def test_qt_finds_no_fault(model: MergesModel) -> None:
    made = small_tokenizer()
    tester = QAbstractItemModelTester(model)
    model.sort(3, DOWN)
    model.set_filter("w")
    model.set_filter("")
    model.sort(0, UP)
    model.set_tokenizer(small_tokenizer(merges=5))
    model.append(batch(made, 5, 28))
    assert model.rowCount() == 28 and tester is not None


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("order", [UP, DOWN])
def test_sorting_keeps_the_selection(model: MergesModel, name: str, order: Qt.SortOrder) -> None:
    kept = QPersistentModelIndex(model.index(7, 3))
    text = model.data(model.index(7, 3))
    model.sort(COLUMNS.index(name), order)
    assert model.data(kept) == text
    assert model.rank_at(kept.row()) == 7 and model.row_of_rank(7) == kept.row()


def test_filter_and_sort_together(model: MergesModel) -> None:
    model.sort(COLUMNS.index("bytes"), DOWN)
    model.set_filter("low")
    tokens = column(model, "token")
    assert tokens and all("low" in token for token in tokens)
    sizes = [int(size) for size in column(model, "bytes")]
    assert sizes == sorted(sizes, reverse=True)
    assert model.row_of_rank(0) == -1 or "low" in column(model, "token")[model.row_of_rank(0)]
    model.set_filter("")
    assert model.rowCount() == len(small_tokenizer().table.merges)


def test_a_filter_that_is_not_understood_changes_nothing(model: MergesModel) -> None:
    told: list[str] = []
    model.filterFailed.connect(told.append)
    before = model.rowCount()
    model.set_filter("rank:x")
    assert "rank" in told[-1] and model.rowCount() == before
    model.set_filter("rank:1")
    assert told[-1] == "" and model.rowCount() == 1


def test_rows_arrive_at_the_end(qtbot: QtBot) -> None:
    made = small_tokenizer()
    model, view = MergesModel(), QTableView()
    qtbot.addWidget(view)
    model.set_tokenizer(small_tokenizer(merges=5))
    view.setModel(model)
    view.show()
    view.selectRow(2)
    resets: list[int] = []
    model.modelReset.connect(lambda: resets.append(1))
    for first in range(5, 28, 5):
        model.append(batch(made, first, first + 5))
    assert model.rowCount() == 28 and not resets and not model.stale
    assert view.selectionModel().selectedRows()[0].row() == 2
    model.append(batch(made, 10, 28))  # known already
    model.append(batch(made, 35, 36))  # not the next
    assert model.rowCount() == 28


def test_sorted_rows_wait_for_a_refresh() -> None:
    made = small_tokenizer()
    model = MergesModel()
    model.set_tokenizer(small_tokenizer(merges=5))
    model.sort(COLUMNS.index("count"), UP)
    model.append(batch(made, 5, 28))
    assert model.stale and model.rowCount() == 5
    model.refresh()
    assert not model.stale and model.rowCount() == 28
    counts = [int(text.replace(",", "")) for text in column(model, "count")]
    assert counts == sorted(counts)


def test_copied_cells_hold_the_real_text(model: MergesModel) -> None:
    row = next(r for r in range(model.rowCount()) if "␠" in model.data(model.index(r, 3)))
    (cells,) = model.cells([row])
    assert " " in cells[3] and "␠" not in cells[3]
    (cells,) = model.cells([row], for_file=True)
    assert "␠" in cells[3] and bytes.fromhex(cells[8])


def test_sorting_and_filtering_ask_no_row(
    model: MergesModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both go by arrays; at 200,000 rows tests/bench/merges_table.py says how fast."""
    asked: list[str] = []
    for name in ("token", "parts", "value"):
        monkeypatch.setattr(MergeRows, name, lambda *_, name=name: asked.append(name) or b"")
    for name in COLUMNS:
        model.sort(COLUMNS.index(name), DOWN)
    for query in ("e", "th", "rank:3-9", "count:>5 a", ""):
        model.set_filter(query)
    assert not asked
    model.data(model.index(0, 3))
    assert asked == ["token"]  # the test would see it

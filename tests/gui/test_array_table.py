"""The array table sorts and filters as plain Python would, and keeps what is selected."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from bpe_studio.gui.models.array_table import ArrayTable, Column, places_of

UP, DOWN = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder


def make_table(values: list[int]) -> ArrayTable:
    array = np.array(values, np.int64)
    return ArrayTable(
        columns=[
            Column("row", str),
            Column("value", lambda row: f"{array[row]:,}", lambda: array, right=True),
        ],
        rows=len(values),
    )


@given(st.lists(st.integers(0, 5), max_size=30), st.booleans(), st.booleans())
def test_order_equals_a_stable_sort(values: list[int], descending: bool, masked: bool) -> None:
    table = make_table(values)
    table.sort(1, DOWN if descending else UP)
    if masked:
        table.set_filter(np.array(values, np.int64) > 2)
    rows = [row for row in range(len(values)) if not masked or values[row] > 2]
    expected = sorted(rows, key=lambda row: -values[row] if descending else values[row])
    assert table.shown_rows.tolist() == expected
    assert [table.view_row(row) for row in expected] == list(range(len(expected)))


def test_selection_stays_on_its_row(qtbot: QtBot) -> None:
    from PySide6.QtWidgets import QTableView

    table = make_table([3, 1, 2])
    view = QTableView()
    qtbot.addWidget(view)
    view.setModel(table)
    view.selectRow(1)
    table.sort(1, DOWN)
    assert table.source_row(view.currentIndex().row()) == 1
    table.set_filter(np.array([True, False, True]))
    assert not view.selectionModel().selectedRows()


def test_growing_appends_without_moving(qtmodeltester: ModelTester) -> None:
    table = make_table([3, 1, 2, 0])
    table.set_data(table.columns, 3)
    table.sort(1, UP)
    table.grow(4)
    assert table.shown_rows.tolist() == [1, 2, 0, 3]
    table.sort(1, UP)
    assert table.shown_rows.tolist() == [3, 1, 2, 0]
    qtmodeltester.check(table)


def test_equal_texts_share_a_place() -> None:
    assert places_of(["b", "a", "b", "c"]).tolist() == [1, 0, 1, 2]


def test_sorting_and_filtering_ask_no_row() -> None:
    values = np.random.default_rng(1).integers(0, 1 << 40, 4_000)
    asked: list[int] = []
    column = Column("value", lambda row: str(asked.append(row)), lambda: values)
    table = ArrayTable(columns=[column], rows=len(values))
    table.sort(0, DOWN)
    table.set_filter(values % 2 == 0)
    assert not asked and 0 < table.rowCount() < 4_000

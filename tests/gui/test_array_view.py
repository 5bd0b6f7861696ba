"""Columns are as wide as what is in them, and give way to those that matter."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from bpe_studio.gui.models.array_table import ArrayTable, Column
from bpe_studio.gui.widgets.array_view import ArrayView


@pytest.fixture
def view(qtbot: QtBot) -> ArrayView:
    model = ArrayTable()
    view = ArrayView(model, name="numbers")
    qtbot.addWidget(view)
    view.resize(600, 200)
    view.show()
    columns = [
        Column("Token", str, sample="0" * 12, share=1),
        Column("Rank", str, right=True, sample="12,345"),
        Column("Id", str, right=True, sample="12,345", spare=1),
        Column("Uses", str, right=True, sample="12,345,678", spare=2),
    ]
    model.set_data(columns, 20)
    return view


def hidden(view: ArrayView) -> list[str]:
    columns = view.model().columns
    return [c.title for place, c in enumerate(columns) if view.isColumnHidden(place)]


def test_the_main_column_takes_what_is_left(view: ArrayView) -> None:
    assert not hidden(view)
    assert sum(view.columnWidth(place) for place in range(4)) == view.viewport().width()
    assert view.columnWidth(0) > 2 * view.columnWidth(3)


def test_what_can_be_done_without_is_hidden_first(view: ArrayView) -> None:
    needed = [view._least(column) for column in view.model().columns]
    margin = view.width() - view.viewport().width()
    view.resize(sum(needed[:3]) + margin, 200)
    assert hidden(view) == ["Uses"]
    view.resize(sum(needed[:2]) + margin, 200)
    assert hidden(view) == ["Id", "Uses"]
    view.resize(40 + margin, 200)
    assert hidden(view) == ["Id", "Uses"]
    view.resize(600, 200)
    assert not hidden(view)


def test_an_unneeded_column_makes_room(view: ArrayView) -> None:
    before = view.columnWidth(0)
    view.set_unneeded("Rank")
    assert hidden(view) == ["Rank"]
    assert view.columnWidth(0) > before
    view.set_unneeded()
    assert not hidden(view)


def test_columns_of_a_digit_leave_no_scrollbar(view: ArrayView) -> None:
    """A column is never narrower than its header lets it be, and that is counted."""
    few = [Column(title, str, sample="1", spare=1) for title in "ABC"]
    view.model().set_data([Column("Token", str, sample="0" * 12, share=1), *few], 20)
    assert sum(view.columnWidth(place) for place in range(4)) == view.viewport().width()


def test_a_click_elsewhere_moves_no_border(view: ArrayView, qtbot: QtBot) -> None:
    """A table that gets narrower while a button is held down elsewhere fills its width still."""
    qtbot.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(20, 20))
    view.horizontalHeader().resizeSection(0, 40)
    view.resize(500, 200)
    qtbot.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(20, 20))
    assert sum(view.columnWidth(place) for place in range(4)) == view.viewport().width()


def test_a_border_that_was_moved_stays_until_there_are_other_columns(
    view: ArrayView, qtbot: QtBot
) -> None:
    header = view.horizontalHeader()
    border = QPoint(header.sectionSize(0) - 1, header.height() // 2)
    qtbot.mousePress(header.viewport(), Qt.MouseButton.LeftButton, pos=border)
    qtbot.mouseMove(header.viewport(), border - QPoint(60, 0))
    header.resizeSection(0, 77)
    qtbot.mouseRelease(header.viewport(), Qt.MouseButton.LeftButton, pos=border - QPoint(60, 0))
    view.resize(500, 200)
    assert view.columnWidth(0) == 77
    view.model().set_data(view.model().columns, 10)
    assert view.columnWidth(0) == 77
    view.model().set_data(view.model().columns[:2], 10)
    assert sum(view.columnWidth(place) for place in range(2)) == view.viewport().width()


def test_what_is_hidden_is_told_and_a_narrow_column_takes_the_room(view: ArrayView) -> None:
    told: list[tuple[str, ...]] = []
    view.hiddenChanged.connect(lambda: told.append(view.left_out))
    margin = view.width() - view.viewport().width()
    columns = [
        Column("Token", str, sample="0" * 12, share=1),
        Column("Category", str, sample="0" * 60, spare=1),
        Column("Id", str, right=True, sample="123", spare=2),
    ]
    view.model().set_data(columns, 20)
    view.resize(sum(view._least(c) for c in (columns[0], columns[2])) + margin, 200)
    assert view.left_out == ("Category",) and told[-1] == ("Category",)
    assert hidden(view) == ["Category"]

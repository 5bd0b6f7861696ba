"""Columns are as wide as what is in them, and give way to those that matter."""

from __future__ import annotations

import pytest
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

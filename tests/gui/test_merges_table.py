"""The columns of the merges."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetrics
from pytestqt.qtbot import QtBot

from bpe_studio import api, formats
from bpe_studio.analysis.merge_rows import COLUMNS
from bpe_studio.gui.models.merges_model import TITLES, MergesModel
from bpe_studio.gui.widgets.merges_table import LEAST, MOST, MergesTable

AT = {name: place for place, name in enumerate(COLUMNS)}


@pytest.fixture
def table(qtbot: QtBot) -> MergesTable:
    model = MergesModel()
    made = MergesTable(model)
    model.setParent(made)
    qtbot.addWidget(made)
    model.set_tokenizer(api.load(formats.find_table("stdlib-8k")))
    made.resize(426, 400)
    made.show()
    return made


def digit(table: MergesTable) -> int:
    return QFontMetrics(table.font()).horizontalAdvance("0")


@pytest.mark.parametrize("width", [300, 426, 700, 1400])
def test_every_number_has_room(table: MergesTable, width: int) -> None:
    table.resize(width, 400)
    rows = table.model().rows
    for name, largest in (("rank", len(rows)), ("id", rows.new.max()), ("count", max(rows.counts))):
        assert table.columnWidth(AT[name]) > len(f"{largest:,}") * digit(table)
    titles = QFontMetrics(table.horizontalHeader().font())
    assert all(
        table.columnWidth(AT[name]) > titles.horizontalAdvance(TITLES[name][0]) for name in COLUMNS
    )


def test_the_texts_share_what_is_left(table: MergesTable) -> None:
    for width in (300, 426):
        table.resize(width, 400)
        assert table.columnWidth(AT["left"]) >= LEAST["left"] * digit(table)
    assert table.columnViewportPosition(AT["bytes"]) <= table.viewport().width()
    table.resize(1400, 400)
    assert table.columnWidth(AT["token"]) >= MOST["token"] * digit(table)
    assert table.horizontalScrollBar().maximum() == 0


def test_the_columns_of_a_start_end_at_the_edge(table: MergesTable) -> None:
    """In the window of a first start on 1280 pixels all but the last column are in sight."""
    right = table.columnViewportPosition(AT["applied"]) + table.columnWidth(AT["applied"])
    assert abs(right - table.viewport().width()) <= 4


def test_a_border_that_is_moved_stays(table: MergesTable, qtbot: QtBot) -> None:
    header = table.horizontalHeader()
    edge = header.sectionViewportPosition(AT["right"])
    place = QPoint(edge - 1, header.height() // 2)
    qtbot.mousePress(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.mouseMove(header.viewport(), place + QPoint(20, 0))
    qtbot.mouseMove(header.viewport(), place + QPoint(40, 0))
    qtbot.mouseRelease(header.viewport(), Qt.MouseButton.LeftButton, pos=place + QPoint(40, 0))
    moved = table.columnWidth(AT["left"])
    table.resize(900, 400)
    assert table.columnWidth(AT["left"]) == moved

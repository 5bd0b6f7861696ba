"""Names of other tables stay in their corner."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from bpe_studio.gui.widgets.curve_key import DASHES, CurveKey, KeyEntry, _fitting, dashed


@pytest.mark.parametrize("width", [600, 300, 130, 60])
def test_it_stays_in_its_row(qtbot: QtBot, width: int) -> None:
    key = CurveKey()
    qtbot.addWidget(key)
    key.set_entries([KeyEntry("a table with a very long name indeed " * 2, n) for n in range(6)])
    key.resize(width, key.sizeHint().height())
    image = QImage(width + 200, key.height(), QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    key.draw(painter)
    painter.end()
    beyond = range(width + 30, width + 200)
    assert not any(image.pixel(x, y) for x in beyond for y in range(image.height()))
    assert any(image.pixel(x, y) for x in range(width) for y in range(image.height())) == (
        width > 100
    )


def test_without_other_tables_it_takes_no_room(qtbot: QtBot) -> None:
    key = CurveKey()
    qtbot.addWidget(key)
    key.set_entries([KeyEntry("one", 0)])
    assert key.isVisible()
    key.set_entries([])
    assert not key.isVisible()


def test_what_does_not_fit_is_counted() -> None:
    assert _fitting(["a", "b", "c"], 3) == ["a", "b", "c"]
    assert _fitting(["a", "b", "c"], 2) == ["a", "and 2 more"]
    assert _fitting(["a"], 0) == []


def test_every_line_has_gaps() -> None:
    patterns = [tuple(dashed("#000000", number, 1.0).dashPattern()) for number in range(6)]
    assert len(set(patterns)) == len(DASHES)

"""Names of other tables stay in their corner."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from bpe_studio.gui import theme
from bpe_studio.gui.widgets.curve_key import DASHES, KeyEntry, _fitting, dashed, draw_key


@pytest.mark.parametrize("size", [(400, 120), (200, 60), (120, 20), (60, 5)])
def test_it_stays_inside(qapp: QApplication, size: tuple[int, int]) -> None:
    image = QImage(*size, QImage.Format.Format_ARGB32)
    painter = QPainter(image)
    entries = [KeyEntry("a table with a very long name indeed " * 2, n) for n in range(6)]
    place = draw_key(painter, QRectF(image.rect()), entries, theme.LIGHT)
    painter.end()
    assert place.isEmpty() or QRectF(image.rect()).contains(place)


def test_what_does_not_fit_is_counted() -> None:
    assert _fitting(["a", "b", "c"], 3) == ["a", "b", "c"]
    assert _fitting(["a", "b", "c"], 2) == ["a", "and 2 more"]
    assert _fitting(["a"], 0) == []


def test_every_line_has_gaps() -> None:
    patterns = [tuple(dashed("#000000", number, 1.0).dashPattern()) for number in range(6)]
    assert len(set(patterns)) == len(DASHES)

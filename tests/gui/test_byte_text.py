"""Readable bytes, drawn."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF, QStringListModel
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QTableView
from pytestqt.qtbot import QtBot

from bpe_studio.bpe.decoder import readable
from bpe_studio.gui import theme
from bpe_studio.gui.widgets.byte_text import ByteDelegate, draw_readable, readable_width, runs


@given(st.binary(max_size=12))
def test_runs_cover_the_text(data: bytes) -> None:
    text = readable(data)
    assert "".join(part for part, _ in runs(text)) == text


@pytest.mark.parametrize(
    ("text", "marks"),
    [("␠low", ["␠"]), ("a·b⏎", ["·", "⏎"]), ("x⟨E2 82⟩y", ["⟨E2 82⟩"]), ("low", [])],
)
def test_marks_are_told_from_text(text: str, marks: list[str]) -> None:
    assert [part for part, mark in runs(text) if mark] == marks


def inked(text: str, width: int) -> list[int]:
    """The columns in which something is drawn."""
    pixmap = QPixmap(300, 30)
    pixmap.fill(QColor("white"))
    painter = QPainter(pixmap)
    box = QRectF(5, 0, width, 30)
    draw_readable(painter, box, text, theme.mono_font(), ink="#000000", quiet="#777777")
    painter.end()
    image = pixmap.toImage()
    return [
        x for x in range(300) if any(image.pixelColor(x, y) != QColor("white") for y in range(30))
    ]


def test_a_space_has_the_width_of_a_letter(qapp: QApplication) -> None:
    assert inked("␠", 200)
    assert max(inked("␠x", 200)) == max(inked("xx", 200))


def test_long_text_ends_at_the_edge(qapp: QApplication) -> None:
    assert max(inked("x" * 100, 80)) <= 5 + 80 + 2


def test_the_delegate_draws_cells(qtbot: QtBot) -> None:
    view = QTableView()
    qtbot.addWidget(view)
    view.setModel(QStringListModel(["␠low⟨E2⟩"]))
    view.setItemDelegate(ByteDelegate(view))
    view.show()
    before = view.grab().toImage()
    view.setModel(QStringListModel([""]))
    assert view.grab().toImage() != before


def test_controls_are_as_wide_as_their_bytes(qtbot: QtBot) -> None:
    metrics = QFontMetricsF(theme.mono_font())
    assert readable_width("␀a", metrics) == readable_width("⟨00⟩a", metrics)

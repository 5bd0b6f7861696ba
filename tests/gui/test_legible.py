"""No label writes a sign that fonts lack."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontInfo, QRawFont
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from bpe_studio.gui.models.array_table import ArrayTable, Column
from bpe_studio.gui.models.legible import OPEN_BOX, SPACE, legible
from bpe_studio.gui.models.token_details import describe, tooltip
from bpe_studio.gui.widgets.basics import EmptyState, SectionHeader, label
from bpe_studio.gui.widgets.elided_label import ElidedLabel, ReadableLabel
from bpe_studio.gui.widgets.notice import NoticeBar
from tests.gui.small_tables import small_tokenizer

TEXT = "“␠low” and ␠low·est"


def test_an_open_box_stands_for_the_space() -> None:
    assert legible(TEXT) == "“␣low” and ␣low·est"
    assert legible("low ␀") == "low ␀"


def test_every_label_is_legible(qtbot: QtBot) -> None:
    notice = NoticeBar()
    notice.tell(TEXT)
    box = QWidget()
    qtbot.addWidget(box)
    parts = (label(TEXT), SectionHeader(TEXT), ElidedLabel(TEXT), EmptyState(TEXT), notice)
    for part in parts:
        part.setParent(box)
    shown = [made.text() for made in box.findChildren(QLabel)]
    assert shown.count(legible(TEXT)) == len(parts) and not any(SPACE in text for text in shown)
    made = label()
    qtbot.addWidget(made)
    made.setText(TEXT)
    assert SPACE not in made.text()


ZALGO = "Z" + "\u0301\u0302" * 20 + "low"


def test_marks_do_not_pile_up(qtbot: QtBot) -> None:
    assert legible(ZALGO) == "Z⟨0301 0302 … 40 marks⟩low"
    assert legible("Z\u0301\u0302") == "Z\u0301\u0302"
    for made in (label(ZALGO), ReadableLabel(ZALGO)):
        qtbot.addWidget(made)
        assert made.text() == "Z⟨0301 0302 … 40 marks⟩low"


def test_what_is_drawn_keeps_its_text(qtbot: QtBot) -> None:
    made = ReadableLabel("␠low")
    qtbot.addWidget(made)
    assert made.text() == "␠low"


def test_tips_are_legible() -> None:
    made = small_tokenizer()
    token = next(i for i in made.table.ids.tolist() if made.token_bytes(i).startswith(b" t"))
    assert OPEN_BOX in tooltip(describe(made, token)) and SPACE not in tooltip(
        describe(made, token)
    )
    table = ArrayTable(columns=[Column("a", str, tip=lambda _: TEXT)], rows=1)
    assert table.data(table.index(0, 0), Qt.ItemDataRole.ToolTipRole) == legible(TEXT)


@pytest.mark.parametrize("family", ["Inter", "DejaVu Sans"])
def test_common_fonts_have_the_open_box(qtbot: QtBot, family: str) -> None:
    font = QFont(family)
    if QFontInfo(font).family() != family:
        pytest.skip(f"{family} is not installed")
    raw = QRawFont.fromFont(font)
    assert raw.supportsCharacter(ord(OPEN_BOX)) and not raw.supportsCharacter(ord(SPACE))


def test_marks_of_direction_do_not_act() -> None:
    assert legible("\u202etxt.exe \u2066a") == "⟨202E⟩txt.exe ⟨2066⟩a"

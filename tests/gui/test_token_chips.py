"""Chips wrap, are clicked, walked to and read out."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF
from pytestqt.qtbot import QtBot

from bpe_studio.gui.models.token_layout import lay_out
from bpe_studio.gui.theme import ui_font
from bpe_studio.gui.widgets.token_chips import Chip, TokenChips, token_chips
from bpe_studio.gui.widgets.token_readout import TokenReadout, parts_of_character
from tests.gui.small_tables import small_tokenizer


def make_chips(qtbot: QtBot, width: int) -> TokenChips:
    row = TokenChips()
    qtbot.addWidget(row)
    row.set_chips([Chip("words"), *token_chips(small_tokenizer(), [111, 262, 0, 230])])
    row.resize(width, 100)
    row.show()
    return row


def test_a_click_chooses_the_token(qtbot: QtBot) -> None:
    row = make_chips(qtbot, 400)
    centre = row._cells[1].center().toPoint()
    with qtbot.waitSignal(row.chosen) as chosen:
        qtbot.mouseClick(row, Qt.MouseButton.LeftButton, pos=centre)
    assert chosen.args == [111]
    qtbot.mouseMove(row, centre)
    assert not row.grab().isNull()


def test_words_are_not_chosen(qtbot: QtBot) -> None:
    row = make_chips(qtbot, 400)
    with qtbot.assertNotEmitted(row.chosen):
        centre = row._cells[0].center().toPoint()
        qtbot.mouseClick(row, Qt.MouseButton.LeftButton, pos=centre)


def test_keys_walk_and_choose(qtbot: QtBot) -> None:
    row = make_chips(qtbot, 400)
    seen = []
    row.chosen.connect(seen.append)
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Right, Qt.Key.Key_Space, Qt.Key.Key_Left):
        qtbot.keyClick(row, key)
    assert seen == [111, 262]


def test_narrow_rows_are_taller(qtbot: QtBot) -> None:
    row = make_chips(qtbot, 400)
    assert row.heightForWidth(60) > row.heightForWidth(400)
    assert row.accessibleDescription().startswith("words l")


def test_half_a_character_is_read_out_with_its_other_parts(qtbot: QtBot) -> None:
    tokenizer = small_tokenizer()
    layout = lay_out(tokenizer, "low 你")
    token = len(layout) - 2
    character, parts = parts_of_character(layout, token)
    assert character == "你"
    assert layout.ids[parts].tolist() == [3 + byte for byte in "你".encode()]
    readout = TokenReadout()
    qtbot.addWidget(readout)
    readout.resize(900, 30)
    readout.show_token(tokenizer, layout, token)
    words = " ".join(chip.text for chip in readout.chips)
    assert "⟨BD⟩" in words and "⟨E4⟩" in words and "part of 你" in words


def test_a_narrow_readout_keeps_id_and_rank(qtbot: QtBot) -> None:
    tokenizer = small_tokenizer("antidisestablishmentarianism " * 4, 60)
    layout = lay_out(tokenizer, "antidisestablishmentarianism")
    readout = TokenReadout()
    qtbot.addWidget(readout)
    readout.show_token(tokenizer, layout, 0)
    metrics = QFontMetricsF(ui_font())
    for width in (900, 500, 320):
        readout.resize(width, 24)
        readout.grab()
        token, words, *rest = readout._cells
        assert readout.chips[1].text.startswith("id ")
        assert "rank" in readout.chips[1].text
        assert words.width() >= metrics.horizontalAdvance(readout.chips[1].text)
        assert max(cell.right() for cell in (token, words, *rest)) <= width


def test_lines_hang_under_the_second_chip(qtbot: QtBot) -> None:
    row = TokenChips(hanging=True)
    qtbot.addWidget(row)
    row.set_chips([Chip("lost to it"), *(Chip("abcdefgh", token=i, bare=True) for i in range(9))])
    row.resize(240, row.heightForWidth(240))
    row.show()
    first, *others = row._cells
    assert len({cell.top() for cell in others}) > 1
    begins = {min(c.left() for c in others if c.top() == top) for top in {c.top() for c in others}}
    assert begins == {others[0].left()} and others[0].left() > first.right()
    assert all(cell.right() <= 240 for cell in others)

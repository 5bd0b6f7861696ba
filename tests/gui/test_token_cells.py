"""Cells cover a line without gaps, in portions that fit together."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from bpe_studio.gui.models.token_layout import lay_out
from bpe_studio.gui.widgets.token_cells import PORTION, CellCache
from bpe_studio.gui.widgets.token_text import TokenText
from tests.gui.small_tables import small_tokenizer


def shown(qtbot: QtBot, text: str) -> TokenText:
    pane = TokenText()
    qtbot.addWidget(pane)
    pane.resize(300, 300)
    pane.show()
    pane.set_text(text)
    pane.set_layout(lay_out(small_tokenizer(), text))
    return pane


def test_every_token_of_a_wrapped_block_has_a_cell(qtbot: QtBot) -> None:
    pane = shown(qtbot, "the lowest newest " * 120 + "\nthen")
    block = pane.document().firstBlock()
    count = block.layout().lineCount()
    assert count > 2 * PORTION
    layout = pane.token_layout()
    cells = CellCache().of(layout, block, 0, 1e6)
    in_block = [i for i, begin in enumerate(layout.positions[:, 0]) if begin < block.length()]
    assert sorted({cell.token for cell in cells}) == in_block
    assert sum(cell.begins for cell in cells) == len(in_block)


def test_only_lines_in_sight_are_laid_out(qtbot: QtBot) -> None:
    pane = shown(qtbot, "the lowest newest " * 200)
    block = pane.document().firstBlock()
    whole = CellCache().of(pane.token_layout(), block, 0, 1e6)
    top = CellCache().of(pane.token_layout(), block, 0, 40)
    assert 0 < len(top) < len(whole) / 2
    assert top == whole[: len(top)]


def test_neighbours_touch(qtbot: QtBot) -> None:
    pane = shown(qtbot, "low 你 lower")
    cells = CellCache().of(pane.token_layout(), pane.document().firstBlock(), 0, 1e6)
    for left, right in zip(cells, cells[1:], strict=False):
        assert abs(left.rect.right() - right.rect.left()) <= 1

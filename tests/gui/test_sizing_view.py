"""Which size: the lines hold what analysis finds, and follow the fields and the slider."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bpe_studio.analysis.compression import text_curve
from bpe_studio.analysis.sizing import ModelShape, measured, sizing
from bpe_studio.analysis.token_uses import rare_tokens, uses_in_training
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.traced_text import trace_text
from bpe_studio.gui import theme
from bpe_studio.gui.models.sizing_rows import parameters, short
from bpe_studio.gui.widgets.sizing_view import SizingView
from tests.bpe.test_trainer import trained

DOCUMENTS = [f"low lower {n} newest the then lowest\n" * (1 + n % 3) for n in range(60)]


@pytest.fixture
def tokenizer() -> Tokenizer:
    return trained(DOCUMENTS, vocab_size=300, hold_out=0.3)


@pytest.fixture
def view(qtbot: QtBot) -> SizingView:
    made = SizingView()
    qtbot.addWidget(made)
    made.resize(600, 240)
    made.show()
    return made


def value_of(view: SizingView, name: str) -> str:
    return next(words for words in view.lines.words() if words.startswith(name))[len(name) + 1 :]


def test_lines_are_what_analysis_finds(
    view: SizingView, tokenizer: Tokenizer, qtbot: QtBot
) -> None:
    view.restore({"width": 64, "tied": True, "context": 40, "rare": 3})
    view.set_table(tokenizer, None, anew=True)
    qtbot.waitUntil(lambda: not view.busy)
    found = sizing(measured(tokenizer), ModelShape(width=64, tied=True, context=40))
    rare = rare_tokens(uses_in_training(tokenizer), 3)
    expected = (
        found.embedding_parameters,
        found.tokens_per_document,
        found.attention_work,
        found.documents_in_context,
        rare,
    )
    for row, values in zip(view.lines._rows, expected, strict=True):
        np.testing.assert_array_equal(row.values, values)
    assert value_of(view, "Embedding") == "19.2 k"
    assert value_of(view, "Rare tokens") == str(rare[-1])
    assert "of what was held out" in view.note.text()


def test_it_follows_fields_and_slider(view: SizingView, tokenizer: Tokenizer, qtbot: QtBot) -> None:
    view.set_table(tokenizer, None, anew=True)
    assert value_of(view, "Embedding") == parameters(2 * 4096 * 300)
    view.tied.setChecked(True)
    assert value_of(view, "Attention") == "× 1.00"
    view.set_mark(10)
    assert value_of(view, "Embedding") == parameters(4096 * 272)
    work = sizing(measured(tokenizer), view.model).attention_work  # as the command line tells it
    assert work[10] > 1.1 and value_of(view, "Attention") == f"× {work[10]:.2f}"
    assert "attention: relative to 300" in view.note.text()
    view.rare.setValue(1_000_000)
    qtbot.waitUntil(lambda: not view.busy)
    assert value_of(view, "Rare tokens") == "10"
    view.lines.point_to(20)
    assert value_of(view, "Embedding") == parameters(4096 * 282)
    assert view.state() == {"width": 4096, "tied": True, "context": 8192, "rare": 1_000_000}


def test_a_table_without_a_record_is_told_of_by_the_text(
    view: SizingView, tokenizer: Tokenizer, qtbot: QtBot
) -> None:
    bare = replace(tokenizer, training=None)
    view.set_table(bare, None, anew=True)
    assert "Nothing is known" in view.nothing.text() and not view.lines.isVisible()
    text = "the lowest newest"
    view.set_table(bare, text_curve(trace_text(bare, text), text), anew=False)
    qtbot.waitUntil(lambda: not view.busy)
    assert view.lines.isVisible()
    assert value_of(view, "Tokens, this text") == str(len(bare.encode(text)))
    assert value_of(view, "Rare tokens") == "not recorded"


def test_nothing_is_computed_out_of_sight(
    view: SizingView, tokenizer: Tokenizer, qtbot: QtBot
) -> None:
    view.hide()
    view.set_table(tokenizer, None, anew=True)
    assert not view.busy and not view.lines._rows
    view.show()
    qtbot.waitUntil(lambda: bool(view.lines._rows) and not view.busy)


@pytest.mark.parametrize("log", [False, True])
def test_mouse_and_keys_walk_along_the_sizes(
    view: SizingView, tokenizer: Tokenizer, qtbot: QtBot, log: bool
) -> None:
    view.set_table(tokenizer, None, anew=True)
    view.set_log(log)
    lines, last = view.lines, len(tokenizer.merges)
    for point in (0, 7, last):
        lines.point_to(lines.scale.nearest(round(lines.scale.place(lines._sizes[point]))))
        assert abs(lines.point - point) <= 1
    with qtbot.waitSignal(view.pointChosen) as chosen:
        place = QPoint(round(lines.scale.place(lines._sizes[7])), 20)
        qtbot.mouseClick(lines, Qt.MouseButton.LeftButton, pos=place)
    assert chosen.args == [7]
    qtbot.keyClick(lines, Qt.Key.Key_Home)
    qtbot.keyClick(lines, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert lines.point == 1 and "at 263 tokens" in lines.accessibleDescription()
    qtbot.keyClick(lines, Qt.Key.Key_End)
    with qtbot.waitSignal(view.pointChosen) as chosen:
        qtbot.keyClick(lines, Qt.Key.Key_Return)
    assert chosen.args == [last]


def test_lines_are_drawn_in_the_accent(
    view: SizingView, tokenizer: Tokenizer, qapp: QApplication
) -> None:
    view.set_table(tokenizer, None, anew=True)
    image = view.lines.grab().toImage()
    accent = theme.colours(view).accent
    inked = [
        any(
            image.pixelColor(x, y).name() == accent
            for x in range(image.width())
            for y in range(int(box.top()), int(box.bottom()))
        )
        for box in map(view.lines._row_box, range(4))
    ]
    assert inked == [True] * 4


def test_nonsense_is_passed_over(view: SizingView) -> None:
    before = view.state()
    view.restore({"width": "x", "tied": None, "context": None})
    assert view.state() == before


def test_words() -> None:
    assert [parameters(value) for value in (1_050_673_152, 65_536_000, 2_500, 7)] == [
        "1.1 B", "65.5 M", "2.5 k", "7"
    ]  # fmt: skip
    assert [short(value) for value in (0.000218, 0.0, 2.48, 24.83, 1230.4)] == [
        "0.000218", "0", "2.48", "24.8", "1,230"
    ]  # fmt: skip

"""The text pane: exact text, tokens under the pointer, walking, and typing."""

from __future__ import annotations

import random

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from bpe_studio.gui.models import token_layout
from bpe_studio.gui.models.display_breaks import MOST_HEAVY, ORDINARY_RUN
from bpe_studio.gui.models.token_layout import lay_out
from bpe_studio.gui.widgets.token_text import TokenText
from tests.gui.small_tables import small_tokenizer

TEXT = "the lowest\r\nnewest 😀 there\u00a0x\u2028y\n"


@pytest.fixture
def pane(qtbot: QtBot) -> TokenText:
    pane = TokenText()
    qtbot.addWidget(pane)
    pane.resize(500, 200)
    pane.show()
    pane.set_text(TEXT)
    pane.set_layout(lay_out(small_tokenizer(), TEXT))
    return pane


def point_of(pane: TokenText, token: int) -> QPoint:
    position = int(pane.token_layout().positions[token, 0])
    cursor = pane.textCursor()
    cursor.setPosition(position)
    return pane.cursorRect(cursor).center() + QPoint(2, 0)


def test_the_text_is_exact(pane: TokenText) -> None:
    assert pane.text() == TEXT
    cursor = pane.textCursor()
    cursor.movePosition(QTextCursor.MoveOperation.End)
    cursor.insertText("z")
    assert pane.text() == TEXT + "z"


def test_copy_gives_real_characters(pane: TokenText) -> None:
    pane.selectAll()
    pane.copy()
    assert QGuiApplication.clipboard().text() == TEXT


def test_the_pointer_finds_tokens(pane: TokenText, qtbot: QtBot) -> None:
    for token in (0, 1, 2):
        assert pane.token_at(point_of(pane, token)) == token
    assert pane.token_at(QPoint(490, 190)) == -1
    with qtbot.waitSignal(pane.tokenClicked) as clicked:
        qtbot.mouseClick(pane.viewport(), Qt.MouseButton.LeftButton, pos=point_of(pane, 1))
    assert clicked.args == [1]


def test_alt_and_arrows_walk(pane: TokenText, qtbot: QtBot) -> None:
    alt = Qt.KeyboardModifier.AltModifier
    seen = []
    pane.tokenClicked.connect(seen.append)
    pane.moveCursor(QTextCursor.MoveOperation.Start)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left):
        qtbot.keyClick(pane, key, alt)
    assert seen == [1, 2, 1]
    assert pane.text() == TEXT


def test_a_selection_tells_characters(pane: TokenText, qtbot: QtBot) -> None:
    start = TEXT.index("there")
    cursor = pane.textCursor()
    units = len(TEXT[:start].encode("utf-16-le")) // 2
    cursor.setPosition(units)
    cursor.setPosition(units + 5, QTextCursor.MoveMode.KeepAnchor)
    with qtbot.waitSignal(pane.spanChosen) as chosen:
        pane.setTextCursor(cursor)
    assert chosen.args == [start, start + 5]


def test_typing_keeps_the_colours_of_what_stays(pane: TokenText, qtbot: QtBot) -> None:
    before = len(pane.token_layout())
    pane.moveCursor(QTextCursor.MoveOperation.Start)
    with qtbot.waitSignal(pane.edited):
        qtbot.keyClick(pane, Qt.Key.Key_A)
    assert not pane.layout_is_fresh
    assert len(pane.token_layout()) >= before - 1
    assert int(pane.token_layout().positions[0, 0]) == 1


def test_tokens_of_another_text_are_ignored(pane: TokenText) -> None:
    pane.set_text("other")
    pane.set_layout(lay_out(small_tokenizer(), TEXT))
    assert pane.token_layout() is None


def test_a_very_long_line_is_shown_and_cannot_be_edited(qtbot: QtBot) -> None:
    text = "low " * 20_000
    pane = TokenText()
    qtbot.addWidget(pane)
    pane.resize(500, 200)
    pane.show()
    pane.set_text(text)
    layout = lay_out(small_tokenizer(), text)
    pane.set_layout(layout)
    assert pane.isReadOnly()
    assert pane.text() == text
    pane.reveal(len(layout) - 1)
    assert pane.grab().height() == 200
    pane.set_text("short")
    assert not pane.isReadOnly()


def test_it_paints_every_kind_of_token(pane: TokenText) -> None:
    pane.set_whitespace_shown(True)
    pane.set_selected_id(int(pane.token_layout().ids[2]))
    pane.set_current(3)
    assert not pane.grab().isNull()


def test_the_outline_stays_on_its_place_or_goes(pane: TokenText) -> None:
    pane.set_current(1)
    place = pane.token_layout().positions[1].tolist()
    pane.set_layout(lay_out(small_tokenizer(), TEXT))
    assert pane._painter.current == 1
    pane.set_layout(lay_out(small_tokenizer(merges=0), TEXT))
    current = pane._painter.current
    assert current is None or pane.token_layout().positions[current].tolist() == place


def test_shift_tab_leaves_and_tab_writes(qtbot: QtBot) -> None:
    window = QWidget()
    column = QVBoxLayout(window)
    before, pane = QLineEdit(), TokenText()
    column.addWidget(before)
    column.addWidget(pane)
    qtbot.addWidget(window)
    window.show()
    pane.setFocus()
    qtbot.keyClick(pane, Qt.Key.Key_Tab)
    assert pane.text() == "\t"
    qtbot.keyClick(pane, Qt.Key.Key_Backtab)
    assert window.focusWidget() is before


def test_pasting_a_long_line_keeps_the_text(pane: TokenText, qtbot: QtBot) -> None:
    line = "abc" * 20_000
    pane.moveCursor(QTextCursor.MoveOperation.End)
    QGuiApplication.clipboard().setText(line)
    with qtbot.waitSignal(pane.edited):
        pane.paste()
    assert pane.text() == TEXT + line
    assert pane.has_long_line


def test_two_short_pastes_can_make_a_long_line(pane: TokenText) -> None:
    half = "a" * 30_000
    QGuiApplication.clipboard().setText(half)
    pane.selectAll()
    pane.paste()
    assert not pane.has_long_line
    pane.paste()
    assert pane.has_long_line
    assert pane.text() == half + half


def test_a_text_that_cannot_be_typed_into_can_be_replaced(pane: TokenText, qtbot: QtBot) -> None:
    control = Qt.KeyboardModifier.ControlModifier
    pane.set_text("x" * 60_000)
    assert pane.isReadOnly()
    QGuiApplication.clipboard().setText("low\nlower")
    qtbot.keyClick(pane, Qt.Key.Key_A, control)
    qtbot.keyClick(pane, Qt.Key.Key_V, control)
    assert pane.text() == "low\nlower"
    assert not pane.isReadOnly()


def test_a_selection_of_a_long_line_can_be_deleted(pane: TokenText, qtbot: QtBot) -> None:
    pane.set_text("x" * 60_000 + "tail")
    cursor = pane.textCursor()
    cursor.setPosition(1_500)  # a display break lies inside
    cursor.setPosition(500, QTextCursor.MoveMode.KeepAnchor)
    pane.setTextCursor(cursor)
    qtbot.keyClick(pane, Qt.Key.Key_Delete)
    assert pane.text() == "x" * 59_001 + "tail"


def test_a_locked_pane_takes_no_paste(pane: TokenText, qtbot: QtBot) -> None:
    pane.set_locked(True)
    QGuiApplication.clipboard().setText("other")
    qtbot.keyClick(pane, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert pane.text() == TEXT


def test_a_text_of_stand_ins_is_kept(pane: TokenText, qtbot: QtBot) -> None:
    QGuiApplication.clipboard().setText("a\ufdd2\rb")
    pane.selectAll()
    pane.paste()
    assert pane.text() == "a\ufdd2\rb"
    assert pane.isReadOnly()
    assert not pane.has_long_line


def test_invisible_characters_take_room(pane: TokenText) -> None:
    pane.set_text("a\u200bb\u202ecd")
    pane.set_layout(lay_out(small_tokenizer(), pane.text()))
    line = pane.document().firstBlock().layout().lineAt(0)
    places = [line.cursorToX(place)[0] for place in range(7)]
    assert places == sorted(set(places))  # nothing is without width, nothing runs backwards
    assert not pane.grab().isNull()


def test_letters_are_joined(pane: TokenText) -> None:
    """Cells are painted under the text, so nothing cuts its runs."""
    pane.set_text("\u0628\u0628\u0628")
    pane.set_layout(lay_out(small_tokenizer(), pane.text()))
    pane.grab()
    layout = pane.document().firstBlock().layout()
    assert not layout.formats()
    glyphs = [index for run in layout.lineAt(0).glyphRuns() for index in run.glyphIndexes()]
    if all(glyphs):  # a font has the letter
        assert len(set(glyphs)) == 3  # its first, middle and last shape


def test_edits_keep_the_text_up(pane: TokenText) -> None:
    """Whatever Qt says has changed, the text is what the document holds."""
    chance, parts = random.Random(3), ["x", "ab\n", "😀", "\r\n", "\u2028", "e\u0301", "\n\n"]
    for turn in range(200):
        cursor = pane.textCursor()
        text = pane.text()
        first = chance.randint(0, len(text))
        cursor.setPosition(len(text[:first].encode("utf-16-le")) // 2)
        if chance.random() < 0.4:
            last = min(len(text), first + chance.randint(0, 12))
            units = len(text[:last].encode("utf-16-le")) // 2
            cursor.setPosition(units, QTextCursor.MoveMode.KeepAnchor)
        pane.setTextCursor(cursor)
        if turn % 7 == 6:
            (pane.undo if chance.random() < 0.6 else pane.redo)()
        elif turn % 31 == 30:
            pane.selectAll()
            pane.cut()
            pane.paste()
        elif cursor.hasSelection() and chance.random() < 0.5:
            cursor.removeSelectedText()
        else:
            cursor.insertText(token_layout.show_text(chance.choice(parts)).document)
        assert pane.text() == token_layout.read_document(pane.document().toRawText())


def test_a_line_that_grows_too_long_is_broken(pane: TokenText) -> None:
    pane.set_text("e" + "\u0301" * (MOST_HEAVY + ORDINARY_RUN) + "x\nlow")
    cursor = pane.textCursor()
    cursor.setPosition(5)
    pane.setTextCursor(cursor)
    cursor.insertText("\u0301")
    text = pane.text()
    assert not pane.has_long_line
    pane.set_layout(lay_out(small_tokenizer(), text))
    assert pane.has_long_line
    assert pane.isReadOnly()
    assert pane.text() == text
    assert pane.layout_is_fresh


@pytest.mark.parametrize(
    "text", ["e" + "\u0301" * 3_000, ("Z" + "\u0335\u0321" * 6) * 400, "\0" * 3_000]
)
def test_hostile_texts_have_few_tokens_in_sight(pane: TokenText, text: str) -> None:
    """To paint a token is to ask Qt where it is: thousands on one letter would stop the window."""
    pane.set_text(text)
    pane.set_layout(lay_out(small_tokenizer(), text))
    assert pane.text() == text
    cells = [cell for _, _, cells in pane._visible_blocks(QRectF(pane.rect())) for cell in cells]
    assert 0 < len(cells) < 2_000


def test_a_caret_in_sight_stays_there_when_lines_are_wrapped_anew(pane: TokenText) -> None:
    pane.set_text("the lowest of the newest and the widest words of all\n" * 60)
    cursor = pane.textCursor()
    cursor.setPosition(30 * 53)
    pane.setTextCursor(cursor)
    pane.ensureCursorVisible()
    for width in (140, 500):
        pane.resize(width, 200)
        assert pane.viewport().rect().contains(pane.cursorRect().center())
    pane.verticalScrollBar().setValue(0)  # the user has scrolled away from it
    pane.resize(140, 200)
    assert pane.verticalScrollBar().value() == 0

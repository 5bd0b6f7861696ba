"""The view of a long text: exact text, tokens under the pointer, keys, and only visible rows."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bpe_studio.gui.models.token_layout import lay_out
from bpe_studio.gui.widgets import long_text_view, text_rows
from bpe_studio.gui.widgets.long_text_view import LongTextView
from bpe_studio.gui.widgets.token_text import TokenText
from tests.gui.small_tables import small_tokenizer

LINES = 3_000
TEXT = "the lowest 😀 there\u202e!\r\n" + "".join(
    f"{number} newest lower{' wide' * (number % 40)}\n" for number in range(LINES)
)
SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def view(qtbot: QtBot) -> LongTextView:
    view = LongTextView()
    qtbot.addWidget(view)
    view.resize(500, 220)
    view.show()
    view.set_text(TEXT)
    qtbot.waitUntil(lambda: view.length() > 0)
    view.set_layout(lay_out(small_tokenizer(), TEXT))
    view.setFocus()
    return view


def seen(view: LongTextView) -> str:
    return "\n".join(row.text() for row, _ in view.visible_rows())


def point_of(view: LongTextView, position: int) -> QPoint:
    for row, place in view.visible_rows():
        if row.position() <= position < row.position() + row.length():
            caret = row.caret(position).translated(place.topLeft())
            return caret.center().toPoint() + QPoint(2, 0)
    raise AssertionError("not in sight")


def test_copy_gives_real_characters(view: LongTextView, qtbot: QtBot) -> None:
    qtbot.keyClick(view, Qt.Key.Key_A, CONTROL)
    qtbot.keyClick(view, Qt.Key.Key_C, CONTROL)
    assert QGuiApplication.clipboard().text() == TEXT == view.text()


def test_only_rows_in_sight_are_laid_out(
    view: LongTextView, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    whole = text_rows.Row.__init__
    monkeypatch.setattr(
        text_rows.Row,
        "__init__",
        lambda self, *given: (made.append(given[1]), whole(self, *given))[1],
    )
    view.verticalScrollBar().setValue(LINES // 2)
    view.grab()
    assert 0 < len(made) < 60
    assert min(made) >= LINES // 2


def test_tokens_are_under_the_pointer_as_in_the_editor(view: LongTextView, qtbot: QtBot) -> None:
    editor = TokenText()
    qtbot.addWidget(editor)
    editor.resize(500, 220)
    editor.show()
    editor.set_text(TEXT)
    editor.set_layout(view.token_layout())
    view.grab(), editor.grab()
    found = []
    for position in range(30):
        cursor = editor.textCursor()
        cursor.setPosition(position)
        there = editor.cursorRect(cursor).center() + QPoint(2, 0)
        found.append(view.token_at(point_of(view, position)))
        assert found[-1] == editor.token_at(there)
    assert len(set(found)) > 5
    assert view.token_at(QPoint(495, 5)) == -1


def test_a_click_tells_the_token(view: LongTextView, qtbot: QtBot) -> None:
    with qtbot.waitSignal(view.tokenClicked) as clicked:
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=point_of(view, 5))
    assert clicked.args == [view.token_layout().at_position(5)]


def drag(view: LongTextView, point: QPoint) -> None:
    """Move the pointer with the button down."""
    left = Qt.MouseButton.LeftButton
    place, nothing = QPointF(point), Qt.KeyboardModifier.NoModifier
    whole = QPointF(view.viewport().mapToGlobal(point))
    event = QMouseEvent(QEvent.Type.MouseMove, place, whole, left, left, nothing)
    QApplication.sendEvent(view.viewport(), event)


def test_a_drag_selects(view: LongTextView, qtbot: QtBot) -> None:
    start, end = point_of(view, 4) - QPoint(2, 0), point_of(view, 10) - QPoint(2, 0)
    qtbot.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=start)
    with qtbot.waitSignal(view.spanChosen) as chosen:
        drag(view, end)
    assert chosen.args == [4, 10]
    view.copy()
    assert QGuiApplication.clipboard().text() == "lowest" == view.selected_text()
    drag(view, QPoint(20, 400))
    assert view.verticalScrollBar().value() > 0
    assert view._drag_timer.isActive()
    qtbot.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=end)
    assert not view._drag_timer.isActive()
    assert len(view.selected_text()) > 50


def test_a_double_click_selects_a_token(view: LongTextView, qtbot: QtBot) -> None:
    qtbot.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=point_of(view, 5))
    token = view.token_layout().at_position(5)
    assert [view.anchor, view.position] == view.token_layout().positions[token].tolist()


def test_arrows_walk_tokens(view: LongTextView, qtbot: QtBot) -> None:
    told = []
    view.tokenClicked.connect(told.append)
    for modifier in (Qt.KeyboardModifier.NoModifier, ALT):
        qtbot.keyClick(view, Qt.Key.Key_Right, modifier)
    qtbot.keyClick(view, Qt.Key.Key_Left, ALT)
    assert told == [1, 2, 1]
    qtbot.keyClick(view, Qt.Key.Key_Right, ALT | SHIFT)
    assert view.position == view.token_layout().positions[2, 1]


def test_keys_go_to_both_ends(view: LongTextView, qtbot: QtBot) -> None:
    qtbot.keyClick(view, Qt.Key.Key_End, CONTROL)
    assert view.position == view.length()
    assert f"{LINES - 1} newest" in seen(view)
    assert view.verticalScrollBar().value() == view.verticalScrollBar().maximum()
    row, place = list(view.visible_rows())[-1]
    assert row.blockNumber() == LINES + 1
    assert place.bottom() <= view.viewport().height()
    qtbot.keyClick(view, Qt.Key.Key_Home, CONTROL)
    assert view.position == 0
    assert seen(view).startswith("the lowest")


def test_pages_go_there_and_back(view: LongTextView, qtbot: QtBot) -> None:
    before = seen(view)
    for _ in range(5):
        qtbot.keyClick(view, Qt.Key.Key_PageDown)
        assert point_of(view, view.position)
    assert seen(view) != before
    for _ in range(5):
        qtbot.keyClick(view, Qt.Key.Key_PageUp)
    assert seen(view) == before


def test_down_and_up_keep_to_their_column(view: LongTextView, qtbot: QtBot) -> None:
    for _ in range(7):
        qtbot.keyClick(view, Qt.Key.Key_Right, SHIFT)
    column = view.position
    for _ in range(30):
        qtbot.keyClick(view, Qt.Key.Key_Down)
    row = view.document.row_at(view.position)
    assert row > 10
    for _ in range(30):
        qtbot.keyClick(view, Qt.Key.Key_Up)
    assert view.position == column


def test_shift_selects_by_character_and_line(view: LongTextView, qtbot: QtBot) -> None:
    qtbot.keyClick(view, Qt.Key.Key_End, SHIFT)
    view.copy()
    assert QGuiApplication.clipboard().text() == "the lowest 😀 there\u202e!\r"
    qtbot.keyClick(view, Qt.Key.Key_Left, SHIFT)
    view.copy()
    assert QGuiApplication.clipboard().text() == "the lowest 😀 there\u202e!"


def test_the_wheel_scrolls_lines(view: LongTextView) -> None:
    before = [place.top() for _, place in view.visible_rows()][:1]
    middle = QPointF(view.viewport().rect().center())
    nowhere = Qt.KeyboardModifier.NoModifier
    for turn in (-120, -120, 120, 120):
        event = QWheelEvent(
            middle, middle, QPoint(), QPoint(0, turn), Qt.MouseButton.NoButton, nowhere,
            Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(view.viewport(), event)
        if turn == -120:
            assert not seen(view).startswith("the lowest")
    assert [place.top() for _, place in view.visible_rows()][:1] == before


def test_far_tokens_are_brought_on_screen(view: LongTextView) -> None:
    layout = view.token_layout()
    for token in (len(layout) - 1, 5, len(layout) // 2):
        view.reveal(token)
        assert view.token_at(point_of(view, int(layout.positions[token, 0]))) == token
        view.go_to(int(layout.positions[token // 2, 0]))
        assert point_of(view, view.position)


def test_it_wraps_at_its_width(view: LongTextView) -> None:
    view.go_to(view.document.span(1500)[0])
    wide = len(list(view.visible_rows()))
    view.resize(200, 220)
    assert len(list(view.visible_rows())) < wide
    assert view.verticalScrollBar().maximum() > LINES - 60


def test_long_texts_are_read_on_a_thread(
    view: LongTextView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(long_text_view, "AT_ONCE", 10)
    view.set_text("the first that is asked for\n" * 3)
    view.set_text("and the last\n" * 4)
    assert view.length() == 0
    qtbot.waitUntil(lambda: view.length() > 0)
    assert seen(view) == "and the last\n" * 4
    view.set_layout(lay_out(small_tokenizer(), TEXT))
    assert not view.layout_is_fresh
    view.grab()


def test_found_places_are_marked(view: LongTextView) -> None:
    before = view.grab().toImage()
    view.set_found(np.array([[4, 10]]), 0)
    assert view.grab().toImage() != before
    view.set_found(None)
    assert view.grab().toImage() == before

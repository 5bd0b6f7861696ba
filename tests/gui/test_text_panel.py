"""The Text panel: typing, tables, selection, figures, files."""

from __future__ import annotations

import random
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QTextCursor
from pytestqt.qtbot import QtBot

from bpe_studio.gui.models import long_document
from bpe_studio.gui.models.token_layout import lay_out
from bpe_studio.gui.panels import text_panel
from bpe_studio.gui.panels.text_panel import CUTTING, TextPanel
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.selection import Selection
from bpe_studio.gui.state.text import TextState
from bpe_studio.gui.widgets import ids_line, pane_selection
from tests.gui.small_tables import small_tokenizer


class Bench:
    """A panel with its states."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.text, self.tables, self.selection = TextState(), OpenTables(), Selection()
        self.panel = TextPanel(text=self.text, tables=self.tables, selection=self.selection)
        qtbot.addWidget(self.panel)
        self.panel.resize(640, 440)
        self.panel.show()

    def open_table(self, merges: int = 40) -> OpenTable:
        return self.tables.add(OpenTable(tokenizer=small_tokenizer(merges=merges), name="small"))

    def wait_for_tokens(self) -> None:
        pane = self.panel.pane
        self.qtbot.waitUntil(lambda: pane.layout_is_fresh, timeout=60_000)


@pytest.fixture
def bench(qtbot: QtBot) -> Bench:
    return Bench(qtbot)


def test_the_empty_pane_teaches(bench: Bench) -> None:
    assert bench.panel.empty.isVisible()
    assert "table" in bench.panel.figures.text()


def test_typing_shows_tokens_and_figures(bench: Bench, qtbot: QtBot) -> None:
    bench.open_table()
    qtbot.keyClicks(bench.panel.pane, "low lower")
    bench.wait_for_tokens()
    assert bench.text.text == "low lower"
    assert not bench.panel.empty.isVisible()
    layout = bench.panel.pane.token_layout()
    expected = small_tokenizer().encode("low lower")
    assert layout.ids.tolist() == expected
    tokens = len(expected)
    assert bench.panel.figures.text() == (
        f"9 characters  ·  {tokens} tokens  ·  {9 / tokens:.2f} chars/token  ·  9 bytes"
    )
    bench.panel.copy_ids()
    assert QGuiApplication.clipboard().text() == " ".join(map(str, expected))


def test_another_table_cuts_anew(bench: Bench) -> None:
    bench.open_table()
    bench.text.set_text("the lowest")
    bench.wait_for_tokens()
    before = len(bench.panel.pane.token_layout())
    bench.open_table(merges=2)
    bench.wait_for_tokens()
    assert len(bench.panel.pane.token_layout()) > before
    assert bench.panel.chooser.currentText() == "small (2)"


def test_a_click_selects_token_and_span(bench: Bench, qtbot: QtBot) -> None:
    bench.open_table()
    bench.text.set_text("low lowest")
    bench.wait_for_tokens()
    bench.panel.pane.walk(1)
    layout = bench.panel.pane.token_layout()
    assert bench.selection.token == layout.ids[1]
    span = bench.selection.span
    assert [span.start, span.end] == layout.characters[1].tolist()


def test_selected_characters_become_the_span(bench: Bench, qtbot: QtBot) -> None:
    bench.open_table()
    bench.text.set_text("low lowest")
    bench.wait_for_tokens()
    pane = bench.panel.pane
    for _ in range(3):
        qtbot.keyClick(pane, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: bench.selection.span is not None)
    assert bench.selection.span.selected == "low"


def test_closing_the_table_takes_the_tokens_away(bench: Bench) -> None:
    table = bench.open_table()
    bench.text.set_text("low")
    bench.wait_for_tokens()
    bench.tables.remove(table)
    assert bench.panel.pane.token_layout() is None
    assert bench.panel.pane.text() == "low"


def test_a_file_is_read_with_its_line_ends(bench: Bench, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("one\r\ntwo\u00a0é".encode())
    bench.panel.open_file(path)
    qtbot.waitUntil(lambda: bench.text.text == "one\r\ntwo\u00a0é")
    assert bench.text.name == "a.txt"


def test_a_file_that_is_no_text_is_named(bench: Bench, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(b"\0\1\2" * 100)
    bench.panel.open_file(path)
    qtbot.waitUntil(bench.panel.notice.isVisible)
    assert "a.bin" in bench.panel.notice.label.text()


def test_a_long_line_is_explained(bench: Bench) -> None:
    bench.text.set_text("x" * 60_000)
    assert bench.panel.pane.isReadOnly()
    assert "50,000" in bench.panel.notice.label.text()
    bench.panel.notice.action_button.click()
    assert bench.text.text == ""
    assert not bench.panel.notice.isVisible()


def test_a_long_line_that_is_pasted_is_explained(bench: Bench, qtbot: QtBot) -> None:
    line = "ab" * 40_000
    QGuiApplication.clipboard().setText(line)
    bench.panel.pane.paste()
    qtbot.waitUntil(lambda: bench.text.text == line)
    assert "50,000" in bench.panel.notice.label.text()


@pytest.mark.parametrize(
    ("text", "words"),
    [("Z" + "\u0301" * 9_000, "accents"), ("\0" * 500, "control"), ("x" * 60_000, "50,000")],
)
def test_it_is_told_what_is_broken(bench: Bench, text: str, words: str) -> None:
    bench.text.set_text(text)
    assert words in bench.panel.notice.label.text()


def test_ordinary_zalgo_can_be_typed_into(bench: Bench) -> None:
    bench.text.set_text(("Z" + "\u0301\u0335" * 23) * 26)
    assert not bench.panel.pane.isReadOnly() and not bench.panel.notice.isVisible()


def test_whitespace_follows_the_state(bench: Bench) -> None:
    bench.panel.whitespace.click()
    assert bench.text.show_whitespace
    bench.text.set_show_whitespace(False)
    assert not bench.panel.whitespace.isChecked()


def test_tips_escape_what_tokens_hold(bench: Bench) -> None:
    bench.open_table()
    bench.text.set_text("<b>")
    bench.wait_for_tokens()
    assert "&lt;" in bench.panel._tip(0)
    assert "<b><" not in bench.panel._tip(0)


@pytest.mark.parametrize("height", [500, 340, 270])
def test_a_low_pane_shows_its_hint_whole(bench: Bench, height: int) -> None:
    bench.panel.resize(440, height)
    empty, area = bench.panel.empty, bench.panel.pane.viewport().rect()
    assert empty.layout().heightForWidth(area.width()) <= empty.height()
    assert empty.geometry().bottom() <= area.bottom()
    assert empty.button.isVisible()


def test_nothing_is_cut_while_there_is_no_text(qtbot: QtBot) -> None:
    text, tables = TextState(), OpenTables()
    compiled = threading.Event()
    panel = TextPanel(text=text, tables=tables, selection=Selection(), ready=compiled)
    qtbot.addWidget(panel)
    tables.add(OpenTable(tokenizer=small_tokenizer(), name="small"))
    assert panel.figures.text() == ""
    text.set_text("low")
    assert panel.figures.text() == CUTTING
    compiled.set()
    qtbot.waitUntil(lambda: panel.pane.token_layout() is not None)


@pytest.fixture
def soon_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_document, "MOST_CHARACTERS", 2_000)


def test_a_long_text_is_here_to_be_read(bench: Bench, soon_long: None) -> None:
    bench.open_table()
    bench.text.set_text("low lowest\n" * 500)
    bench.wait_for_tokens()
    panel = bench.panel
    assert panel.pane is panel.views.reader
    assert "to be read" in panel.notice.label.text()
    panel.pane.walk(1)
    layout = panel.pane.token_layout()
    assert bench.selection.token == layout.ids[1]
    assert panel.figures.text().startswith("5,500 characters")
    panel.notice.action_button.click()
    assert panel.pane is panel.views.editor
    assert not panel.notice.isVisible()
    bench.text.set_text("low")
    bench.wait_for_tokens()


def test_a_paste_that_makes_it_long_is_shown_to_be_read(bench: Bench, soon_long: None) -> None:
    bench.text.set_text("first ")
    QGuiApplication.clipboard().setText("x\n" * 1_500)
    bench.panel.views.editor.moveCursor(QTextCursor.MoveOperation.End)
    bench.panel.views.editor.paste()
    assert bench.text.text == "first " + "x\n" * 1_500
    assert bench.panel.pane is bench.panel.views.reader


def test_the_slider_follows_the_view(bench: Bench, soon_long: None) -> None:
    bench.open_table()
    bench.text.set_text("low lowest\n" * 500)
    bench.wait_for_tokens()
    before = len(bench.panel.pane.token_layout())
    bench.panel.slide.bar.mergesChosen.emit(2)
    bench.qtbot.waitUntil(lambda: len(bench.panel.pane.token_layout()) > before)
    bench.wait_for_tokens()
    assert bench.panel.pane is bench.panel.views.reader


def test_edits_here_and_there_leave_the_tokens_of_the_text(bench: Bench, qtbot: QtBot) -> None:
    table = bench.open_table()
    bench.text.set_text("low lowest\nthe newest 😀 wider\n" * 40)
    bench.wait_for_tokens()
    chance, pane = random.Random(5), bench.panel.pane
    for keys in ("x", " ", "low", "\n", "\b", "\b\b\b", "the ", ".", "1 2", "\b"):
        cursor = pane.textCursor()
        cursor.setPosition(chance.randrange(10) * 27 + 5)
        pane.setTextCursor(cursor)
        for key in keys:
            special = {"\b": Qt.Key.Key_Backspace, "\n": Qt.Key.Key_Return}.get(key)
            if special is not None:
                qtbot.keyClick(pane, special)
            else:
                qtbot.keyClicks(pane, key)
        bench.wait_for_tokens()
        expected = lay_out(table.tokenizer, pane.text())
        found = pane.token_layout()
        assert found.ids.tolist() == expected.ids.tolist()
        assert found.positions.tolist() == expected.positions.tolist()
        assert found.hues.tolist() == expected.hues.tolist()


def test_many_ids_are_copied_without_waiting(
    bench: Bench, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ids_line, "QUICK", 3)
    table = bench.open_table()
    bench.text.set_text("low lowest " * 20)
    bench.wait_for_tokens()
    ids = table.tokenizer.encode(bench.text.text)
    with qtbot.waitSignal(bench.panel.told) as told:
        bench.panel.copy_ids()
    assert QGuiApplication.clipboard().text() == " ".join(map(str, ids))
    assert told.args == [f"{len(ids)} ids copied."]


def keys(bench: Bench, *wanted: QKeySequence.StandardKey) -> None:
    for key in wanted:
        bench.qtbot.keySequence(bench.panel.pane, QKeySequence(key))


def test_a_span_dies_with_the_edit_that_follows_it(bench: Bench, qtbot: QtBot) -> None:
    bench.text.set_text("low lowest")
    QGuiApplication.clipboard().setText("another text, and a longer one")
    keys(bench, QKeySequence.StandardKey.SelectAll, QKeySequence.StandardKey.Paste)
    qtbot.wait(2 * pane_selection.SPAN_MS)
    assert bench.text.text == "another text, and a longer one"
    assert bench.selection.span is None


def test_a_span_is_not_told_of_a_text_shown_in_the_meantime(
    bench: Bench, qtbot: QtBot, soon_long: None
) -> None:
    bench.text.set_text("low lowest")
    QGuiApplication.clipboard().setText("x\n" * 1_500)
    keys(bench, QKeySequence.StandardKey.SelectAll, QKeySequence.StandardKey.Paste)
    qtbot.wait(2 * pane_selection.SPAN_MS)
    assert bench.panel.pane is bench.panel.views.reader
    assert bench.selection.span is None


def test_a_span_waits_for_its_text_to_be_read(
    bench: Bench, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_panel, "LONG_TEXT", 5)
    monkeypatch.setattr(text_panel, "LONG_MS", 10_000)
    qtbot.keyClicks(bench.panel.pane, "low lowest")
    known = []
    bench.selection.spanSelected.connect(lambda _: known.append(bench.text.text))
    keys(bench, QKeySequence.StandardKey.SelectAll)
    qtbot.waitUntil(lambda: bool(known))
    assert known == ["low lowest"]


@pytest.mark.parametrize("pasted", ["e" + "\u0301" * 5_000, "x" * 60_000, "x\n" * 1_500])
def test_what_a_paste_replaced_comes_back(
    bench: Bench, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, pasted: str
) -> None:
    monkeypatch.setattr(long_document, "MOST_LINES", 1_000)
    keys_of = QKeySequence.StandardKey
    qtbot.keyClicks(bench.panel.pane, "typed")
    QGuiApplication.clipboard().setText(pasted)
    keys(bench, keys_of.SelectAll, keys_of.Paste)
    qtbot.waitUntil(lambda: bench.text.text == pasted)
    keys(bench, keys_of.Undo)
    assert bench.text.text == bench.panel.pane.text() == "typed"
    assert not bench.panel.pane.isReadOnly() and not bench.panel.notice.isVisible()
    keys(bench, keys_of.Redo)
    assert bench.text.text == bench.panel.pane.text() == pasted
    assert bench.panel.pane.isReadOnly() and bench.panel.notice.isVisible()


def test_a_paste_is_taken_back_before_it_was_read(bench: Bench, qtbot: QtBot) -> None:
    keys_of = QKeySequence.StandardKey
    bench.text.set_text("typed")
    QGuiApplication.clipboard().setText("x" * 60_000)
    keys(bench, keys_of.SelectAll, keys_of.Paste, keys_of.Undo)
    qtbot.wait(50)
    assert bench.text.text == bench.panel.pane.text() == "typed"
    assert not bench.panel.notice.isVisible()


def test_sample_file_and_clearing_can_be_taken_back(
    bench: Bench, qtbot: QtBot, tmp_path: Path
) -> None:
    qtbot.keyClicks(bench.panel.pane, "typed")
    bench.panel.show_sample()
    sample = bench.text.text
    path = tmp_path / "a.txt"
    path.write_text("of a file")
    bench.panel.open_file(path)
    qtbot.waitUntil(lambda: bench.text.text == "of a file")
    bench.panel._clear_text()
    for expected in ("of a file", sample, "typed"):
        bench.panel.undo()
        assert bench.text.text == bench.panel.pane.text() == expected
    bench.panel.undo()
    assert bench.text.text == "typed"
    for expected in (sample, "of a file", ""):
        bench.panel.redo()
        assert bench.text.text == bench.panel.pane.text() == expected


def test_typing_is_taken_back_first(bench: Bench, qtbot: QtBot) -> None:
    bench.text.set_text("first")
    bench.text.set_text("second")
    qtbot.keyClicks(bench.panel.pane, "x")
    for expected in ("second", "first"):
        keys(bench, QKeySequence.StandardKey.Undo)
        qtbot.waitUntil(lambda expected=expected: bench.text.text == expected)
    qtbot.keyClicks(bench.panel.pane, "y")
    qtbot.waitUntil(lambda: bench.text.text == "yfirst")
    keys(bench, QKeySequence.StandardKey.Redo)  # "second" was left behind by typing
    qtbot.wait(20)
    assert bench.text.text == "yfirst"


def test_a_cleaned_text_is_no_step_of_its_own(bench: Bench, qtbot: QtBot) -> None:
    keys_of = QKeySequence.StandardKey
    bench.text.set_text("typed")
    keys(bench, keys_of.SelectAll)
    bench.panel.pane.replace_selection("a\ud800b" + "x" * 60_000)
    qtbot.waitUntil(lambda: bench.text.text == "a\ufffdb" + "x" * 60_000)
    keys(bench, keys_of.Undo)
    assert bench.text.text == bench.panel.pane.text() == "typed"

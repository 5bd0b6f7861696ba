"""Finding in the text pane, going to a place, and counting its tokens."""

from __future__ import annotations

import re
from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from pytestqt.qtbot import QtBot

from bpe_studio.gui.models import long_document
from bpe_studio.gui.models.text_search import NO_TOKEN, NOT_YET
from bpe_studio.gui.widgets.frequency_view import COUNTING
from bpe_studio.gui.widgets.text_finder import COMING
from bpe_studio.gui.widgets.text_tools import TextTools
from tests.gui.test_text_panel import Bench

TEXT = "low lowest newer\nLow 你 wider low\n" * 3


@pytest.fixture(params=["editor", "reader"])
def bench(qtbot: QtBot, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Bench:
    if request.param == "reader":
        monkeypatch.setattr(long_document, "MOST_CHARACTERS", 20)
    bench = Bench(qtbot)
    bench.open_table()
    bench.text.set_text(TEXT)
    bench.wait_for_tokens()
    bench.panel.activateWindow()
    assert bench.panel.pane is getattr(bench.panel.views, request.param)
    return bench


@pytest.fixture
def tools(bench: Bench) -> TextTools:
    return bench.panel.tools


def found(bench: Bench) -> list[str]:
    """The marked places of the text."""
    spans = bench.panel.pane._painter.found
    between = bench.panel.pane.characters_between
    return [] if spans is None else [TEXT[slice(*between(*span))] for span in spans.tolist()]


def says(bench: Bench, words: str) -> None:
    bar = bench.panel.tools.finder.bar
    bench.qtbot.waitUntil(lambda: bar.count.text() == words, timeout=5_000)


def test_what_is_typed_is_found(bench: Bench, tools: TextTools, qtbot: QtBot) -> None:
    tools.begin()
    edit = tools.finder.bar.edit
    qtbot.keyClicks(edit, "low")
    says(bench, "1 of 12")
    assert found(bench) == re.findall("low|Low", TEXT)
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    says(bench, "2 of 12")
    assert bench.selection.span.start == TEXT.index("lowest")
    assert bench.panel.pane.caret_character == TEXT.index("lowest")
    for _ in range(2):
        qtbot.keyClick(edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    says(bench, "12 of 12  ·  from the end")
    tools.find_next()
    says(bench, "1 of 12  ·  from the top")
    tools.finder.bar.case.click()
    says(bench, "1 of 9")


def test_what_is_not_there_is_told(bench: Bench, tools: TextTools, qtbot: QtBot) -> None:
    tools.begin("Text", "zebra")
    says(bench, "Not in this text")
    assert tools.finder.bar.edit.property("wrong")
    tools.find_next()
    tools.begin("Id", "x")
    says(bench, "This takes a whole number, not 'x'.")
    assert found(bench) == []


def test_escape_ends_it(bench: Bench, tools: TextTools, qtbot: QtBot) -> None:
    tools.begin("Text", "low")
    says(bench, "1 of 12")
    qtbot.keyClick(tools.finder.bar.edit, Qt.Key.Key_Escape)
    assert not tools.finder.bar.isVisible()
    assert bench.panel.pane._painter.found is None
    tools.find_next()  # looks for it again
    assert tools.finder.bar.isVisible()
    says(bench, "1 of 12")
    tools.finder.bar.end()
    tools.begin()
    says(bench, "12")
    assert len(found(bench)) == 12


def test_equal_tokens_are_marked_and_walked(bench: Bench, tools: TextTools) -> None:
    layout = bench.panel.pane.token_layout()
    bench.panel.pane.walk(1)
    chosen = bench.selection.token
    count = int((layout.ids == chosen).sum())
    assert count > 1
    tools.find_equal()
    says(bench, f"1 of {count}")
    assert len(found(bench)) == count
    reached = []
    tools.tokenReached.connect(reached.append)
    tools.find_next()
    tools.find_next()
    assert [int(layout.ids[token]) for token in reached] == [chosen] * 2
    assert reached[0] != reached[1] or count == 2


def test_the_token_at_the_caret_is_meant_where_none_is_chosen(
    bench: Bench, tools: TextTools
) -> None:
    layout = bench.panel.pane.token_layout()
    bench.panel.pane.go_to(int(layout.positions[4, 0]))
    tools.find_equal()
    assert tools.finder.bar.edit.text() == str(layout.ids[4])


def test_a_place_is_gone_to(bench: Bench, tools: TextTools) -> None:
    tools.go_to_offset()
    assert tools.finder.bar.kind.currentText() == "Character"
    place = TEXT.index("wider")
    tools.begin("Character", str(place))
    bench.qtbot.waitUntil(lambda: bench.panel.pane.caret_character == place)
    tools.begin("Byte", str(len(TEXT[: place + 2].encode())))
    bench.qtbot.waitUntil(lambda: bench.panel.pane.caret_character == place + 2)
    tools.begin("Character", "1000")
    says(bench, f"The text has {len(TEXT)} characters.")


def test_tokens_are_counted_beside_the_text(bench: Bench, tools: TextTools) -> None:
    view = tools.frequencies
    assert not view.isVisible()
    tools.toggle_frequencies()
    bench.qtbot.waitUntil(lambda: view.rows is not None)
    layout = bench.panel.pane.token_layout()
    assert view.model.rowCount() == len(set(layout.ids.tolist()))
    view.table.setCurrentIndex(view.model.index(2, 0))
    assert bench.selection.token == view.rows.ids[2]
    bench.selection.select_token(int(view.rows.ids[0]))
    assert view.table.currentIndex().row() == 0
    view.filter_edit.setText("low")
    bench.qtbot.waitUntil(lambda: view.model.rowCount() < len(view.rows))
    assert " of " in view.count.text()
    view.table.activated.emit(view.model.index(0, 0))
    chosen = int(view.rows.ids[view.model.source_row(0)])
    assert tools.finder.bar.edit.text() == str(chosen)
    says(bench, f"1 of {int((layout.ids == chosen).sum())}")
    view.close_button.click()
    assert not view.isVisible()


def test_counts_follow_the_text(bench: Bench, tools: TextTools) -> None:
    tools.toggle_frequencies()
    view = tools.frequencies
    bench.qtbot.waitUntil(lambda: view.rows is not None)
    bench.text.set_text("low")
    bench.qtbot.waitUntil(lambda: view.rows is not None and view.rows.total < 4)
    bench.tables.remove(bench.tables.current)
    bench.qtbot.waitUntil(lambda: view.rows is None)
    assert "once a table" in view.count.text()


def test_marks_follow_an_edit(qtbot: QtBot) -> None:
    bench = Bench(qtbot)
    bench.text.set_text("one low two low")
    tools, pane = bench.panel.tools, bench.panel.views.editor
    tools.begin("Text", "low")
    says(bench, "1 of 2")
    pane.moveCursor(QTextCursor.MoveOperation.Start)
    qtbot.keyClicks(pane, "a ")
    assert pane._painter.found.tolist() == [[6, 9], [14, 17]]
    qtbot.keyClicks(pane, "low")
    says(bench, "3")
    assert bench.text.text.startswith("a low")


def test_a_selection_is_what_to_find(qtbot: QtBot) -> None:
    bench = Bench(qtbot)
    bench.text.set_text("one low two low")
    cursor = bench.panel.views.editor.textCursor()
    cursor.setPosition(4)
    cursor.setPosition(7, QTextCursor.MoveMode.KeepAnchor)
    bench.panel.views.editor.setTextCursor(cursor)
    bench.panel.tools.begin()
    assert bench.panel.tools.finder.bar.edit.text() == "low"
    says(bench, "1 of 2")


def test_going_on_after_an_edit_looks_again_first(bench: Bench, tools: TextTools) -> None:
    """What was found before is of tokens that are there no more."""
    bench.panel.pane.walk(1)
    tools.find_equal()
    count = tools.finder.bar.count
    bench.qtbot.waitUntil(lambda: count.text().startswith("1 of"))
    tools.find_previous()
    before = len(tools.finder._hits)
    tools.finder._again.setInterval(60_000)  # the user is quicker
    bench.text.set_text("low lowest " * 20)
    bench.wait_for_tokens()
    tools.find_next()
    layout, token = bench.panel.pane.token_layout(), int(tools.finder.bar.edit.text())
    after = int((layout.ids == token).sum())
    assert after > before
    bench.qtbot.waitUntil(lambda: count.text().endswith(f" of {after}"))


def test_what_is_found_and_where_one_goes_are_two_questions(
    bench: Bench, tools: TextTools, qtbot: QtBot
) -> None:
    bar = tools.finder.bar
    low = int(bench.panel.pane.token_layout().ids[0])
    tools.begin("Id", str(low))
    qtbot.waitUntil(lambda: bar.count.text().startswith("1 of"))
    bar.end()
    tools.go_to_offset()
    assert (bar.kind.currentText(), bar.edit.text()) == ("Character", "")
    qtbot.keyClicks(bar.edit, "20")
    qtbot.keyClick(bar.edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bench.panel.pane.caret_character == 20)
    asked = []
    bar.asked.connect(asked.append)
    bench.panel.pane.set_selected_id(None)
    tools.begin()
    qtbot.wait(300)
    assert (bar.kind.currentText(), bar.edit.text()) == ("Id", str(low))
    assert not asked and bench.panel.pane.caret_character == 20
    assert len(found(bench)) > 1
    tools.go_to_offset()
    assert (bar.kind.currentText(), bar.edit.text()) == ("Character", "20")


def test_escape_leaves_what_was_found_selected(
    bench: Bench, tools: TextTools, qtbot: QtBot
) -> None:
    tools.begin("Text", "lowest")
    says(bench, "1 of 3")
    tools.find_next()
    qtbot.keyClick(tools.finder.bar.edit, Qt.Key.Key_Escape)
    pane = bench.panel.pane
    assert pane.selected_text() == "lowest"
    assert pane.caret_character == TEXT.index("lowest", 10)
    assert bench.panel.focusWidget() is pane


def test_escape_stays_where_one_has_gone_since(
    bench: Bench, tools: TextTools, qtbot: QtBot
) -> None:
    tools.begin("Text", "lowest")
    says(bench, "1 of 3")
    bench.panel.pane.go_to(2)
    tools.finder.bar.end()
    assert bench.panel.pane.selected_text() == ""
    assert bench.panel.pane.caret_character == 2


def test_a_token_of_a_larger_size_is_told_apart(bench: Bench, tools: TextTools) -> None:
    last = int(bench.tables.current.tokenizer.table.merges[-1, 2])
    bench.panel._size.set_merges(2)
    bench.wait_for_tokens()
    tools.begin("Id", str(last))
    says(bench, NOT_YET)
    tools.begin("Id", "99999")
    says(bench, NO_TOKEN)


def test_tokens_on_their_way_are_waited_for(qtbot: QtBot) -> None:
    bench, ready = Bench(qtbot), Event()
    bench.open_table()
    bench.wait_for_tokens()
    tools = bench.panel.tools
    tools.toggle_frequencies()
    bench.panel._worker._kernels_ready = ready
    bench.text.set_text("low lowest")
    bench.tables.currentChanged.emit(bench.tables.current)
    tools.begin("Token", "low")
    says(bench, COMING)
    assert tools.finder.bar.count.property("role") == "muted"
    qtbot.waitUntil(lambda: tools.frequencies.count.text() == COUNTING)
    ready.set()
    says(bench, "1 of 1")
    qtbot.waitUntil(lambda: "places" in tools.frequencies.count.text())


def test_counts_of_before_say_that_others_are_coming(bench: Bench, tools: TextTools) -> None:
    tools.toggle_frequencies()
    view = tools.frequencies
    bench.qtbot.waitUntil(lambda: "places" in view.count.text())
    view.filter_edit.setFocus()
    tools.frequencies.expect()
    bench.qtbot.waitUntil(lambda: view.count.text() == COUNTING)
    assert not view.table.isEnabled() and view.rows is not None
    bench.panel._tell_figures(bench.panel.pane.token_layout())
    bench.qtbot.waitUntil(lambda: "places" in view.count.text())
    assert view.table.isEnabled()


def test_another_text_is_counted_from_the_top(bench: Bench, tools: TextTools) -> None:
    tools.toggle_frequencies()
    view = tools.frequencies
    bench.text.set_text(" ".join(map(chr, range(0x100, 0x200))))
    bench.qtbot.waitUntil(lambda: view.rows is not None and len(view.rows) > 60)
    bench.selection.select_token(int(view.rows.ids[-1]))
    assert view.table.verticalScrollBar().value() > 0
    bench.text.set_text(" ".join(map(chr, range(0x100, 0x201))))
    bench.qtbot.waitUntil(lambda: view.rows is None)
    bench.qtbot.waitUntil(lambda: view.rows is not None)
    assert view.table.verticalScrollBar().value() == 0

"""Notes of a reader, as long as their table is shown."""

from __future__ import annotations

from dataclasses import replace

from pytestqt.qtbot import QtBot

from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.widgets.notes_bar import NotesBar
from tests.gui.small_tables import small_tokenizer

PLAIN = replace(small_tokenizer(), training=None)
NOTED = replace(PLAIN, notes=("First.", "Second.", "Third."))
VIEWED = replace(PLAIN, view_only="It cannot encode.", notes=("A note.",))


def test_notes_come_and_go_with_their_table(qtbot: QtBot) -> None:
    tables = OpenTables()
    bar = NotesBar(tables)
    qtbot.addWidget(bar)
    assert bar.isHidden() and bar.hidden_notes == 0
    noted = tables.add(OpenTable(tokenizer=NOTED, name="a"))
    assert not bar.isHidden() and bar.first.text() == "First."
    assert bar.more_button.text() == "2 more notes" and bar.scroll.isHidden()
    bar.more_button.click()
    assert not bar.scroll.isHidden() and bar.others.text() == "Second.\nThird."
    assert bar.more_button.text() == "Only the first"
    tables.add(OpenTable(tokenizer=PLAIN, name="b"))
    assert bar.isHidden() and bar.hidden_notes == 0
    tables.set_current(noted)
    assert not bar.isHidden()


def test_closed_notes_can_be_had_again(qtbot: QtBot) -> None:
    tables = OpenTables()
    bar = NotesBar(tables)
    qtbot.addWidget(bar)
    noted = tables.add(OpenTable(tokenizer=NOTED, name="a"))
    bar.close_button.click()
    assert bar.isHidden() and bar.hidden_notes == 3
    tables.add(OpenTable(tokenizer=VIEWED, name="b"))
    assert bar.first.text() == "It cannot encode." and bar.more_button.text() == "1 more note"
    tables.set_current(noted)
    assert bar.isHidden()
    bar.reopen()
    assert not bar.isHidden() and bar.first.text() == "First."

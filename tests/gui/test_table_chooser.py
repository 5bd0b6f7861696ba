"""The chooser follows the list of open tables."""

from __future__ import annotations

from PySide6.QtGui import QFontMetrics
from pytestqt.qtbot import QtBot

from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.widgets.table_chooser import TableChooser, elided
from tests.gui.small_tables import small_tokenizer


def add(tables: OpenTables, name: str) -> OpenTable:
    return tables.add(OpenTable(tokenizer=small_tokenizer(), name=name))


def test_it_follows_and_sets_the_current_table(qtbot: QtBot) -> None:
    tables = OpenTables()
    chooser = TableChooser(tables=tables, name="Table")
    qtbot.addWidget(chooser)
    assert not chooser.isEnabled()
    a, b = add(tables, "a"), add(tables, "b")
    assert chooser.currentText() == "b" and chooser.chosen is b
    chooser.setCurrentIndex(0)
    chooser.activated.emit(0)
    assert tables.current is a
    tables.remove(a)
    assert chooser.chosen is b


def test_one_of_its_own_stays_until_its_table_goes(qtbot: QtBot) -> None:
    tables = OpenTables()
    chooser = TableChooser(tables=tables, name="A", follows_current=False)
    qtbot.addWidget(chooser)
    a, b = add(tables, "a"), add(tables, "b")
    chooser.choose(a)
    tables.set_current(b)
    assert chooser.chosen is a
    with qtbot.waitSignal(chooser.tableChosen):
        tables.remove(a)
    assert chooser.chosen is b


def test_unsaved_tables_are_marked(qtbot: QtBot) -> None:
    tables = OpenTables()
    chooser = TableChooser(tables=tables, name="Table")
    qtbot.addWidget(chooser)
    table = add(tables, "a")
    tables.set_tokenizer(table, small_tokenizer(merges=2))
    assert chooser.currentText() == "a ●"


def test_a_long_name_keeps_its_ends_and_its_mark(qtbot: QtBot) -> None:
    tables = OpenTables()
    chooser = TableChooser(tables=tables, name="Table")
    qtbot.addWidget(chooser)
    name = "a-very-long-name-of-a-table-32k"
    tables.set_tokenizer(add(tables, name), small_tokenizer(merges=2))
    metrics = QFontMetrics(chooser.font())
    shown = elided(f"{name} ●", metrics, metrics.horizontalAdvance(name) // 2)
    assert shown.startswith("a-") and shown.endswith("k ●") and "…" in shown
    assert elided("a ●", metrics, 200) == "a ●"
    assert name in chooser.toolTip()
    chooser.show()
    assert not chooser.grab().isNull()


def test_it_makes_do_with_little_room(qtbot: QtBot) -> None:
    made = TableChooser(tables=OpenTables(), name="Table")
    qtbot.addWidget(made)
    assert made.minimumSizeHint().width() < made.sizeHint().width() - 40

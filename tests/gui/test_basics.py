"""The small parts of panels."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QStringListModel, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QHeaderView, QLabel, QTableView
from pytestqt.qtbot import QtBot

from bpe_studio.gui import theme
from bpe_studio.gui.widgets.basics import (
    BREAK,
    Button,
    EmptyState,
    FilterEdit,
    IconButton,
    SectionHeader,
    breakable,
    label,
    row_height,
    set_role,
    set_up_table,
)


def test_labels_never_read_markup(qtbot: QtBot) -> None:
    for made in (label("<b>x</b>"), SectionHeader("<b>x</b>")):
        qtbot.addWidget(made)
        assert made.textFormat() == Qt.TextFormat.PlainText and made.text() == "<b>x</b>"


def test_buttons_have_names_and_icons_that_follow_the_theme(
    qtbot: QtBot, qapp: QApplication
) -> None:
    plain, icon = Button("Start", icon="play", look="primary"), IconButton("close", "Close")
    for made in (plain, icon):
        qtbot.addWidget(made)
        assert made.accessibleName()
    theme.apply(qapp, "light")
    plain.show()
    light = plain.icon().pixmap(16, 16).toImage()
    theme.apply(qapp, "dark")
    assert plain.icon().pixmap(16, 16).toImage() != light
    theme.apply(qapp, "light")


def test_an_empty_state_offers_one_action(qtbot: QtBot) -> None:
    empty = EmptyState("Shows merges.", action="Train")
    qtbot.addWidget(empty)
    empty.show()
    with qtbot.waitSignal(empty.asked):
        empty.button.click()
    assert empty.other_button.isHidden()
    empty.set_text("Shows merges.", action="Train", other="Open an example")
    with qtbot.waitSignal(empty.otherAsked):
        empty.other_button.click()
    empty.set_text("Nothing to do.")
    assert empty.other_button.isHidden()
    assert not empty.button.isVisible() and empty.sentence.text() == "Nothing to do."


def test_a_filter_tells_once_after_typing(qtbot: QtBot) -> None:
    edit = FilterEdit("Filter")
    qtbot.addWidget(edit)
    told: list[str] = []
    edit.filterChanged.connect(told.append)
    qtbot.keyClicks(edit, "low")
    qtbot.waitUntil(lambda: bool(told))
    assert told == ["low"]
    qtbot.keyClick(edit, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: len(told) == 2)
    assert told[-1] == "" and edit.text() == ""


def test_tables_have_rows_of_one_height(qtbot: QtBot) -> None:
    view = QTableView()
    qtbot.addWidget(view)
    view.setModel(QStringListModel(["a", "b"]))
    set_up_table(view, (10,))
    assert view.rowHeight(0) == view.rowHeight(1) == row_height(view)
    assert row_height(view) % theme.GRID == 0
    assert view.verticalHeader().sectionResizeMode(0) == QHeaderView.ResizeMode.Fixed


def test_roles_are_properties(qtbot: QtBot) -> None:
    made = label("x")
    qtbot.addWidget(made)
    set_role(made, "role", "danger")
    assert made.property("role") == "danger"


def test_a_wrapping_label_breaks_long_words_and_copies_none(qtbot: QtBot) -> None:
    path = "/home/someone/" + "folder" * 20
    wrapped, plain = label(path, wrap=True), label(path)
    for made in (wrapped, plain):
        qtbot.addWidget(made)
        made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    assert wrapped.minimumSizeHint().width() < plain.minimumSizeHint().width() / 4
    assert wrapped.text() == path
    wrapped.setSelection(0, len(QLabel.text(wrapped)))
    wrapped.copy()
    assert QGuiApplication.clipboard().text() == path


@pytest.mark.parametrize("name", ["my-finetuned-tokenizer.json:", "a-name-of-28-letters.tiktoken"])
def test_names_of_files_stay_whole_where_a_folder_can_end(name: str) -> None:
    folder = "/somewhere/models--org--tiny/snapshots/"
    assert breakable(folder + name).split(BREAK)[-1] == name
    assert breakable(name) == name
    assert max(map(len, breakable(f"/{'x' * 99}.json").split(BREAK))) <= 32

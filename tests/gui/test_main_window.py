"""The whole window: places, wires, one training from end to end."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

import bpe_studio
from bpe_studio import api, formats
from bpe_studio.formats.apart import process
from bpe_studio.gui.app import make_window
from bpe_studio.gui.closing import Closing
from bpe_studio.gui.main_window import MainWindow
from bpe_studio.gui.models.pass_progress import PassStep
from bpe_studio.gui.state.open_tables import OpenTable
from bpe_studio.gui.state.settings_store import SettingsStore
from tests.gui.small_tables import small_tokenizer

TEXT = "low low lower lowest newer newest wider widest the then there this that " * 40


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    made = make_window(SettingsStore(tmp_path / "settings"))
    made.kernels.skip()
    made.resize(1280, 800)
    made.show()
    yield made
    made.closing.end_all(made, made.training, made.corpus, made.kernels)
    made.closing.settle()
    made.close()
    made.deleteLater()


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "a.txt").write_text(TEXT, encoding="utf-8")
    (folder / "b.txt").write_text("naïve café 世界 " * 30, encoding="utf-8")
    return folder


def train(qtbot: QtBot, window: MainWindow, corpus: Path, vocab_size: int = 300) -> None:
    window.corpus.add([corpus])
    qtbot.waitUntil(lambda: window.corpus.corpus is not None)
    window.training_panel.form.vocab_size.setValue(vocab_size)
    window.menus["start"].trigger()
    assert window.training.running
    qtbot.waitUntil(lambda: not window.training.running, timeout=120_000)


def add_table(window: MainWindow, *, dirty: bool = False) -> OpenTable:
    made = replace(small_tokenizer(), training=None)
    return window.tables.add(OpenTable(tokenizer=made, name="small", dirty=dirty))


def test_a_training_saves_the_bytes_of_the_command_line(
    qtbot: QtBot, window: MainWindow, corpus: Path, tmp_path: Path
) -> None:
    train(qtbot, window, corpus)
    assert window.training.phase == "done" and window.notice.isHidden()
    table = window.tables.current
    assert table is not None and window.isWindowModified()
    assert window.merges.model.rowCount() == len(table.tokenizer.table.merges) > 0
    path = tmp_path / "window.json"
    window.saving.save_to(table, path)
    qtbot.waitUntil(path.exists)
    qtbot.waitUntil(lambda: not table.dirty)
    assert not window.isWindowModified() and window.windowTitle() == "window[*]"
    other = tmp_path / "command.json"
    bpe_studio.save(bpe_studio.train([corpus], vocab_size=300), other)
    assert path.read_bytes() == other.read_bytes()


def test_stop_step_continue_give_the_same_table(
    qtbot: QtBot, window: MainWindow, corpus: Path
) -> None:
    window.corpus.add([corpus])
    qtbot.waitUntil(lambda: window.corpus.corpus is not None)
    window.training_panel.form.vocab_size.setValue(300)
    for _ in range(3):
        window.menus["step"].trigger()
        qtbot.waitUntil(lambda: not window.training.running, timeout=120_000)
    assert window.merges.model.rowCount() == 3 and len(window.tables) == 1
    window.menus["continue"].trigger()
    qtbot.waitUntil(lambda: not window.training.running, timeout=60_000)
    made = window.tables.current.tokenizer
    assert made.merges == bpe_studio.train([corpus], vocab_size=300).merges


def test_selecting_anywhere_selects_everywhere(qtbot: QtBot, window: MainWindow) -> None:
    add_table(window)
    window.text.set_text("the lowest")
    window.merges.select_rank(3)
    token = window.selection.token
    assert token == small_tokenizer().table.merges[3, 2]
    window.selection.select_token(int(small_tokenizer().table.merges[9, 2]))
    assert window.merges.table.currentIndex().row() == 9
    add_table(window)
    assert window.selection.token is None


def test_files_open_as_what_they_are(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    table, text = tmp_path / "tok.json", tmp_path / "a.txt"
    api.save(bpe_studio.train([_written(tmp_path)], vocab_size=270), table)
    text.write_text("the lowest")
    window.open([table, text])
    qtbot.waitUntil(lambda: len(window.tables) == 1 and window.text.text == "the lowest")
    assert window.tables.current.path == table and not window.isWindowModified()
    assert window.store.recent()[0] == table
    window.open([table])
    qtbot.wait(50)
    assert len(window.tables) == 1  # it is open already


def test_empty_panels_open_an_example(qtbot: QtBot, window: MainWindow) -> None:
    for panel in (window.merges, window.curve, window.text_panel):
        assert panel.empty.other_button.text() == "Open an example"
    window.text_panel.empty.other_button.click()
    qtbot.waitUntil(lambda: len(window.tables) == 1)
    assert window.tables.current.name == "stdlib-8k" and window.text.text
    window.text.set_text("")
    assert not window.text_panel.empty.other_button.isVisible()  # there is a table now
    names = [action.text().split(":")[0] for action in window.menus.menus["Open example"].actions()]
    assert names == list(formats.table_names())
    window.menus.menus["Open example"].actions()[-1].trigger()
    qtbot.waitUntil(lambda: len(window.tables) == 2)
    assert window.tables.current.name == names[-1]


def _written(folder: Path) -> Path:
    path = folder / "corpus.txt"
    path.write_text(TEXT)
    return path


def test_a_damaged_table_is_a_quiet_line(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_text('{"format": 3')
    window.open([path])
    qtbot.waitUntil(window.errors.isVisible)
    assert "bad.json" in window.errors.sentences[0] and len(window.tables) == 0
    window.files.open_example("worked-example")
    qtbot.waitUntil(lambda: len(window.tables) == 1)
    assert len(window.errors.sentences) == 1  # another file is no news of this one
    api.save(replace(small_tokenizer(), training=None), path)
    window.open([path])
    qtbot.waitUntil(lambda: len(window.tables) == 2)
    assert window.errors.isHidden()  # it is over


def test_several_damaged_files_are_all_told(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    paths = [tmp_path / name for name in ("bad1.json", "good1.json", "bad2.json", "good2.json")]
    for path in paths:
        if path.name.startswith("bad"):
            path.write_text('{"format": 3')
        else:
            api.save(replace(small_tokenizer(), training=None), path)
    window.open(paths)
    opening = window.files.opening
    # Four processes, one after another, on a machine that may be busy.
    qtbot.waitUntil(lambda: len(window.tables) == 2 and not opening.running, timeout=60_000)
    told = window.errors.sentences
    assert len(told) == 2 and "bad1.json" in told[0] and "bad2.json" in told[1]
    assert window.errors.isVisible() and window.errors.count.text() == "2 errors"
    window.errors.clear_button.click()
    assert window.errors.isHidden()


def drop(window: MainWindow, *paths: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    keys, button = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton
    window.dropEvent(QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, button, keys))


def test_drops(qtbot: QtBot, window: MainWindow, corpus: Path, tmp_path: Path) -> None:
    drop(window, corpus / "a.txt")
    qtbot.waitUntil(lambda: window.text.text == TEXT)
    drop(window, corpus / "a.txt", corpus / "b.txt")
    qtbot.waitUntil(lambda: window.corpus.roots == (corpus / "a.txt", corpus / "b.txt"))
    drop(window, corpus)
    qtbot.waitUntil(lambda: window.corpus.roots[-1] == corpus)


def test_esc_asks_once_and_enter_stops(
    qtbot: QtBot, window: MainWindow, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.kernels.ready.clear()  # so that it runs until it is stopped
    window.corpus.add([corpus])
    qtbot.waitUntil(lambda: window.corpus.corpus is not None)
    window.menus["start"].trigger()
    window.menus["stop"].trigger()
    assert window.notice.asking and window.training.running
    window.menus["stop"].trigger()
    assert not window.notice.asking and window.training.running
    window.menus["stop"].trigger()
    qtbot.keyClick(window.notice, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not window.training.running)


def test_ctrl_f_goes_to_the_filter_of_the_panel_with_the_keyboard(
    qtbot: QtBot, window: MainWindow
) -> None:
    add_table(window)
    window.activateWindow()
    window.menus["find"].trigger()
    assert window.focusWidget() is window.merges.filter_edit
    window.show_panel(window.text_panel)
    window.menus["find"].trigger()
    assert window.focusWidget() is window.text_panel.tools.finder.bar.edit
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Escape)  # not the window's Stop
    assert window.focusWidget() is window.text_panel.pane
    window.tabs.setCurrentWidget(window.compare)
    window.menus["frequencies"].trigger()
    assert window.tabs.currentWidget() is window.text_panel
    assert window.focusWidget() is window.text_panel.tools.frequencies.filter_edit
    window.menus["find"].trigger()
    assert window.focusWidget() is window.text_panel.tools.frequencies.filter_edit
    for name in ("offset", "find_equal", "find_next", "find_previous"):
        window.menus[name].trigger()
    assert window.text_panel.tools.finder.bar.isVisible()
    window.menus["show_3"].trigger()
    assert window.tabs.currentWidget() is window.compare
    window.docks[window.merges].hide()
    window.menus["rank"].trigger()
    assert window.docks[window.merges].isVisible()
    assert window.focusWidget() is window.merges.rank_edit


def test_closing_with_unsaved_tables_asks(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    table = add_table(window, dirty=True)
    answers = iter(["cancel", "save"])
    monkeypatch.setattr(window.saving, "_ask_to_save", lambda tables: next(answers))
    assert not window.close() and window.isVisible()
    table.path = tmp_path / "small.json"
    assert not window.close()  # it is being saved
    qtbot.waitUntil(lambda: not window.isVisible())
    assert table.path.exists() and not table.dirty


def test_closing_during_training_stops_saves_and_waits(
    qtbot: QtBot, window: MainWindow, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Closing, "_ask_to_stop", lambda self: True)
    monkeypatch.setattr(window.saving, "_ask_to_save", lambda tables: "discard")
    window.kernels.ready.clear()
    window.corpus.add([corpus])
    qtbot.waitUntil(lambda: window.corpus.corpus is not None)
    window.menus["start"].trigger()
    assert not window.close()
    qtbot.waitUntil(lambda: not window.isVisible())
    assert not window.training.running


def test_layout_and_settings_come_back(qtbot: QtBot, tmp_path: Path) -> None:
    for visible in (True, False):
        window = make_window(SettingsStore(tmp_path))
        qtbot.addWidget(window)
        window.kernels.skip()
        window.show()
        dock = window.docks[window.curve]
        assert dock.isVisible() is visible
        dock.hide()
        window.training_panel.form.vocab_size.setValue(4321)
        window.close()
    window = make_window(SettingsStore(tmp_path))
    qtbot.addWidget(window)
    assert window.training_panel.form.vocab_size.value() == 4321
    window.show()
    window.menus["reset_layout"].trigger()
    assert window.docks[window.curve].isVisible()


def test_damaged_layouts_are_passed_over(qtbot: QtBot, tmp_path: Path) -> None:
    store = SettingsStore(tmp_path)
    store.set("layout", "not base64 ü")
    store.set("geometry", "AAAA")
    store.set("training", {"vocab_size": []})
    window = make_window(store)
    qtbot.addWidget(window)
    window.show()
    assert all(dock.isVisible() for dock in window.docks.values())


def test_themes_change_while_it_runs(window: MainWindow, qapp: QApplication) -> None:
    window.menus["theme_dark"].trigger()
    assert window.store.get("theme", "") == "dark" and qapp.property("themeName") == "dark"
    window.menus["theme_light"].trigger()


def test_every_control_has_an_accessible_name(window: MainWindow) -> None:
    add_table(window)
    for kind in (QAbstractButton, QComboBox, QLineEdit):
        for widget in window.findChildren(kind):
            if widget.objectName().startswith("qt_") or _is_part(widget):
                continue
            named = widget.accessibleName() or getattr(widget, "text", str)()
            assert named, (widget, widget.parentWidget(), widget.parentWidget().parentWidget())


def _is_part(widget: QWidget) -> bool:
    """Whether Qt made it inside a widget of its own, such as the corner of a table."""
    return type(widget).__name__ in ("QAbstractButton", "CloseButton")


def test_every_action_has_a_key_or_a_place_in_a_menu(window: MainWindow) -> None:
    keys = [keys for _, _, keys in window.menus.shortcuts()]
    assert len(keys) == len(set(keys)) and len(keys) >= 18
    letters = [menu.title() for menu in (a.menu() for a in window.menuBar().actions()) if menu]
    assert letters == [
        "&File",
        "&Edit",
        "&View",
        "&Tokenizer",
        "&Lesson",
        "&Compare",
        "He&alth",
        "&Help",
    ]


def test_an_opened_table_is_continued_as_a_new_one(
    qtbot: QtBot, window: MainWindow, corpus: Path, tmp_path: Path
) -> None:
    api.save(bpe_studio.train([corpus], vocab_size=270, pattern="gpt2"), tmp_path / "mytok.json")
    window.open([tmp_path / "mytok.json"])
    qtbot.waitUntil(lambda: len(window.tables) == 1)
    assert not window.menus["continue"].isEnabled()
    panel = window.training_panel
    panel.form.vocab_size.setValue(270)
    window.corpus.add([corpus])
    qtbot.waitUntil(lambda: panel.offer_words.isVisible())
    assert "more than its 270 tokens" in panel.offer_words.text()
    assert not panel.continue_button.isEnabled()
    panel.form.vocab_size.setValue(300)
    qtbot.waitUntil(window.menus["continue"].isEnabled)
    assert "300 tokens, as a new table" in panel.offer_words.text()
    window.menus["step"].trigger()
    assert panel.form.pattern.currentData() == "gpt2" and not panel.form.isEnabled()
    qtbot.waitUntil(lambda: not window.training.running, timeout=60_000)
    assert panel.form.pattern.currentData() == "classic"
    first, made = window.tables.tables
    assert made.name == "mytok → 271" and made.dirty and first.path is not None
    assert made.tokenizer.vocab_size == 271 and window.merges.model.rowCount() == 9
    panel.continue_button.click()
    qtbot.waitUntil(lambda: not window.training.running, timeout=60_000)
    assert len(window.tables) == 2 and made.tokenizer.vocab_size == 300
    assert made.name == "mytok → 300"
    whole = bpe_studio.train([corpus], vocab_size=300, pattern="gpt2")
    assert made.tokenizer.merges == whole.merges
    assert window.curve.curve is not None and len(window.curve.curve) == len(whole.merges) + 1


def test_recent_files_can_be_opened_after_a_save(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    recent, menu = window.menus.menus["Open recent"], window.menus.menus["File"]
    assert not recent.isEnabled()
    window.saving.save_to(add_table(window, dirty=True), tmp_path / "mine.json")
    qtbot.waitUntil(lambda: bool(window.store.recent()))
    menu.aboutToShow.emit()
    assert recent.isEnabled() and "mine.json" in recent.actions()[0].text()


def test_tab_goes_from_left_to_right(qtbot: QtBot, window: MainWindow) -> None:
    add_table(window)
    window.activateWindow()
    window.training_panel.start_button.setFocus()
    walked: list[QWidget] = []
    for _ in range(40):
        window.focusNextPrevChild(True)
        walked.append(window.focusWidget())
    pane = window.text_panel
    first = [walked.index(part) for part in (pane.chooser, pane.whitespace, pane.pane)]
    then = [walked.index(part) for part in (window.merges.filter_edit, window.merges.table)]
    assert first == sorted(first) and then == sorted(then) and first[-1] < then[0]


def test_tab_comes_to_every_part_and_space_starts_no_training_at_first(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.activateWindow()
    qtbot.waitUntil(lambda: window.focusWidget() is not None)
    assert window.training_panel.isAncestorOf(window.focusWidget())
    assert window.focusWidget() is not window.training_panel.start_button
    parts = (window.training_panel, window.tabs.tabBar(), window.text_panel, window.merges)
    walked: list[QWidget] = []
    for _ in range(60):
        window.focusNextPrevChild(True)
        walked += [part for part in parts if _holds(part, window.focusWidget())]
    assert list(dict.fromkeys(walked)) == list(parts)


def _holds(part: QWidget, widget: QWidget) -> bool:
    return part is widget or part.isAncestorOf(widget)


def test_the_view_menu_ticks_what_is_open(window: MainWindow) -> None:
    number = {panel: f"show_{place}" for place, panel in enumerate(window.panels, start=1)}
    window.docks[window.curve].hide()
    window.menus["show_3"].trigger()
    window.menus.menus["View"].aboutToShow.emit()
    ticked = {panel for panel, name in number.items() if window.menus[name].isChecked()}
    assert ticked == {window.compare, window.training_panel, window.merges, window.explain}
    window.menus[number[window.merges]].trigger()  # a second time brings it forward, no more
    assert (
        window.docks[window.merges].isVisible() and window.menus[number[window.merges]].isChecked()
    )


def test_edit_does_what_the_keys_do(qtbot: QtBot, window: MainWindow) -> None:
    add_table(window)
    window.activateWindow()
    window.text.set_text("the lowest")
    window.show_panel(window.text_panel)
    for name in ("selectAll", "cut", "undo"):
        window.menus[name].trigger()
    assert window.text_panel.pane.text() == "the lowest"
    assert QApplication.clipboard().text() == "the lowest"
    window.merges.select_rank(3)
    window.merges.table.setFocus()
    window.menus["copy"].trigger()
    assert QApplication.clipboard().text().startswith("3\t")
    listed = [text for _, text, _ in window.menus.shortcuts()]
    assert "Undo" in listed and len(listed) == len(set(listed))


def test_a_cancelled_opening_is_told_and_its_button_keeps_its_place(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sleeper = [sys.executable, "-c", "import time; time.sleep(60)"]
    monkeypatch.setattr(process, "_command", lambda module, flag: sleeper)
    path = tmp_path / "large.json"
    api.save(replace(small_tokenizer(), training=None), path)
    window.files.open_table(path)
    button = window.status.opening_view.cancel_button
    qtbot.waitUntil(button.isVisible)
    qtbot.wait(20)  # the bar is laid out
    place = button.mapTo(window, QPoint())
    add_table(window).name = "a table with a name that is rather long"
    window.tables.changed.emit()
    qtbot.wait(20)
    assert button.mapTo(window, QPoint()) == place
    button.click()
    assert window.statusBar().currentMessage() == "Opening large.json was cancelled."
    qtbot.waitUntil(lambda: not window.files.opening.running)


def test_the_window_fits_a_small_screen(qtbot: QtBot, window: MainWindow) -> None:
    for name in ("a.json", "b.json", "c.json"):
        window.errors.tell(f"/somewhere/{name}: line 2, column 1: it ends in the middle.", name)
    add_table(window)
    qtbot.wait(20)
    least = window.minimumSizeHint()
    assert least.width() <= 1024 and least.height() <= 700


def test_the_lesson_is_in_a_menu_with_keys(window: MainWindow, qtbot: QtBot) -> None:
    assert ("Lesson", "Merge the marked pair", "Space or Right") in window.menus.shortcuts()
    window.menus["lesson_merge"].trigger()
    assert window.tabs.currentWidget() is window.lesson and window.lesson.run.place == 1
    assert window.lesson.stage.cells.hasFocus()
    window.menus["lesson_play"].trigger()
    assert window.lesson.run.playing
    window.menus["stop"].trigger()
    assert not window.lesson.run.playing
    window.menus["lesson_back"].trigger()
    assert window.lesson.run.place == 0
    window.menus["lesson_page_2"].trigger()
    assert window.lesson.pages.currentWidget() is window.lesson.traps
    window.lesson.run.run_to(2)
    window.menus["lesson_open"].trigger()
    assert window.tables.current.name == "lesson-264"
    window.tables.current.dirty = False  # so that closing asks nothing


def test_esc_ends_a_check_of_health(window: MainWindow, qtbot: QtBot) -> None:
    add_table(window)
    window.show_panel(window.health)
    qtbot.waitUntil(lambda: not window.health.running and window.health.checked is not None)
    assert not window.menus["stop"].isEnabled()  # the key is for others
    alone, gate = window.health.checked, Event()
    window.health.run(window.tables.current, _held(gate))
    window.menus["stop"].trigger()
    qtbot.waitUntil(lambda: not window.health.running)
    assert window.health.checked is alone and not window.menus["stop"].isEnabled()


@pytest.mark.parametrize("place", ["kinds", "flags", "filter", "source"])
def test_esc_ends_a_check_wherever_the_keyboard_is(
    window: MainWindow, qtbot: QtBot, place: str
) -> None:
    add_table(window)
    panel = window.health
    window.show_panel(panel)
    qtbot.waitUntil(lambda: not panel.running and panel.checked is not None)
    focused = {
        "kinds": panel.pages.kinds,
        "flags": panel.pages.table.view,
        "filter": panel.pages.table.filter_edit,
        "source": panel.head.source.combo,
    }[place]
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    focused.setFocus()
    window.notice.ask("Compare?", "Compare", lambda: None, focus=False)
    panel.run(window.tables.current, _held(Event()))
    qtbot.keyClick(focused, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not panel.running)
    assert window.notice.asking  # what runs is ended first
    qtbot.keyClick(focused, Qt.Key.Key_Escape)


def test_without_a_table_nothing_of_health_can_be_asked_for(
    window: MainWindow, qtbot: QtBot
) -> None:
    names = [name for name in window.menus.actions if name.startswith("health_")]
    able = [name for name in names if window.menus[name].isEnabled()]
    assert able == ["health_thresholds"]
    add_table(window)
    assert window.menus["health_check"].isEnabled()
    assert not window.menus["health_report"].isEnabled()  # nothing is checked yet
    window.show_panel(window.health)
    qtbot.waitUntil(lambda: window.menus["health_report"].isEnabled())
    assert not window.menus["health_save_use"].isEnabled()


def test_the_window_goes_at_once_when_it_is_closed(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    end_all = window.closing.end_all

    def ended(*owners: object) -> bool:
        seen.append(window.isVisible())
        return end_all(*owners)

    monkeypatch.setattr(window.closing, "end_all", ended)
    window.close()
    assert seen == [False]


def _held(gate: Event) -> Iterator[PassStep]:
    while not gate.wait(0.005):
        yield PassStep("Waiting", 0, 0)


def test_only_the_views(window: MainWindow) -> None:
    window.docks[window.curve].hide()
    window.menus["only_views"].trigger()
    assert not any(dock.isVisible() for dock in window.docks.values())
    window.menus["only_views"].trigger()
    shown = [panel for panel, dock in window.docks.items() if dock.isVisible()]
    assert shown == [panel for panel in window.docks if panel is not window.curve]
    window.menus["only_views"].trigger()
    window.menus["reset_layout"].trigger()
    assert all(dock.isVisible() for dock in window.docks.values())
    assert not window.menus["only_views"].isChecked()


def test_docks_that_are_put_away_are_there_next_time(window: MainWindow) -> None:
    window.menus["only_views"].trigger()
    window.layout_of_docks.remember()
    assert all(dock.isVisible() for dock in window.docks.values())


def test_the_same_words_are_asked_of_two_tables(qtbot: QtBot, window: MainWindow) -> None:
    add_table(window)
    window.text.set_text("the lowest")
    window.selection.select_span("the lowest", 4, 10)
    qtbot.waitUntil(lambda: window.explain.story is not None, timeout=60_000)
    other = replace(small_tokenizer(merges=6), training=None)
    window.tables.add(OpenTable(tokenizer=other, name="other"))
    qtbot.waitUntil(
        lambda: window.explain.story is not None and window.explain.story.tokenizer is other,
        timeout=60_000,
    )
    assert (window.explain.story.start, window.explain.story.end) == (4, 10)
    for table in list(window.tables):
        window.tables.remove(table)
    assert window.selection.span is None


@pytest.mark.parametrize("title", ["View", "Theme", "Explanation"])
def test_every_line_of_the_view_menu_has_a_letter_of_its_own(
    window: MainWindow, title: str
) -> None:
    actions = window.menus.menus[title].actions()
    words = [action.text().replace("&&", "") for action in actions if not action.isSeparator()]
    letters = [text[text.find("&") + 1].lower() for text in words]
    assert all("&" in text for text in words)
    assert len(set(letters)) == len(letters)

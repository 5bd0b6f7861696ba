"""The Lesson panel: keys, buttons, pages, and what it leaves."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from bpe_studio.bpe.lesson import TOY_CORPUS, Lesson
from bpe_studio.bpe.lesson_table import tokenizer_of
from bpe_studio.gui.panels.lesson_panel import LessonPanel
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.selection import Selection
from bpe_studio.reports.lesson import lesson_lines, next_words
from tests.gui.small_tables import small_tokenizer

KEYS = Qt.Key


class Bench:
    """A panel with its states."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.tables, self.selection = OpenTables(), Selection()
        self.panel = LessonPanel(tables=self.tables, selection=self.selection)
        qtbot.addWidget(self.panel)
        self.panel.resize(640, 520)
        self.panel.show()
        self.panel.pane.setFocus()

    def press(self, *keys: Qt.Key) -> None:
        for key in keys:
            self.qtbot.keyClick(self.panel.stage.cells, key)

    @property
    def place(self) -> int:
        return self.panel.run.place

    def wait(self) -> None:
        self.qtbot.waitUntil(lambda: not self.panel.questions.answers.busy, timeout=60_000)


@pytest.fixture
def bench(qtbot: QtBot) -> Bench:
    return Bench(qtbot)


def test_keys_move_the_lesson(bench: Bench) -> None:
    bench.press(KEYS.Key_Space, KEYS.Key_Right, KEYS.Key_Space)
    assert bench.place == 3
    bench.press(KEYS.Key_Left)
    assert bench.place == 2
    bench.press(KEYS.Key_Home)
    assert bench.place == 0
    bench.press(KEYS.Key_End)
    bench.qtbot.waitUntil(lambda: bench.panel.run.at_end and not bench.panel.run.playing)
    whole = Lesson(TOY_CORPUS)
    whole.run()
    assert bench.place == len(whole.state.merges)


def test_keys_play(bench: Bench) -> None:
    bench.press(KEYS.Key_P)
    assert bench.panel.run.playing
    assert bench.panel.controls.play_button.text() == "Pause"
    speed = bench.panel.controls.speed.value()
    bench.press(KEYS.Key_Plus)
    assert bench.panel.run.speed == speed + 1
    bench.press(KEYS.Key_Minus, KEYS.Key_Minus)
    assert bench.panel.run.speed == speed - 1
    bench.press(KEYS.Key_Space)  # merging by hand stops it
    assert not bench.panel.run.playing and bench.place == 1


def test_the_timer_merges(bench: Bench) -> None:
    bench.panel.controls.speed.setValue(bench.panel.controls.speed.maximum())
    bench.panel.controls.play_button.click()
    bench.qtbot.waitUntil(lambda: bench.place >= 2, timeout=20_000)
    bench.panel.controls.play_button.click()
    assert not bench.panel.run.playing


def test_buttons_do_what_can_be_done(bench: Bench) -> None:
    controls = bench.panel.controls
    assert not controls.back_button.isEnabled() and controls.merge_button.isEnabled()
    bench.qtbot.mouseClick(controls.merge_button, Qt.MouseButton.LeftButton)
    assert bench.place == 1 and controls.back_button.isEnabled()
    bench.qtbot.waitUntil(bench.panel.stage.cells.hasFocus)  # the next Space merges again
    controls.end_button.click()
    bench.qtbot.waitUntil(lambda: bench.panel.run.at_end)
    assert not controls.merge_button.isEnabled()
    controls.reset_button.click()
    assert bench.place == 0


def test_keys_typed_into_the_text_are_text(bench: Bench) -> None:
    edit = bench.panel.setup.text
    edit.setFocus()
    edit.clear()
    bench.qtbot.keyClicks(edit, "pop pop")
    assert bench.place == 0 and not bench.panel.run.playing
    bench.qtbot.waitUntil(lambda: bench.panel.run.text == "pop pop")
    assert [word.piece for word in bench.panel.run.lesson.state.words] == [b"pop", b" pop"]


def test_it_says_what_is_next_and_how_it_stands(bench: Bench) -> None:
    bench.press(KEYS.Key_Space)
    lesson, panel = bench.panel.run.lesson, bench.panel
    told = next_words(lesson, lesson.state)
    assert panel.stage.sentence.text() == told.replace("␠", "␣")
    shown = [value.text() for value in panel.score.values.values()]
    assert shown == ["1", "263", "42", "1.10"]
    assert panel.score.line.values == (46, 42)
    assert panel.stage.pairs.pairs == lesson.state.pairs


def test_base_and_ties_begin_anew(bench: Bench) -> None:
    bench.press(KEYS.Key_Space)
    setup = bench.panel.setup
    setup.base.setCurrentIndex(1)
    setup.base.activated.emit(1)
    setup.ties.setCurrentIndex(1)
    setup.ties.activated.emit(1)
    rules = bench.panel.run.lesson.rules
    assert (rules.base, rules.ties, bench.place) == ("chars", "smallest-ids", 0)


def test_no_text_and_too_much_text_teach(bench: Bench) -> None:
    stage = bench.panel.stage
    bench.panel.setup.choose_text("")
    assert stage.pages.currentIndex() == 1
    assert bench.panel.setup.text.property("wrong") in (None, False)
    bench.panel.setup.choose_text("a" * 5000)
    assert "up to 1,000 characters" in stage.empty.sentence.text()
    assert bench.panel.setup.text.property("wrong") is True
    assert not bench.panel.export_button.isEnabled()
    assert not bench.panel.controls.play_button.isEnabled()
    stage.empty.button.click()
    assert bench.panel.run.text == TOY_CORPUS and stage.pages.currentIndex() == 0


def test_after_an_example_and_after_enter_the_rows_have_the_keys(bench: Bench) -> None:
    setup, cells = bench.panel.setup, bench.panel.stage.cells
    setup.text.setFocus()
    setup.examples.menu().actions()[2].trigger()
    bench.qtbot.waitUntil(cells.hasFocus)
    assert bench.panel.run.text.startswith("aaa ")
    setup.text.setFocus()
    bench.qtbot.keyClick(setup.text, KEYS.Key_Return)
    bench.qtbot.waitUntil(cells.hasFocus)


def test_the_true_length_of_a_pasted_text_is_told(bench: Bench) -> None:
    bench.panel.setup.choose_text("a" * 100_000)
    assert "this text has 100,000" in bench.panel.run.error


def test_at_the_end_no_pair_is_said_to_be_merged(bench: Bench) -> None:
    stage = bench.panel.stage
    assert stage.of_pairs.text() == "the most frequent is merged"
    bench.panel.run.run_to(1000)
    assert bench.panel.run.at_end and stage.of_pairs.text() == "none is merged"


def test_the_merges_so_far_are_listed(bench: Bench) -> None:
    learned = bench.panel.stage.learned
    assert learned.isVisible() and learned.lines == []
    bench.press(KEYS.Key_Space, KEYS.Key_Space)
    assert learned.lines == ["1  l + o → lo", "2  lo + w → low"]
    bench.press(KEYS.Key_Left)
    assert learned.lines == ["1  l + o → lo"]
    bench.panel.setup.choose_text("ab ab")
    assert learned.lines == []
    bench.press(KEYS.Key_Space)
    assert learned.lines == ["1  a + b → ab"]


def test_what_is_merged_next_is_in_view(bench: Bench) -> None:
    words = "\n".join(f"{a}{b}" for a in "bcdfghjklm" for b in "npqrst")
    bench.panel.run.set_text(f"{words}\nzz\nzz\nzz")  # a line end is a word of its own
    stage = bench.panel.stage
    bar = stage.rows_area.verticalScrollBar()
    marked = [c.rect for lane in stage.cells.lanes for c in lane.cells if c.state == "first"]
    assert len(marked) == 1 and marked[0].top() > stage.rows_area.height()
    bench.qtbot.waitUntil(lambda: bar.value() > 0)
    seen = stage.cells.visibleRegion().boundingRect()
    assert seen.contains(marked[0].toAlignedRect())


def test_the_type_can_be_larger(bench: Bench) -> None:
    stage = bench.panel.stage
    before = stage.cells.cell_font().pointSizeF()
    bench.panel.enlarge(2)
    assert stage.cells.cell_font().pointSizeF() == before + 2
    bench.panel.enlarge(-100)
    assert stage.cells.cell_font().pointSizeF() < before


def test_units_of_the_lesson_and_of_a_table(bench: Bench) -> None:
    bench.panel.run.run_to(3)
    bench.panel.show_page(1)
    bench.qtbot.waitUntil(lambda: bench.panel.units.found is not None, timeout=60_000)
    bpe = bench.panel.units.found.units[-1]
    assert bpe.vocab_size == 265
    assert "slowest" in bench.panel.units.rows["words"].sentence.text()
    bench.qtbot.keyClicks(bench.panel.units.word, "newly")
    bench.qtbot.waitUntil(lambda: bench.panel.units.found.word == "newly", timeout=60_000)
    table = small_tokenizer()
    bench.tables.add(OpenTable(tokenizer=table, name="small"))
    bench.panel.questions.chooser.setCurrentIndex(1)
    bench.panel.questions.chooser.activated.emit(1)
    bench.qtbot.waitUntil(
        lambda: bench.panel.units.found.units[-1].vocab_size == table.vocab_size, timeout=60_000
    )


def test_a_trap_is_a_click(bench: Bench) -> None:
    traps = bench.panel.traps
    bench.panel.show_page(2)
    bench.qtbot.waitUntil(lambda: traps.trap is not None, timeout=60_000)
    assert traps.trap.key == "order"
    traps.buttons["letters"].click()
    bench.qtbot.waitUntil(lambda: traps.trap.key == "letters", timeout=60_000)
    assert "trawberry" in traps.sentence.text()
    bench.qtbot.keyClick(bench.panel, KEYS.Key_3)
    bench.qtbot.waitUntil(lambda: traps.trap.key == "shift", timeout=60_000)
    assert "ru}&ru}" in traps.sentence.text()
    assert [side.isVisible() for side in traps.sides] == [True, True, False]


def test_traps_without_merges_offer_the_rest_of_the_lesson(bench: Bench) -> None:
    traps = bench.panel.traps
    bench.panel.show_page(2)
    bench.qtbot.waitUntil(lambda: traps.trap is not None, timeout=60_000)
    assert "no merges" in traps.sentence.text() and traps.end_button.isVisible()
    traps.end_button.click()
    bench.qtbot.waitUntil(lambda: bench.panel.run.at_end)
    bench.qtbot.waitUntil(lambda: "no merges" not in traps.sentence.text(), timeout=60_000)
    assert not traps.end_button.isVisible()


def test_while_kernels_compile_units_and_traps_say_so(qtbot: QtBot) -> None:
    ready = threading.Event()
    panel = LessonPanel(tables=OpenTables(), selection=Selection(), ready=ready)
    qtbot.addWidget(panel)
    panel.show()
    panel.show_page(1)
    qtbot.waitUntil(panel.units.note.isVisible)
    assert "being compiled" in panel.units.note.text()
    panel.show_page(2)
    qtbot.waitUntil(lambda: "being compiled" in panel.traps.sentence.text())
    panel.show_page(1)
    ready.set()
    qtbot.waitUntil(lambda: panel.units.found is not None, timeout=60_000)
    assert not panel.units.note.isVisible() and panel.units.rows["words"].isVisible()


def test_what_failed_is_as_large_as_the_rest(bench: Bench) -> None:
    bench.panel.enlarge(8)
    bench.panel.show_page(1)
    bench.qtbot.waitUntil(lambda: bench.panel.units.found is not None, timeout=60_000)
    words, characters = (bench.panel.units.rows[kind].sentence for kind in ("words", "characters"))
    assert words.property("role") == "warning"
    assert words.font().pointSizeF() == characters.font().pointSizeF()


def test_units_and_traps_have_larger_type_where_there_is_room(bench: Bench) -> None:
    panel = bench.panel
    title, sentence = panel.units.rows["words"].title, panel.traps.sentence
    before = title.font().pointSizeF(), sentence.font().pointSizeF()
    panel.resize(1600, 1000)
    assert title.font().pointSizeF() > before[0] + 2
    assert sentence.font().pointSizeF() > before[1] + 2
    panel.resize(640, 520)
    assert (title.font().pointSizeF(), sentence.font().pointSizeF()) == before
    panel.enlarge(3)
    assert title.font().pointSizeF() == before[0] + 3


def test_a_token_of_the_current_table_is_selected(bench: Bench) -> None:
    bench.tables.add(OpenTable(tokenizer=small_tokenizer(), name="small"))
    bench.panel.traps.tokenChosen.emit(110)
    assert bench.selection.token is None
    bench.panel.questions.chooser.setCurrentIndex(1)
    bench.panel.traps.tokenChosen.emit(110)
    assert bench.selection.token == 110


def test_steps_are_copied_and_saved_as_text(bench: Bench, tmp_path: Path) -> None:
    bench.press(KEYS.Key_Space, KEYS.Key_Space)
    expected = "\n".join(lesson_lines(bench.panel.run.lesson)) + "\n"
    with bench.qtbot.waitSignal(bench.panel.told):
        bench.panel.export.copy_steps()
    assert QGuiApplication.clipboard().text() == expected
    with bench.qtbot.waitSignal(bench.panel.told):
        bench.panel.export.save_steps(tmp_path / "steps.txt")
    assert (tmp_path / "steps.txt").read_text(encoding="utf-8") == expected


def test_pictures_of_the_lesson_and_the_window(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = tmp_path / "picture"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(chosen), "*.png"))
    with bench.qtbot.waitSignal(bench.panel.told):
        bench.panel.export.ask_and_save_picture()
    assert QImage(f"{chosen}.png").size() == bench.panel.size()
    with bench.qtbot.waitSignal(bench.panel.told):
        bench.panel.export.save_picture(tmp_path / "window.png", whole_window=True)
    assert not QImage(str(tmp_path / "window.png")).isNull()


def test_what_cannot_be_saved_is_told(bench: Bench, tmp_path: Path) -> None:
    bench.panel.export.save_steps(tmp_path / "none" / "steps.txt")
    bench.qtbot.waitUntil(bench.panel.notice.isVisible)


def test_it_opens_as_a_table(bench: Bench) -> None:
    bench.press(KEYS.Key_Space, KEYS.Key_Space)
    bench.panel.export.open_as_table()
    current = bench.tables.current
    assert current is not None and current.name == "lesson-264" and current.dirty
    assert current.tokenizer.merges == tokenizer_of(bench.panel.run.lesson).merges
    assert current.tokenizer.encode("low") == [263]

"""The training panel: from files to a table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from bpe_studio.gui.panels.training_panel import TrainingPanel
from tests.gui.test_training_state import Bench as Training


class Bench(Training):
    """A panel over a training state over a fake session."""

    def __init__(self, qtbot: QtBot, folder: Path, **session: Any) -> None:
        super().__init__(qtbot, folder, **session)
        self.panel = TrainingPanel(training=self.state, corpus=self.corpus)
        qtbot.addWidget(self.panel)
        self.panel.resize(300, 700)
        self.panel.show()


def enabled(panel: TrainingPanel) -> tuple[bool, bool, bool]:
    buttons = (panel.start_button, panel.step_button, panel.continue_button)
    return tuple(button.isEnabled() for button in buttons)


def test_nothing_can_start_without_files(qtbot: QtBot, tmp_path: Path) -> None:
    bench = Bench(qtbot, tmp_path)
    assert enabled(bench.panel) == (True, True, False)
    bench.corpus.clear()
    assert enabled(bench.panel) == (False, False, False)


def test_wrong_settings_do_not_start(qtbot: QtBot, tmp_path: Path) -> None:
    bench = Bench(qtbot, tmp_path)
    bench.panel.form.vocab_size.setValue(100)
    bench.panel.start()
    assert not bench.state.running and enabled(bench.panel)[0] is False


def test_start_becomes_stop_and_then_continue(qtbot: QtBot, tmp_path: Path) -> None:
    bench = Bench(qtbot, tmp_path, merges=30, batch=1, pause=0.01)
    panel = bench.panel
    panel.start_button.click()
    assert panel.start_button.text() == "Stop" and not panel.form.isEnabled()
    assert enabled(panel) == (True, False, False)
    qtbot.waitUntil(lambda: bench.state.phase == "merging")
    panel.start_button.click()
    assert enabled(panel) == (False, False, False)
    bench.wait()
    assert panel.start_button.text() == "Start" and enabled(panel) == (True, True, True)
    panel.step_button.click()
    bench.wait()
    panel.continue_button.click()
    bench.wait()
    assert bench.state.phase == "done" and enabled(panel) == (True, True, True)
    size = bench.tables.current.tokenizer.vocab_size
    panel.form.vocab_size.setValue(size)
    panel.form.check()
    assert enabled(panel) == (True, False, False)
    assert f"more than its {size} tokens" in panel.step_button.toolTip()


def test_the_focus_stays_in_the_panel(qtbot: QtBot, tmp_path: Path) -> None:
    bench = Bench(qtbot, tmp_path)
    panel = bench.panel
    panel.activateWindow()
    panel.step_button.setFocus()
    qtbot.waitUntil(panel.step_button.hasFocus)
    panel.step_button.click()
    assert panel.start_button.hasFocus()
    bench.wait()
    assert panel.step_button.hasFocus()


def test_one_click_trains_on_the_standard_library(qtbot: QtBot, tmp_path: Path) -> None:
    bench = Bench(qtbot, tmp_path)
    bench.corpus.clear()
    bench.panel.corpus_list.sample_button.click()
    qtbot.waitUntil(lambda: bench.state.phase == "done", timeout=20_000)
    assert bench.corpus.has_standard_library and bench.tables.current.name == "stdlib-279"


def test_problems_are_a_list(qtbot: QtBot, tmp_path: Path) -> None:
    bench = Bench(qtbot, tmp_path)
    assert not bench.panel.problems_fold.isVisible()
    bench.corpus.add([tmp_path / "none.txt"])
    qtbot.waitUntil(bench.panel.problems_fold.isVisible)
    assert bench.panel.problems_fold.button.text() == "1 problem with files"
    assert bench.panel.problems.item(0).text().startswith("none.txt: ")


def test_the_way_of_reading_reaches_the_corpus(qtbot: QtBot, tmp_path: Path) -> None:
    bench = Bench(qtbot, tmp_path)
    bench.panel.form.text_key.setText("body")
    qtbot.waitUntil(
        lambda: bench.corpus.corpus is not None and bench.corpus.corpus.text_key == "body"
    )


@pytest.mark.parametrize("error", [ValueError("It holds no text."), OSError("The disk is gone.")])
def test_errors_are_told(qtbot: QtBot, tmp_path: Path, error: Exception) -> None:
    bench = Bench(qtbot, tmp_path, error=error)
    with qtbot.waitSignal(bench.panel.failed) as told:
        bench.panel.start()
    assert told.args == [str(error)]


def test_every_control_has_a_name_and_can_be_reached(qtbot: QtBot, tmp_path: Path) -> None:
    from PySide6.QtCore import Qt
    from PySide6.QtWidgets import QAbstractButton, QComboBox, QLineEdit, QSpinBox

    panel = Bench(qtbot, tmp_path).panel
    panel.form.fold.set_open(True)
    for kind in (QAbstractButton, QComboBox, QSpinBox, QLineEdit):
        for widget in panel.findChildren(kind):
            if widget.objectName().startswith("qt_"):
                continue
            assert widget.accessibleName(), widget
            assert widget.focusPolicy() & Qt.FocusPolicy.TabFocus, widget

"""Reading tokenizers for the window."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from bpe_studio import api
from bpe_studio.formats.apart import process
from bpe_studio.gui.state.opening import Opened, Opening, Wanted, kind_of
from bpe_studio.gui.widgets.opening_view import OpeningView
from tests.gui.small_tables import small_tokenizer

MADE = replace(small_tokenizer(), training=None)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    api.save(MADE, tmp_path / "a.json")
    return tmp_path / "a.json"


def play(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    monkeypatch.setattr(process, "_command", lambda module, flag: [sys.executable, "-c", program])


def test_files_are_read_in_order(qtbot: QtBot, path: Path) -> None:
    opening, found = Opening(), []
    opening.opened.connect(found.append)
    second = path.with_name("b.json")
    api.save(MADE, second)
    for each in (path, second, path):  # asked for twice, read once
        opening.open(Wanted(each))
    assert opening.running and opening.name == "a.json" and opening.waiting == 1
    qtbot.waitUntil(lambda: not opening.running and len(found) == 2)
    assert [one.file for one in found] == [path, second]
    assert isinstance(found[0], Opened) and found[0].format == "studio"
    assert found[0].tokenizer.merges == MADE.merges


def test_cancel_ends_the_child_and_says_nothing(
    qtbot: QtBot, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(monkeypatch, "import time; time.sleep(60)")
    opening, said = Opening(), []
    opening.opened.connect(said.append)
    opening.failed.connect(lambda *_: said.append("failed"))
    opening.open(Wanted(path))
    opening.open(Wanted(path, pattern="gpt2"))
    qtbot.wait(80)
    opening.cancel()
    qtbot.waitUntil(lambda: not opening.running, timeout=2000)
    assert said == [] and opening.waiting == 0


def test_what_takes_a_moment_is_shown_with_a_way_to_stop_it(
    qtbot: QtBot, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    share = "import sys, struct, time; sys.stdout.buffer.write(b'S' + struct.pack('<Qd', 8, 0.25));"
    play(monkeypatch, share + "sys.stdout.flush(); time.sleep(60)")
    opening = Opening()
    view = OpeningView(opening)
    qtbot.addWidget(view)
    opening.open(Wanted(path))
    assert view.isHidden()
    qtbot.waitUntil(lambda: not view.isHidden() and opening.share == 0.25)
    assert view.words.text() == "Opening a.json …" and view.bar.share == 0.25
    view.cancel_button.click()
    qtbot.waitUntil(view.isHidden)


def test_a_pattern_is_asked_for_only_where_somebody_can_answer(
    qtbot: QtBot, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = '{"kind": "pattern", "sentence": "It does not tell."}'
    play(
        monkeypatch,
        f"import sys, struct; d = {told.encode()!r};"
        "sys.stdout.buffer.write(b'E' + struct.pack('<Q', len(d)) + d)",
    )
    opening, asked, failed = Opening(), [], []
    opening.patternNeeded.connect(lambda wanted, sentence: asked.append((wanted, sentence)))
    opening.failed.connect(lambda sentence, _: failed.append(sentence))
    opening.open(Wanted(path))
    opening.open(Wanted(path, asks=False))
    qtbot.waitUntil(lambda: failed == ["It does not tell."])
    assert asked == [(Wanted(path), "It does not tell.")]


def test_kinds(tmp_path: Path, path: Path) -> None:
    text = tmp_path / "a.txt"
    text.write_text("low")
    assert (kind_of(path), kind_of(text)) == ("tokenizer", "text")
    assert (
        kind_of(tmp_path) == kind_of(tmp_path / "a.parquet") == "corpus"
        and kind_of(tmp_path / "none") == "text"
    )
    path.rename(tmp_path / "tokenizer.json")
    assert kind_of(tmp_path) == "tokenizer"


def test_the_keyboard_goes_back_where_it_was(
    qtbot: QtBot, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(monkeypatch, "import time; time.sleep(60)")
    window = QWidget()
    qtbot.addWidget(window)
    first, second, opening = QPushButton("first"), QPushButton("second"), Opening()
    view = OpeningView(opening)
    column = QVBoxLayout(window)
    for part in (first, second, view):
        column.addWidget(part)
    window.show()
    window.activateWindow()
    second.setFocus()
    qtbot.waitUntil(second.hasFocus)
    said: list[str] = []
    opening.cancelled.connect(lambda wanted: said.append(wanted.path.name))
    opening.open(Wanted(path))
    qtbot.waitUntil(view.isVisible)
    qtbot.mouseClick(view.cancel_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(view.isHidden)
    assert second.hasFocus() and said == ["a.json"]
    opening.open(Wanted(path))
    qtbot.waitUntil(view.isVisible)
    view.cancel_button.setFocus()
    qtbot.keyClick(view.cancel_button, Qt.Key.Key_Space)
    qtbot.waitUntil(view.isHidden)
    assert second.hasFocus()

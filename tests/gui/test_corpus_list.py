"""The list of what is trained on."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from pytestqt.qtbot import QtBot

from bpe_studio.gui.state.corpus import CorpusState
from bpe_studio.gui.widgets.corpus_list import SAMPLE, CorpusList


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("low")
    return [tmp_path / "a.txt", tmp_path / "b.txt"]


def shown(qtbot: QtBot) -> tuple[CorpusState, CorpusList]:
    state = CorpusState()
    made = CorpusList(state)
    qtbot.addWidget(made)
    made.show()
    return state, made


def test_the_empty_list_invites(qtbot: QtBot) -> None:
    _, made = shown(qtbot)
    assert made.empty.isVisible() and not made.full.isVisible()
    with qtbot.waitSignal(made.sampleAsked):
        made.sample_button.click()


def test_files_are_listed_counted_and_removed(qtbot: QtBot, files: list[Path]) -> None:
    state, made = shown(qtbot)
    state.add(files)
    state.use_standard_library()
    qtbot.waitUntil(lambda: state.corpus is not None, timeout=20_000)
    names = [made.list.item(row).text() for row in range(made.list.count())]
    assert names == [SAMPLE, "a.txt", "b.txt"] and "files" in made.summary.text()
    made.list.item(0).setSelected(True)
    made.list.item(2).setSelected(True)
    assert made.remove_button.isEnabled()
    made.remove_button.click()
    qtbot.waitUntil(lambda: made.summary.text() == "1 file · 3 bytes")
    assert state.roots == (files[0],) and not state.has_standard_library


def test_files_can_be_dropped(qtbot: QtBot, files: list[Path]) -> None:
    state, made = shown(qtbot)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in files])
    made.dropEvent(
        QDropEvent(
            QPointF(5, 5),
            Qt.DropAction.CopyAction,
            data,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
    )
    assert state.roots == tuple(files)


def test_a_name_is_no_markup(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "<b>x<b>.txt"
    path.write_text("low")
    state, made = shown(qtbot)
    state.add([path])
    assert "&lt;b&gt;" in made.list.item(0).toolTip()


def test_the_file_of_a_text_is_shown(qtbot: QtBot, files: list[Path], tmp_path: Path) -> None:
    state, made = shown(qtbot)
    assert not made.reveal("a.txt")
    folder = tmp_path / "more"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "c.jsonl").write_text('{"text": "low"}')
    state.add([*files, folder])
    qtbot.waitUntil(lambda: state.corpus is not None)
    made.list.item(0).setSelected(True)
    made.reveal_place("low", "deep/c.jsonl, row 1", 0, 3)
    assert [item.text() for item in made.list.selectedItems()] == ["more"]
    assert made.summary.text() == "3 files · 21 bytes\ndeep/c.jsonl · 15 bytes"
    assert str(folder / "deep" / "c.jsonl") in made.summary.toolTip()
    assert made.reveal("b.txt") and not made.reveal("nothing.txt")
    assert [item.text() for item in made.list.selectedItems()] == ["b.txt"]
    state.remove([files[0]])
    qtbot.waitUntil(lambda: made.summary.text() == "2 files · 18 bytes")
    assert not made.summary.toolTip()

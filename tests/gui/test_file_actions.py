"""Opening and saving."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from bpe_studio import api, formats
from bpe_studio.gui.file_actions import FileActions, is_table
from bpe_studio.gui.state.corpus import CorpusState
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.settings_store import SettingsStore
from tests.gui.small_tables import small_tokenizer

MADE = replace(small_tokenizer(), training=None)


class Bench:
    """File actions over states of their own."""

    def __init__(self, qtbot: QtBot, folder: Path) -> None:
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.tables, self.corpus = OpenTables(), CorpusState()
        self.store = SettingsStore(folder / "settings")
        self.files = FileActions(
            window=self.window, tables=self.tables, corpus=self.corpus, store=self.store
        )
        self.errors: list[str] = []
        self.texts: list[Path] = []
        self.files.failed.connect(self.errors.append)
        self.files.textAsked.connect(self.texts.append)

    def add(self, path: Path | None = None) -> OpenTable:
        return self.tables.add(OpenTable(tokenizer=MADE, name="small", path=path, dirty=True))


@pytest.fixture
def bench(qtbot: QtBot, tmp_path: Path) -> Bench:
    return Bench(qtbot, tmp_path)


def test_save_asks_for_a_file_only_the_first_time(
    bench: Bench, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def choose(*arguments: object) -> tuple[str, str]:
        asked.append(str(arguments[2]))
        return str(tmp_path / "mine"), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    table = bench.add()
    bench.files.save()
    qtbot.waitUntil(lambda: not table.dirty)
    assert table.path == tmp_path / "mine.json" and table.name == "mine"
    assert asked[0].endswith("small.json")
    bench.tables.set_tokenizer(table, MADE)
    bench.files.save()
    qtbot.waitUntil(lambda: not table.dirty)
    assert len(asked) == 1 and api.load(table.path).merges == MADE.merges
    assert bench.store.recent() == [table.path]


def test_a_folder_that_is_not_there_is_told(bench: Bench, qtbot: QtBot, tmp_path: Path) -> None:
    table = bench.add(tmp_path / "none" / "a.json")
    bench.files.save()
    qtbot.waitUntil(lambda: bool(bench.errors))
    assert table.dirty and "a.json" in bench.errors[0]


def test_opening_sorts_files_by_what_they_are(bench: Bench, qtbot: QtBot, tmp_path: Path) -> None:
    path, text = tmp_path / "tok.json", tmp_path / "a.txt"
    api.save(MADE, path)
    text.write_text("low")
    bench.files.open([path, text, tmp_path])
    qtbot.waitUntil(lambda: len(bench.tables) == 1)
    assert bench.texts == [text] and bench.corpus.roots == (tmp_path,)
    assert not bench.tables.current.dirty


def test_closing_a_table(
    bench: Bench, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter(["cancel", "discard", "save"])
    monkeypatch.setattr(bench.files, "_ask_to_save", lambda tables: next(answers))
    bench.files.close_table()
    bench.add()
    bench.files.close_table()
    assert len(bench.tables) == 1
    bench.files.close_table()
    assert len(bench.tables) == 0
    table = bench.add(tmp_path / "b.json")
    bench.files.close_table()
    qtbot.waitUntil(lambda: len(bench.tables) == 0)
    assert table.path.exists()
    bench.add().dirty = False
    bench.files.close_table()
    assert len(bench.tables) == 0


@pytest.mark.parametrize(
    ("button", "answer"),
    [("Save", "save"), ("Discard", "discard"), ("Cancel", "cancel")],
)
def test_the_question_before_a_loss(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, button: str, answer: str
) -> None:
    texts: list[str] = []

    def pressed(box: QMessageBox) -> int:
        texts.append(box.text())
        return int(getattr(QMessageBox.StandardButton, button))

    monkeypatch.setattr(QMessageBox, "exec", pressed)
    assert bench.files._ask_to_save([bench.add(), bench.add()]) == answer
    assert texts == ["small, small (2) are not saved."]


def test_what_is_learned_while_saving_stays_unsaved(
    bench: Bench, qtbot: QtBot, tmp_path: Path
) -> None:
    table = bench.add(tmp_path / "a.json")
    bench.files.save()
    bench.tables.set_tokenizer(table, replace(small_tokenizer(merges=3), training=None))
    qtbot.waitUntil(lambda: bool(bench.store.recent()))
    assert table.dirty and len(api.load(table.path).merges) == len(MADE.merges)


def test_is_table() -> None:
    assert (
        is_table(Path("a.JSON")) and not is_table(Path("a.txt")) and not is_table(Path("a.jsonl"))
    )


def test_an_example_is_a_table_without_a_path(bench: Bench, qtbot: QtBot) -> None:
    bench.files.open_example("worked-example")
    qtbot.waitUntil(lambda: len(bench.tables) == 1)
    table = bench.tables.current
    assert table is not None and table.path is None and not table.dirty
    assert table.name == "worked-example" and bench.store.recent() == []
    other = bench.add()
    assert bench.tables.current is other
    bench.files.open_example("worked-example")
    assert bench.tables.current is table and len(bench.tables) == 2


def test_save_never_writes_into_the_program(
    bench: Bench, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = formats.find_table("worked-example")
    bench.files.open([path])  # by its file, as the file dialog or the command line would
    qtbot.waitUntil(lambda: len(bench.tables) == 1)
    before = path.stat()
    asked: list[str] = []

    def choose(*arguments: object) -> tuple[str, str]:
        asked.append(str(arguments[2]))
        return str(tmp_path / "mine.json"), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    bench.files.save()
    qtbot.waitUntil((tmp_path / "mine.json").exists)
    assert len(asked) == 1 and str(path.parent) not in asked[0]
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    qtbot.waitUntil(lambda: bench.tables.current.path == tmp_path / "mine.json")


def test_dialogs_begin_where_the_last_one_ended(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []
    chosen = tmp_path / "there"
    chosen.mkdir()

    def choose(*arguments: object) -> tuple[list[str], str]:
        begun.append(str(arguments[2]))
        return [str(chosen / "a.txt")], ""

    monkeypatch.setattr(QFileDialog, "getOpenFileNames", choose)
    bench.files.ask_open()
    bench.files.ask_open()
    assert begun[1] == str(chosen) and bench.store.get("folder", "") == str(chosen)

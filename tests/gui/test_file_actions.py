"""Opening."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from bpe_studio import api, formats
from bpe_studio.gui.file_actions import FileActions, name_of, open_filter
from bpe_studio.gui.state.corpus import CorpusState
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.opening import Wanted
from bpe_studio.gui.state.settings_store import SettingsStore
from bpe_studio.gui.widgets.pattern_dialog import PatternDialog
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
        self.files.failed.connect(lambda sentence, _: self.errors.append(sentence))
        self.files.textAsked.connect(self.texts.append)


@pytest.fixture
def bench(qtbot: QtBot, tmp_path: Path) -> Bench:
    return Bench(qtbot, tmp_path)


def model_folder(folder: Path) -> Path:
    folder.mkdir()
    api.save(MADE, folder / "tokenizer.json")
    return folder


def test_opening_sorts_files_by_what_they_are(bench: Bench, qtbot: QtBot, tmp_path: Path) -> None:
    path, text, named_text = tmp_path / "tok.json", tmp_path / "a.txt", tmp_path / "table.txt"
    api.save(MADE, path)
    api.save(MADE, named_text)  # a tokenizer, whatever its name says
    text.write_text("low")
    model = model_folder(tmp_path / "llama")
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    bench.files.open([path, text, corpus, named_text, model])
    qtbot.waitUntil(lambda: len(bench.tables) == 3)
    assert bench.texts == [text] and bench.corpus.roots == (corpus,)
    assert [table.name for table in bench.tables] == ["tok", "table", "llama"]
    assert bench.tables.tables[2].path == model / "tokenizer.json"
    assert not bench.tables.current.dirty and bench.errors == []


def test_what_is_open_is_shown_and_not_read_again(
    bench: Bench, qtbot: QtBot, tmp_path: Path
) -> None:
    model = model_folder(tmp_path / "m")
    bench.files.open([model, model, model / "tokenizer.json"])
    qtbot.waitUntil(lambda: bool(bench.tables.tables) and not bench.files.opening.running)
    first = bench.tables.current
    bench.tables.add(OpenTable(tokenizer=MADE, name="other"))
    bench.files.open([model])
    qtbot.waitUntil(lambda: bench.tables.current is first)
    assert len(bench.tables) == 2


def test_several_texts_that_are_dropped_are_a_corpus(
    bench: Bench, qtbot: QtBot, tmp_path: Path
) -> None:
    texts = [tmp_path / "a.txt", tmp_path / "b.md"]
    for text in texts:
        text.write_text("low")
    table = tmp_path / "c.txt"
    api.save(MADE, table)
    bench.files.drop([*texts, table])
    qtbot.waitUntil(lambda: len(bench.tables) == 1)
    assert bench.corpus.roots == tuple(texts) and bench.texts == []
    bench.files.drop(texts[:1])
    qtbot.waitUntil(lambda: bench.texts == texts[:1])


def test_a_file_that_is_damaged_is_told(bench: Bench, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{")
    (tmp_path / "b.txt").write_bytes(b"\x80\x04\x95ranks.")
    bench.files.open([tmp_path / "a.json", tmp_path / "b.txt"])
    qtbot.waitUntil(lambda: len(bench.errors) == 2)
    assert "a.json" in bench.errors[0] and "pickle" in bench.errors[1]


def test_a_folder_without_a_tokenizer_is_told_where_one_was_asked_for(
    bench: Bench, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "empty").mkdir()
    answer = str(tmp_path / "empty")
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: answer)
    bench.files.ask_folder()
    qtbot.waitUntil(lambda: len(bench.errors) == 1)
    assert "without a tokenizer file" in bench.errors[0] and bench.corpus.is_empty


def test_an_example_is_a_table_without_a_path(bench: Bench, qtbot: QtBot) -> None:
    bench.files.open_example("worked-example")
    qtbot.waitUntil(lambda: len(bench.tables) == 1)
    table = bench.tables.current
    assert table is not None and table.path is None and not table.dirty
    assert table.name == "worked-example" and bench.store.recent() == []
    other = bench.tables.add(OpenTable(tokenizer=MADE, name="small"))
    assert bench.tables.current is other
    bench.files.open_example("worked-example")
    assert bench.tables.current is table and len(bench.tables) == 2


def test_the_file_of_an_example_is_the_example(bench: Bench, qtbot: QtBot) -> None:
    bench.files.open([formats.find_table("worked-example")])  # Save must not write there
    qtbot.waitUntil(lambda: len(bench.tables) == 1)
    assert bench.tables.current.path is None


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


def test_a_file_without_a_pattern_is_asked_about(
    bench: Bench, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "a.json"
    api.save(MADE, path)
    bench.files.opening.patternNeeded.emit(Wanted(path), "It does not tell.")
    dialog = bench.window.findChild(PatternDialog)
    assert dialog.isVisible() and dialog.pattern() == "cl100k"
    dialog.buttons.buttons()[3].setChecked(True)
    wanted = dialog.pattern()
    dialog.accept()
    qtbot.waitUntil(lambda: len(bench.tables) == 1)
    assert bench.store.pattern_of(path) == wanted
    assert bench.store.get("pattern_of_files", "") == wanted
    bench.tables.remove(bench.tables.current)
    bench.files.open_recent(path)
    qtbot.waitUntil(lambda: len(bench.tables) == 1)


def test_a_rank_file_is_asked_about_and_known_the_next_time(
    bench: Bench, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "mine.tiktoken"
    api.save(MADE, path)
    bench.files.open([path])
    qtbot.waitUntil(lambda: bench.window.findChild(PatternDialog) is not None)
    dialog = bench.window.findChild(PatternDialog)
    qtbot.keyClicks(dialog.expression, r"\w+|\W+")
    dialog.open_button.click()
    qtbot.waitUntil(lambda: len(bench.tables) == 1)
    table = bench.tables.current
    assert table.tokenizer.pattern.expression == r"\w+|\W+" and table.format == "tiktoken"
    bench.tables.remove(table)
    bench.files.open_recent(path)
    qtbot.waitUntil(lambda: len(bench.tables) == 1)
    assert bench.tables.current.tokenizer.pattern.expression == r"\w+|\W+"
    assert bench.errors == []


def test_no_answer_opens_nothing(bench: Bench, qtbot: QtBot, tmp_path: Path) -> None:
    bench.files.opening.patternNeeded.emit(Wanted(tmp_path / "a"), "It does not tell.")
    dialog = bench.window.findChild(PatternDialog)
    dialog.reject()
    qtbot.wait(50)
    assert not bench.tables.tables and bench.errors == [] and not bench.files.opening.running


def test_names_of_tables() -> None:
    model = Path("llama") / "tokenizer.json"
    assert name_of(Path("llama"), model) == "llama"
    assert name_of(model, model) == "llama-tokenizer"
    assert name_of(Path("x/mine.json"), Path("x/mine.json")) == "mine"
    cached = Path("hub/models--org--tiny/snapshots/8f0c2d")
    assert name_of(cached, cached / "tokenizer.json") == "tiny"
    assert name_of(cached / "tokenizer.json", cached / "tokenizer.json") == "tiny-tokenizer"


def test_the_dialog_lists_every_suffix() -> None:
    for module in formats.FORMATS.values():
        for suffix in module.SUFFIXES:
            assert suffix == ".txt" or f"*{suffix}" in open_filter()

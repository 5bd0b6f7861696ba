"""Saving tables, and what is asked before something is lost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QDialog, QFileDialog, QMessageBox, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from bpe_studio import api, formats
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.formats.written import Written
from bpe_studio.gui import saving
from bpe_studio.gui.file_actions import FileActions
from bpe_studio.gui.saving import Saving, named_for, save_filters
from bpe_studio.gui.state.corpus import CorpusState
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.settings_store import SettingsStore
from bpe_studio.gui.widgets.basics import Button, Label
from bpe_studio.gui.widgets.save_dialogs import choose_place
from tests.gui.small_tables import small_tokenizer

MADE = replace(small_tokenizer(), training=None)


class Lossy:
    """A format of two files that holds no pattern."""

    NAME, TITLE, SUFFIXES = "lossy", "Lossy table (.lossy)", (".lossy",)
    losses: tuple[str, ...] = ("The pattern is not in it.",)

    @staticmethod
    def sniff(data: bytes) -> bool:
        return False

    @classmethod
    def write(cls, tokenizer: Tokenizer) -> Written:
        if tokenizer.base == "chars":
            raise ValueError("It holds no characters.")
        return Written({"": b"a", "beside.txt": b"b"}, cls.losses, "import lossy\nlossy.load()")


class Bench:
    """Saving over states of its own."""

    def __init__(self, qtbot: QtBot, folder: Path) -> None:
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.tables = OpenTables()
        self.store = SettingsStore(folder / "settings")
        self.saving = Saving(window=self.window, tables=self.tables, store=self.store)
        self.errors: list[str] = []
        self.told: list[str] = []
        self.saving.failed.connect(lambda sentence, _: self.errors.append(sentence))
        self.saving.told.connect(self.told.append)

    def add(self, path: Path | None = None, **more: Any) -> OpenTable:
        table = OpenTable(tokenizer=MADE, name="small", path=path, dirty=True, **more)
        return self.tables.add(table)

    def dialog(self, qtbot: QtBot) -> QDialog:
        """The dialog that opens next."""
        qtbot.waitUntil(lambda: any(d.isVisible() for d in self.window.findChildren(QDialog)))
        return next(d for d in self.window.findChildren(QDialog) if d.isVisible())


@pytest.fixture
def bench(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    monkeypatch.setitem(formats.FORMATS, "lossy", Lossy)
    monkeypatch.setitem(formats.WRITERS, "lossy", Lossy)
    return Bench(qtbot, tmp_path)


def press(dialog: QDialog, text: str) -> None:
    next(b for b in dialog.findChildren(Button) if b.text() == text).click()


def words(dialog: QDialog) -> list[str]:
    return [part.text() for part in dialog.findChildren(Label)]


def choose(monkeypatch: pytest.MonkeyPatch, name: Path, chosen: str = "") -> list[str]:
    asked: list[str] = []

    def answer(*arguments: object) -> tuple[Path, str]:
        asked.append(str(arguments[2]))
        return name, chosen

    monkeypatch.setattr(saving, "choose_place", answer)
    return asked


def test_save_asks_for_a_file_only_the_first_time(
    bench: Bench, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = choose(monkeypatch, tmp_path / "mine")
    table = bench.add()
    bench.saving.save()
    qtbot.waitUntil(lambda: not table.dirty)
    assert table.path == tmp_path / "mine.json" and table.name == "mine"
    assert asked[0].endswith("small")
    bench.tables.set_tokenizer(table, MADE)
    bench.saving.save()
    qtbot.waitUntil(lambda: not table.dirty)
    assert len(asked) == 1 and api.load(table.path).merges == MADE.merges
    assert bench.store.recent() == [table.path]


def test_save_never_writes_into_the_program(
    bench: Bench, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = FileActions(
        window=bench.window, tables=bench.tables, corpus=CorpusState(), store=bench.store
    )
    path = formats.find_table("worked-example")
    files.open([path])  # by its file, as the file dialog or the command line would
    qtbot.waitUntil(lambda: len(bench.tables) == 1)
    before = path.stat()
    asked = choose(monkeypatch, tmp_path / "mine.json")
    bench.saving.save()
    qtbot.waitUntil((tmp_path / "mine.json").exists)
    assert len(asked) == 1 and str(path.parent) not in asked[0]
    assert path.stat().st_mtime_ns == before.st_mtime_ns


def test_a_file_of_another_format_is_not_written_over(
    bench: Bench, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    foreign = tmp_path / "tokenizer.json"
    foreign.write_text("{}")
    table = bench.add(foreign, format="huggingface")
    asked = choose(monkeypatch, tmp_path / "mine.json")
    bench.saving.save()
    qtbot.waitUntil(lambda: not table.dirty)
    assert len(asked) == 1 and foreign.read_text() == "{}" and table.format == ""


def test_what_is_lost_is_told_before(
    bench: Bench, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lossy = next(shown for shown, name in save_filters().items() if name == "lossy")
    choose(monkeypatch, tmp_path / "a", lossy)
    table = bench.add()
    (tmp_path / "a-beside.txt").write_text("old")
    bench.saving.ask_save()
    dialog = bench.dialog(qtbot)
    said = words(dialog)
    assert "The pattern is not in it." in said and "a.lossy cannot hold everything:" in said
    assert "a-beside.txt in the same folder will be replaced." in said
    press(dialog, "Cancel")
    qtbot.waitUntil(lambda: not dialog.isVisible())
    assert not (tmp_path / "a.lossy").exists() and table.dirty


def test_a_copy_leaves_the_table_unsaved_and_tells_how_it_is_used(
    bench: Bench, qtbot: QtBot, tmp_path: Path, qapp: Any
) -> None:
    table = bench.add()
    bench.saving.save_to(table, tmp_path / "a.lossy", format="lossy")
    press(bench.dialog(qtbot), "Save")
    qtbot.waitUntil(lambda: bench.told == ["Saved a copy as a.lossy and a-beside.txt."])
    assert (tmp_path / "a.lossy").read_bytes() == b"a" and table.dirty and table.path is None
    assert (tmp_path / "a-beside.txt").read_bytes() == b"b"
    hint = bench.dialog(qtbot)
    shown = hint.findChild(QPlainTextEdit)
    assert shown.isReadOnly() and shown.toPlainText() == "import lossy\nlossy.load()"
    press(hint, "Copy")
    assert qapp.clipboard().text() == "import lossy\nlossy.load()"
    press(hint, "Close")


def test_a_format_that_holds_everything_is_where_the_table_lives(
    bench: Bench, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Lossy, "losses", ())
    table = bench.add()
    bench.saving.save_to(table, tmp_path / "a.lossy", format="lossy")
    qtbot.waitUntil(lambda: not table.dirty)
    assert (table.path, table.format) == (tmp_path / "a.lossy", "lossy")
    press(bench.dialog(qtbot), "Close")


def test_a_training_record_is_only_safe_in_our_own_format(
    bench: Bench, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Lossy, "losses", ())
    table = bench.tables.add(OpenTable(tokenizer=small_tokenizer(), name="t", dirty=True))
    bench.saving.save_to(table, tmp_path / "a.lossy", format="lossy")
    qtbot.waitUntil(lambda: bool(bench.told))
    assert table.dirty
    press(bench.dialog(qtbot), "Close")


def test_what_a_format_cannot_hold_at_all_is_an_error(
    bench: Bench, qtbot: QtBot, tmp_path: Path
) -> None:
    table = bench.add()
    table.tokenizer = formats.load(formats.find_table("sample-chars"))
    bench.saving.save_to(table, tmp_path / "a.lossy", format="lossy")
    qtbot.waitUntil(lambda: bool(bench.errors))
    words = "The tokenizer cannot be saved as Lossy table: it holds no characters."
    assert bench.errors == [words]
    assert not (tmp_path / "a.lossy").exists()


@pytest.mark.parametrize(
    ("name", "chosen", "expected"),
    [
        ("a", "studio", ("a.json", "studio")),
        ("a.b", "studio", ("a.b", "studio")),
        ("a.json", "lossy", ("a.json", "lossy")),
        ("a.lossy", "studio", ("a.lossy", "lossy")),
        ("a", "lossy", ("a.lossy", "lossy")),
    ],
)
def test_suffix_and_choice_together(
    bench: Bench, name: str, chosen: str, expected: tuple[str, str]
) -> None:
    path, format = named_for(Path(name), chosen)
    assert (str(path), format) == expected


def test_a_name_gets_the_suffix_of_what_is_chosen(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def choose_second(dialog: QFileDialog) -> int:
        dialog.selectNameFilter("Two (*.two)")
        dialog.filterSelected.emit("Two (*.two)")
        return 1

    monkeypatch.setattr(QFileDialog, "exec", choose_second)
    listed = {"One (*.one)": ".one", "Two (*.two)": ".two"}
    place = choose_place(bench.window, "Save", tmp_path / "a", listed)
    assert place == (tmp_path / "a.two", "Two (*.two)")
    monkeypatch.setattr(QFileDialog, "exec", lambda dialog: 0)
    assert choose_place(bench.window, "Save", tmp_path / "a", listed) is None


def test_a_folder_that_is_not_there_is_told(bench: Bench, qtbot: QtBot, tmp_path: Path) -> None:
    table = bench.add(tmp_path / "none" / "a.json")
    bench.saving.save()
    qtbot.waitUntil(lambda: bool(bench.errors))
    assert table.dirty and "a.json" in bench.errors[0]


def test_closing_a_table(
    bench: Bench, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter(["cancel", "discard", "save"])
    monkeypatch.setattr(bench.saving, "_ask_to_save", lambda tables: next(answers))
    bench.saving.close_table()
    bench.add()
    bench.saving.close_table()
    assert len(bench.tables) == 1
    bench.saving.close_table()
    assert len(bench.tables) == 0
    table = bench.add(tmp_path / "b.json")
    bench.saving.close_table()
    qtbot.waitUntil(lambda: len(bench.tables) == 0)
    assert table.path is not None and table.path.exists()
    bench.add().dirty = False
    bench.saving.close_table()
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
    assert bench.saving._ask_to_save([bench.add(), bench.add()]) == answer
    assert texts == ["small, small (2) are not saved."]


def test_what_is_learned_while_saving_stays_unsaved(
    bench: Bench, qtbot: QtBot, tmp_path: Path
) -> None:
    table = bench.add(tmp_path / "a.json")
    bench.saving.save()
    bench.tables.set_tokenizer(table, replace(small_tokenizer(merges=3), training=None))
    qtbot.waitUntil(lambda: bool(bench.store.recent()))
    assert table.dirty and len(api.load(table.path).merges) == len(MADE.merges)


def test_a_name_is_proposed_whole_and_follows_the_format(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []

    def look(dialog: QFileDialog) -> int:
        seen.append(Path(dialog.selectedFiles()[0]).name)
        dialog.selectNameFilter("Two (*.two)")
        dialog.filterSelected.emit("Two (*.two)")
        return 1

    monkeypatch.setattr(QFileDialog, "exec", look)
    listed = {"One (*.one)": ".one", "Two (*.two)": ".two"}
    place = choose_place(bench.window, "Save", tmp_path / "a.b-3061", listed)
    assert seen == ["a.b-3061.one"] and place == (tmp_path / "a.b-3061.two", "Two (*.two)")


def test_it_is_saved_where_one_saved_last(
    bench: Bench, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also after another folder was opened from."""
    mine, other = tmp_path / "mine", tmp_path / "other"
    mine.mkdir(), other.mkdir()
    asked = choose(monkeypatch, mine / "a")
    table = bench.add()
    bench.saving.ask_save(table)
    qtbot.waitUntil(lambda: not table.dirty)
    bench.store.set("folder", str(other))
    bench.saving.ask_save(table)
    assert Path(asked[-1]).parent == mine
    (mine / "a.json").unlink(missing_ok=True)

"""Saving and opening what the slider stands at."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from bpe_studio import api
from bpe_studio.bpe.patterns import PRESETS
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.gui import saving
from bpe_studio.gui.saving import Saving
from bpe_studio.gui.size_actions import SizeActions, sized_name
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.settings_store import SettingsStore
from bpe_studio.gui.state.size import SizeState

TEXT = "low low lower lowest newest newer wider widest " * 3


class Bench:
    def __init__(self, qtbot: QtBot, folder: Path) -> None:
        self.folder = folder
        (folder / "corpus.txt").write_text(TEXT)
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.tables = OpenTables()
        self.size = SizeState(self.tables)
        store = SettingsStore(folder / "settings")
        self.saving = Saving(window=self.window, tables=self.tables, store=store)
        self.sizes = SizeActions(tables=self.tables, size=self.size, saving=self.saving)
        self.told: list[str] = []
        self.saving.told.connect(self.told.append)
        self.sizes.told.connect(self.told.append)

    def open(self, vocab_size: int = 280, name: str = "mine-280") -> OpenTable:
        tokenizer = api.train(self.folder / "corpus.txt", vocab_size=vocab_size)
        return self.tables.add(OpenTable(tokenizer=tokenizer, name=name, dirty=True))


@pytest.fixture
def bench(qtbot: QtBot, tmp_path: Path) -> Bench:
    return Bench(qtbot, tmp_path)


def test_names() -> None:
    for name, expected in (
        ("code-8000", "code-4000"),
        ("stdlib-8k", "stdlib-4000"),
        ("gpt2", "gpt2-4000"),
        ("llama3", "llama3-4000"),
        ("8000", "8000-4000"),
        ("mine", "mine-4000"),
        ("stdlib-8k (2) → 12k", "stdlib-4000"),
        ("mine (2)", "mine-4000"),
    ):
        assert sized_name(name, 4000) == expected


def test_save_this_size(bench: Bench, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is what a training to that size saves, and the open table stays as it was."""
    table = bench.open()
    asked: list[tuple[str, Path]] = []
    out = bench.folder / "small.json"

    def choose(_: object, title: str, suggested: Path, *_rest: object) -> tuple[Path, str]:
        asked.append((title, suggested))
        return out, ""

    monkeypatch.setattr(saving, "choose_place", choose)
    bench.size.set_merges(8)
    bench.sizes.save()
    qtbot.waitUntil(lambda: bench.told == ["Saved small.json."], timeout=60_000)
    assert asked[0][0] == "Save mine-270" and asked[0][1].name == "mine-270"
    api.save(api.train(bench.folder / "corpus.txt", vocab_size=270), bench.folder / "other.json")
    assert out.read_bytes() == (bench.folder / "other.json").read_bytes()
    assert (table.path, table.dirty, table.name) == (None, True, "mine-280")
    assert bench.tables.tables == [table]


def test_open_this_size(bench: Bench) -> None:
    table = bench.open()
    bench.size.set_merges(8)
    bench.sizes.open_as_table()
    opened = bench.tables.current
    assert opened is not table and opened.name == "mine-270" and opened.dirty
    assert opened.tokenizer.merges == table.tokenizer.merges[:8]
    assert bench.size.merges is None and bench.told == ["Opened the first 8 merges as mine-270."]
    bench.tables.set_current(table)
    assert bench.size.merges == 8
    bench.sizes.use_all()
    assert bench.size.merges is None


def test_all_merges_are_no_size_to_save(bench: Bench) -> None:
    bench.sizes.save()
    bench.open()
    bench.sizes.open_as_table()
    assert len(bench.tables) == 1 and len(bench.told) == 2
    assert "choose a smaller size" in bench.told[-1]


def test_a_saved_size_is_a_table_of_its_own(
    bench: Bench, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Merges that wait for later ones are left out of it, and the others are numbered anew."""
    merges = [(256, 97, 260), (98, 99, 257), (97, 257, 259), (97, 97, 256)]
    table = MergeTable.build(byte_ids=range(256), merges=merges)
    bench.tables.add(
        OpenTable(tokenizer=Tokenizer(table=table, pattern=PRESETS["classic"]), name="abc")
    )
    out = bench.folder / "small.json"
    monkeypatch.setattr(saving, "choose_place", lambda *_: (out, ""))
    bench.size.set_merges(3)
    bench.sizes.save()
    qtbot.waitUntil(lambda: bench.told == ["Saved small.json."], timeout=60_000)
    loaded = api.load(out)
    assert loaded.merges == [(98, 99, 257), (97, 257, 259)] and loaded.table.ranks_of(259) == (1,)
    assert loaded.encode("abc") == [259]
    bench.sizes.open_as_table()
    assert bench.tables.tables[-1].tokenizer.table.ranks_of(259) == (1,)

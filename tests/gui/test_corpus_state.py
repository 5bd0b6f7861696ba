"""Adding, counting and removing what is to be trained on."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from bpe_studio.gui.state.corpus import CorpusState


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    (tmp_path / "a.txt").write_text("low")
    (tmp_path / "in" / "b.txt").write_text("lower")
    return tmp_path


def found(qtbot: QtBot, state: CorpusState) -> tuple[int, int]:
    qtbot.waitUntil(lambda: state.corpus is not None)
    assert state.corpus is not None
    return len(state.corpus.files), state.corpus.total_bytes


def test_files_and_folders_are_counted(qtbot: QtBot, folder: Path) -> None:
    state = CorpusState()
    state.add([folder])
    assert state.is_looking and state.corpus is None and not state.is_empty
    assert found(qtbot, state) == (2, 8)
    state.add([folder])
    assert state.roots == (folder,)


def test_what_is_removed_counts_no_more(qtbot: QtBot, folder: Path) -> None:
    state = CorpusState()
    state.add([folder / "a.txt", folder / "in"])
    assert found(qtbot, state) == (2, 8)
    state.remove([folder / "in"])
    assert found(qtbot, state) == (1, 3) and state.name == "a"
    state.clear()
    assert state.is_empty and state.corpus is None and not state.is_looking


def test_the_last_change_wins(qtbot: QtBot, folder: Path) -> None:
    state = CorpusState()
    for _ in range(5):
        state.add([folder])
        state.remove([folder])
    state.add([folder / "a.txt"])
    assert found(qtbot, state) == (1, 3)


def test_the_standard_library_is_python_only(qtbot: QtBot) -> None:
    state = CorpusState()
    state.use_standard_library()
    assert state.has_standard_library and not state.is_empty and state.name == "stdlib"
    files, size = found(qtbot, state)
    assert files > 300 and size > 3_000_000
    assert all(file.label.endswith(".py") for file in state.corpus.files)


def test_a_path_that_is_not_there_is_a_problem(qtbot: QtBot, tmp_path: Path) -> None:
    state = CorpusState()
    state.add([tmp_path / "none"])
    assert found(qtbot, state) == (0, 0)
    assert len(state.corpus.problems) == 1


def test_the_way_of_reading_reaches_the_corpus(qtbot: QtBot, folder: Path) -> None:
    state = CorpusState()
    state.add([folder])
    state.set_reading(text_key="body", errors="strict")
    found(qtbot, state)
    assert (state.corpus.text_key, state.corpus.errors) == ("body", "strict")


def test_close_ends_the_walk(qtbot: QtBot) -> None:
    state = CorpusState()
    state.add([Path(__file__).parents[2]])
    state.close(2000)
    assert not state.is_looking or state.corpus is None


def is_for_hold_out(qtbot: QtBot, path: Path) -> bool:
    state = CorpusState()
    assert not state.is_for_hold_out
    state.add([path])
    found(qtbot, state)
    return state.is_for_hold_out


def test_a_hold_out_is_for_large_corpora_of_many_documents(qtbot: QtBot, tmp_path: Path) -> None:
    for name, size in (("one.txt", 2_000_000), ("rows.jsonl", 2_000_000), ("few.jsonl", 9)):
        (tmp_path / name).write_bytes(b"a" * size)
        assert is_for_hold_out(qtbot, tmp_path / name) is (name == "rows.jsonl")
    many = tmp_path / "many"
    many.mkdir()
    for number in range(50):
        (many / f"{number}.txt").write_bytes(b"a" * 20_001)
    assert is_for_hold_out(qtbot, many)

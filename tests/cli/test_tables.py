"""TABLE: a path first, then a name of a table that comes with the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from bpe_studio import formats
from bpe_studio.cli import tables


def test_a_file_wins_over_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(formats, "table_names", lambda: ("small",))
    assert tables.find("small") == formats._TABLES / "small.json"
    Path("small").mkdir()  # a folder is no table
    assert tables.find("small") == formats._TABLES / "small.json"
    Path("small").rmdir()
    Path("small").write_text("{}")
    assert tables.find("small") == Path("small")


def test_notes_are_told(low: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.json"
    path.write_text(low.read_text().replace('"unicode": "', '"unicode": "0'))
    tables.open_table(str(path))
    assert capsys.readouterr().err.startswith(f"bpe-studio: {path}: The table was saved with Uni")


def test_kernels_are_compiled_once_with_a_word(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from bpe_studio import warm

    calls: list[int] = []
    monkeypatch.setattr(warm, "warm", lambda: calls.append(1))
    for compiled in (True, False):
        monkeypatch.setattr(tables, "are_compiled", lambda compiled=compiled: compiled)
        tables.compile_kernels()
    assert calls == [1]
    assert capsys.readouterr().err.startswith("Compiling the kernels; this takes half a minute")

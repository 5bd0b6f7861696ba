"""What the first word decides, and the picture of the window."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bpe_studio import __main__ as program
from bpe_studio import formats

pytest.importorskip("PySide6")


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[list[Path]]:
    """What the window is asked to open, instead of a window."""
    from bpe_studio.gui import app

    calls: list[list[Path]] = []

    def run_window(files: list[Path]) -> int:
        calls.append(files)
        return 0

    monkeypatch.setattr(app, "run_window", run_window)
    return calls


def test_no_words_open_the_window(opened: list[list[Path]]) -> None:
    assert program.main([]) == 0
    assert opened == [[]]


def test_files_open_the_window(opened: list[list[Path]], tmp_path: Path) -> None:
    (tmp_path / "a.txt").touch()
    (tmp_path / "b.txt").touch()
    words = [str(tmp_path / "a.txt"), str(tmp_path / "b.txt")]
    assert program.main(words) == 0
    assert opened == [[tmp_path / "a.txt", tmp_path / "b.txt"]]
    assert program.main([*words, "no-such-file"]) == 2
    assert len(opened) == 1


def test_a_table_that_comes_with_the_program_opens_by_its_name(
    opened: list[list[Path]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert program.main(["stdlib-8k"]) == 0
    assert opened == [[formats.find_table("stdlib-8k")]]
    Path("stdlib-8k").touch()  # what is there wins
    assert program.main(["stdlib-8k"]) == 0
    assert opened[1] == [Path("stdlib-8k")]


def test_a_model_folder_opens_the_window(opened: list[list[Path]], tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").touch()
    assert program.main([str(tmp_path)]) == 0
    assert opened == [[tmp_path]]


def test_a_command_wins_over_a_file(
    opened: list[list[Path]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("health").touch()
    assert program.main(["health"]) == 2
    assert "missing argument 'TABLE'" in capsys.readouterr().err
    assert program.main(["./health"]) == 0
    assert opened == [[Path("./health")]]


def command(*words: object) -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    return subprocess.run(
        [sys.executable, "-m", "bpe_studio", *map(str, words)],
        capture_output=True,
        text=True,
        env=environ,
    )


def test_screenshot(tmp_path: Path) -> None:
    out = tmp_path / "a.png"
    (tmp_path / "a.txt").write_text("low lower lowest")
    words = ("--tokenizer", "worked-example", "--text", tmp_path / "a.txt", "--panel", "health")
    result = command("screenshot", out, *words, "--size", "1100x760")
    assert result.returncode == 0, result.stderr
    data = out.read_bytes()
    assert data.startswith(b"\x89PNG")
    size = int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    assert size == (1100, 760)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--tokenizer", "nothing"], "nothing: there is no such file, and no table of that name"),
        (["--panel", "nothing"], "There is no panel 'nothing'; the panels are "),
        (["--text", "nothing"], "nothing cannot be read: there is no such file or folder."),
        (["--size", "300x200"], "The window cannot be 300x200; the least is "),
    ],
)
def test_screenshot_errors(tmp_path: Path, words: list[str], message: str) -> None:
    result = command("screenshot", tmp_path / "a.png", *words)
    assert result.returncode == 1
    assert result.stdout == ""
    assert f"bpe-studio: {message}" in result.stderr
    assert "Traceback" not in result.stderr


def test_screenshot_looks_first_where_to_save(tmp_path: Path) -> None:
    assert program.main(["screenshot", str(tmp_path / "a.jpg")]) == 2
    assert program.main(["screenshot", str(tmp_path / "no" / "a.png")]) == 1

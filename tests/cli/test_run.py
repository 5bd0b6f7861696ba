"""Exit statuses and the shape of errors, in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bpe_studio.__main__ import main
from tests.cli.conftest import Run

COMMAND = [sys.executable, "-m", "bpe_studio"]


def test_help_and_version(run: Run) -> None:
    for words in (["--help"], ["-h"], ["train", "--help"]):
        result = run(*words)
        assert (result.status, result.err) == (0, "")
        assert result.out.startswith("Usage: bpe-studio")
    for command in ("train", "encode", "decode", "explain", "health", "compare", "screenshot"):
        told = run(command, "--help").out
        assert not any(word in told for word in ("<str>", "<path>", "<int>", "list["))
    assert run("--version").out == "bpe-studio 0.1.0\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["nonsense"],
            "nonsense is neither a command, a file nor a table; see `bpe-studio --help`.",
        ),
        (["--nonsense"], "no such option: --nonsense; see `bpe-studio --help`."),
        (["train", "--out"], "option '--out' requires an argument; see `bpe-studio"),
        (
            ["train", "a", "-o", "b"],
            "missing option '--vocab-size'; see `bpe-studio train --help`.",
        ),
        (["train", "-o", "b", "--vocab-size", "9"], "invalid value: give a PATH, or --standard-l"),
        (
            ["train", "a", "-o", "b", "--vocab-size", "x"],
            "invalid value for '--vocab-size': 'x' is no whole number; see `bpe-studio train",
        ),
        (
            ["train", "a", "-o", "b", "--vocab-size", "9", "--base", "x"],
            "invalid value for '--base': 'x' is not one of 'bytes', 'chars'; see `bpe-studio tr",
        ),
        (["train", "a", "-o", "-", "--vocab-size", "9"], "invalid value for -o: the table goes in"),
        (
            ["train", "a", "-o", "b.json", "--vocab-size", "9", "--min-freq", "0"],
            "invalid value for --min-freq: a smallest count is 1 or more",
        ),
        (
            ["convert", "a", "b.json", "--vocab-size", "x"],
            "invalid value for '--vocab-size': 'x' is no whole number; see `bpe-studio convert",
        ),
        (["encode"], "missing option '-t' / '--table'; see `bpe-studio encode --help`."),
        (["encode", "-t", "x", "--json", "--count"], "invalid value: --json, --count and -o exc"),
        (["encode", "-t", "x", "-o", "a.txt"], "invalid value for -o: a.txt must end in .npy or"),
        (["explain", "-t", "x", "text", "--why", "2"], "invalid value for --why: '2' is no span"),
        (["health"], "missing argument 'TABLE'; see `bpe-studio health --help`."),
        (["screenshot", "a.png", "--size", "5"], "invalid value for --size: '5' is no size; wri"),
    ],
)
def test_wrong_usage_is_status_2_and_one_line(run: Run, words: list[str], message: str) -> None:
    result = run(*words)
    assert result.status == 2
    assert result.out == ""
    assert result.err.startswith(f"bpe-studio: {message}")
    assert result.err.count("\n") == 1


def test_a_folder_as_first_word(run: Run, tmp_path: Path) -> None:
    result = run(tmp_path)
    assert result.status == 2
    assert "is a folder without a tokenizer; `bpe-studio train" in result.err


@pytest.mark.parametrize("name", ["nothing", "no/table.json", "missing.json"])
def test_a_table_that_is_not_there_is_status_1(run: Run, name: str) -> None:
    result = run("encode", "-t", name)
    assert result.status == 1
    assert result.err.startswith(f"bpe-studio: {name}")
    assert "there is no such file" in result.err
    assert result.err.count("\n") == 1


def test_a_broken_table_is_one_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text('{"format": "bpe-studio",\n')
    result = run("health", tmp_path / "t.json")
    assert result.status == 1
    assert result.err == (
        f"bpe-studio: {tmp_path / 't.json'}: line 2, column 1: it ends in the middle, so "
        "a part of the file is missing; download or save it again.\n"
    )


def test_help_imports_no_engine_and_no_qt() -> None:
    code = (
        "import sys; from bpe_studio.__main__ import main; main(['train', '--help']); "
        "main(['--help']); heavy = {'numba', 'numpy', 'regex', 'PySide6', 'pyqtgraph', "
        "'zstandard'} & set(sys.modules); sys.exit(f'imported {heavy}' if heavy else 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


WITHOUT_QT = (
    "import sys; sys.modules.update(dict.fromkeys(['PySide6', 'shiboken6', 'pyqtgraph']));"
    "from bpe_studio.__main__ import main; sys.exit(main(sys.argv[1:]))"
)


def without_qt(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", WITHOUT_QT, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8")


def test_every_command_works_without_qt(low: Path, tmp_path: Path) -> None:
    text, table = low.with_name("low.txt"), tmp_path / "t.json"
    for words in (
        ("train", text, "-o", table, "--vocab-size", 280),
        ("encode", "-t", table, text),
        ("explain", "-t", table, "lowest", "--why", "0:6"),
        ("health", table, "--corpus", text),
        ("compare", table, low, "--text", text),
    ):
        result = without_qt(*words)
        assert result.returncode == 0, result.stderr
    for words in ((), (text,), ("screenshot", tmp_path / "a.png")):
        result = without_qt(*words)
        assert result.returncode == 1
        assert result.stderr.startswith("bpe-studio: the window needs PySide6, which cannot be")
        assert result.stderr.count("\n") == 1


def many_lines(path: Path) -> Path:
    path.write_text('{"text": "low lower lowest"}\n' * 30_000)
    return path


def test_a_closed_pipe_is_quiet(low: Path, tmp_path: Path) -> None:
    rows = many_lines(tmp_path / "rows.jsonl")
    command = [*COMMAND, "encode", "-t", str(low), str(rows)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout is not None and child.stderr is not None
        assert child.stdout.readline() == b"263 265 120 265 121 122\n"
        child.stdout.close()
        assert child.stderr.read() == b""
        assert child.wait() == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_on_stdout_is_one_line(low: Path) -> None:
    with open("/dev/full", "wb") as full:
        command = [*COMMAND, "encode", "-t", str(low), str(low.with_name("low.txt"))]
        result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert result.returncode == 1
    assert result.stderr == "bpe-studio: standard output cannot be written: the disk is full.\n"


def shell(redirection: str, *words: object) -> subprocess.CompletedProcess[str]:
    script = f'exec "$@" {redirection}'
    command = ["sh", "-c", script, "sh", *COMMAND, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.mark.skipif(os.name == "nt", reason="needs a shell of POSIX")
def test_closed_streams(low: Path, tmp_path: Path) -> None:
    text, out = low.with_name("low.txt"), tmp_path / "t.json"
    result = shell(">&-", "encode", "-t", low, text)
    assert (result.returncode, result.stderr) == (
        1,
        "bpe-studio: standard output cannot be written: it is closed.\n",
    )
    result = shell("<&-", "encode", "-t", low)
    assert (result.returncode, result.stderr) == (1, "bpe-studio: standard input is closed.\n")
    for closed in (">&-", "<&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"):
        result = shell(closed, "train", text, "-o", out, "--vocab-size", 280)
        assert (result.returncode, result.stdout) == (0, "")
        assert out.read_bytes() == low.read_bytes()
        out.unlink()
    assert shell("2>&-", "encode", "-t", low, "nothing").returncode == 1
    assert shell(">&-", "--help").returncode == 0


def test_a_defect_is_one_sentence(
    run: Run, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise AssertionError

    monkeypatch.delenv("BPE_STUDIO_TRACEBACK", raising=False)
    monkeypatch.setattr("bpe_studio.bpe.lesson.Lesson.run", broken)
    result = run("lesson")
    assert (result.status, result.out) == (1, "")
    assert result.err.startswith("bpe-studio: this is a defect of the program (AssertionError in ")
    assert result.err.count("\n") == 1 and "please report it" in result.err
    monkeypatch.setenv("BPE_STUDIO_TRACEBACK", "1")
    assert main(["lesson"]) == 1
    assert "Traceback" in capfd.readouterr().err

"""Reading in a process of its own."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Generator
from pathlib import Path

import pytest

from bpe_studio import formats
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.formats import studio
from bpe_studio.formats.apart import process
from bpe_studio.formats.apart.reading import read_apart

TABLE = formats.find_table("worked-example")


def result_of(steps: Generator[float, None, Tokenizer]) -> Tokenizer:
    while True:
        try:
            assert 0 <= next(steps) <= 1
        except StopIteration as stop:
            found: Tokenizer = stop.value
            return found


def play(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    """Another child, which does as it likes."""
    monkeypatch.setattr(process, "_command", lambda module, flag: [sys.executable, "-c", program])


def test_the_child_reads_what_we_read() -> None:
    there = result_of(read_apart(TABLE))
    assert not any("asking" in thread.name for thread in threading.enumerate())
    assert studio.data_of(there) == studio.data_of(formats.load(TABLE))


def test_errors_are_those_of_the_reader(tmp_path: Path) -> None:
    broken = tmp_path / "a.json"
    broken.write_text('{"format": "bpe-studio"')
    for path, kind in ((broken, ValueError), (tmp_path / "none", OSError), (tmp_path, ValueError)):
        with pytest.raises(kind) as here:
            formats.load(path)
        with pytest.raises(kind) as there:
            result_of(read_apart(path))
        assert str(here.value) == str(there.value)


def test_a_name_that_is_no_text(tmp_path: Path) -> None:
    path = Path(str(tmp_path), "caf\udce9.json")
    try:
        path.write_bytes(TABLE.read_bytes())
    except (OSError, UnicodeError):
        pytest.skip("the file system takes no such name")
    assert result_of(read_apart(path)).vocab_size == formats.load(TABLE).vocab_size


def test_a_module_in_the_folder_of_the_user_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit(9)")
    monkeypatch.chdir(tmp_path)
    assert result_of(read_apart(TABLE)).merges


def test_an_expression_that_takes_long_to_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    play(
        monkeypatch,
        "from bpe_studio.formats.apart import child; child._SLOWEST_PATTERN = -1.0; child.main()",
    )
    with pytest.raises(ValueError, match="take too long to compile"):
        result_of(read_apart(TABLE))


def test_closing_ends_the_child(monkeypatch: pytest.MonkeyPatch) -> None:
    play(monkeypatch, "import time; time.sleep(60)")
    steps = read_apart(TABLE)
    for _ in range(5):
        assert next(steps) == 0.0
    began = time.monotonic()
    steps.close()
    assert time.monotonic() - began < 1
    assert not any("asking" in thread.name for thread in threading.enumerate())


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("import os; os.abort()", "has ended in the middle"),
        ("pass", "has ended in the middle"),
        ("print('x' * 100)", "makes no sense"),
        ("import sys; sys.stdout.buffer.write(b'A' + b'\\xff' * 8)", "makes no sense"),
        ("import sys; sys.stdout.buffer.write(b'Z' + bytes(8))", "makes no sense"),
        ("import sys; sys.stdout.buffer.write(b'E\\1' + bytes(7) + b'1')", "makes no sense"),
    ],
)
def test_a_child_that_dies_or_lies_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, program: str, words: str
) -> None:
    play(monkeypatch, program)
    with pytest.raises(ValueError, match=words) as error:
        result_of(read_apart(TABLE))
    assert str(error.value).startswith(str(TABLE)) and "\n" not in str(error.value)


@pytest.mark.skipif(sys.platform != "linux", reason="the limit on memory is one of Linux")
def test_a_file_that_takes_too_much_memory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "deep.json"
    path.write_text('{"format": "bpe-studio", "x": [' + "[1]," * 4_000_000 + "[1]]}")
    play(
        monkeypatch,
        "from bpe_studio.formats.apart import child; child.MEMORY_LIMIT = 500 << 20; child.main()",
    )
    with pytest.raises(ValueError, match="takes too much memory"):
        result_of(read_apart(path))

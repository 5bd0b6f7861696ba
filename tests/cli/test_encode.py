"""encode: text, JSON, counts and arrays, a document at a time."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import Run


class Input(io.TextIOWrapper):
    def __init__(self, data: bytes) -> None:
        super().__init__(io.BytesIO(data), encoding="ascii")


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"text": "low"}\n{"text": ""}\n{"text": "lowest"}\n')
    return path


def test_a_document_a_line(run: Run, low: Path, rows: Path) -> None:
    result = run("encode", "-t", low, low.with_name("low.txt"), rows)
    assert (result.status, result.err) == (0, "")
    assert result.out == "263 264 265 120 265 121 122\n263\n\n263 107 121 122\n"


def test_roles(run: Run, low: Path, rows: Path) -> None:
    result = run("encode", "-t", low, "--add-bos", "--add-eos", rows)
    assert result.out == "1 263 2\n1 2\n1 263 107 121 122 2\n"


def test_json_and_count(run: Run, low: Path, rows: Path) -> None:
    lines = run("encode", "-t", low, "--json", rows).out.splitlines()
    assert list(map(json.loads, lines)) == [[263], [], [263, 107, 121, 122]]
    assert run("encode", "-t", low, "--count", rows).out == "1\n0\n4\n"


@pytest.mark.parametrize("name", [[], ["-"]])
def test_standard_input(
    run: Run, low: Path, monkeypatch: pytest.MonkeyPatch, name: list[str]
) -> None:
    monkeypatch.setattr("sys.stdin", Input("löw\r\n".encode()))
    assert run("encode", "-t", low, *name).out == "114 201 188 125 19 16\n"
    monkeypatch.setattr("sys.stdin", Input(b"low\xff"))
    result = run("encode", "-t", low, *name)
    assert result.status == 1
    assert "standard input is not valid UTF-8 (first at byte 3)" in result.err


def test_specials_are_text_unless_allowed(
    run: Run, low: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for allowed, count in ((None, 5), ("all", 1), ("<bos>,<eos>", 1)):
        monkeypatch.setattr("sys.stdin", Input(b"<bos>"))
        words = [] if allowed is None else ["--allow-special", allowed]
        assert run("encode", "-t", low, "--count", *words).out == f"{count}\n"
    result = run("encode", "-t", low, "--allow-special", "<no>", low)
    assert result.status == 1
    assert "has no special '<no>'" in result.err


@pytest.mark.parametrize("suffix", [".npy", ".bin"])
def test_arrays(run: Run, low: Path, rows: Path, tmp_path: Path, suffix: str) -> None:
    out = tmp_path / f"ids{suffix}"
    result = run("encode", "-t", low, "--add-eos", "-o", out, rows)
    assert (result.status, result.out, result.err) == (0, "", "")
    array = np.load(out) if suffix == ".npy" else np.fromfile(out, dtype="<u2")
    assert array.dtype == np.dtype("<u2")
    assert array.tolist() == [263, 2, 2, 263, 107, 121, 122, 2]


def test_large_ids_take_32_bits(run: Run, low: Path, rows: Path, tmp_path: Path) -> None:
    value = json.loads(low.read_text())
    value["specials"]["<far>"] = 70_000
    (tmp_path / "far.json").write_text(json.dumps(value))
    run("encode", "-t", tmp_path / "far.json", "-o", tmp_path / "ids.bin", rows)
    assert np.fromfile(tmp_path / "ids.bin", dtype="<u4").tolist() == [263, 263, 107, 121, 122]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\0\1\2", "It is a binary file"),
        (b"caf\xe9", "1 byte is not valid UTF-8 (first at byte 3"),
    ],
)
def test_what_is_no_text_is_an_error(
    run: Run, low: Path, tmp_path: Path, data: bytes, message: str
) -> None:
    (tmp_path / "a").write_bytes(data)
    result = run("encode", "-t", low, "-o", tmp_path / "ids.bin", tmp_path / "a")
    assert result.status == 1
    assert result.err.startswith(f"bpe-studio: a: {message}")
    assert not (tmp_path / "ids.bin").exists()

"""encode: text, JSON, counts and arrays, a document at a time."""

from __future__ import annotations

import io
import json
import os
import threading
from pathlib import Path

import numpy as np
import pytest

import bpe_studio as bs
from bpe_studio.cli import documents
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
    assert "stdin: 1 byte is not valid UTF-8 (first at byte 3)" in result.err


def test_specials_are_text_unless_allowed(
    run: Run, low: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for allowed, count in ((None, 5), ("none", 5), ("all", 1), ("<bos>,<eos>", 1)):
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
    assert (result.status, result.out) == (0, "")
    assert result.err.endswith(f"\nSaved {out}: 8 ids of 3 documents, as uint16\n")
    array = np.load(out) if suffix == ".npy" else np.fromfile(out, dtype="<u2")
    assert array.dtype == np.dtype("<u2")
    assert array.tolist() == [263, 2, 2, 263, 107, 121, 122, 2]


def test_large_ids_take_32_bits(run: Run, low: Path, rows: Path, tmp_path: Path) -> None:
    value = json.loads(low.read_text())
    value["specials"]["<far>"] = 70_000
    del value["training"]  # it knows nothing of this special
    (tmp_path / "far.json").write_text(json.dumps(value))
    run("encode", "-t", tmp_path / "far.json", "-o", tmp_path / "ids.bin", rows)
    assert np.fromfile(tmp_path / "ids.bin", dtype="<u4").tolist() == [263, 263, 107, 121, 122]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\0\1\2", "It is a binary file; give text, as UTF-8 or UTF-16, without zero bytes."),
        (
            b"caf\xe9",
            "1 byte is not valid UTF-8 (first at byte 3); reading stopped there; correct it, or "
            "make the file UTF-8.",
        ),
    ],
)
def test_what_is_no_text_is_an_error(
    run: Run, low: Path, tmp_path: Path, data: bytes, message: str
) -> None:
    (tmp_path / "a").write_bytes(data)
    result = run("encode", "-t", low, "-o", tmp_path / "ids.bin", tmp_path / "a")
    assert result.status == 1
    assert result.err.startswith(f"bpe-studio: a: {message}")
    assert result.err.count("\n") == 1
    assert "left out" not in result.err
    assert not (tmp_path / "ids.bin").exists()


def test_a_lone_surrogate_is_an_error(run: Run, low: Path, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "low"}\n{"text": "\\udc00"}\n')
    for words in (("encode", "-t", low), ("compare", low, low, "--text")):
        result = run(*words, tmp_path / "a.jsonl")
        assert result.status == 1
        assert "a.jsonl: 1 row with a lone surrogate (first row 2); reading stopped" in result.err


def test_what_is_no_file_in_a_folder_is_an_error(run: Run, low: Path, tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(low)
    result = run("encode", "-t", low, tmp_path)
    assert (result.status, result.out) == (1, "")
    assert result.err == "bpe-studio: a: It is a link, not a regular file.\n"


@pytest.mark.parametrize(
    "data",
    [b"\xef\xbb\xbflow", "low\r\n".encode("utf-16"), b"lo" + b"w" * 9000 + b"\0", b"", b"\0"],
)
def test_standard_input_follows_the_rules_of_files(
    run: Run, low: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes
) -> None:
    (tmp_path / "stdin").write_bytes(data)
    monkeypatch.setattr("sys.stdin", Input(data))
    assert run("encode", "-t", low, tmp_path / "stdin") == run("encode", "-t", low, "-")


def test_standard_input_is_there_once(run: Run, low: Path) -> None:
    result = run("encode", "-t", low, "-", "-")
    assert result.status == 1
    assert "`-` is there twice, and standard input can be read only once." in result.err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of POSIX")
def test_a_pipe_that_is_named_is_read(run: Run, low: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "p.jsonl")
    rows = b'{"text": "low"}\n{"text": "lowest"}\n'
    writer = threading.Thread(target=(tmp_path / "p.jsonl").write_bytes, args=(rows,))
    writer.start()
    assert run("encode", "-t", low, tmp_path / "p.jsonl").out == "263\n263 107 121 122\n"
    writer.join()


def test_text_key(run: Run, low: Path, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"body": "low"}\n')
    result = run("encode", "-t", low, "--text-key", "body", tmp_path / "a.jsonl")
    assert (result.out, result.err) == ("263\n", "")
    result = run("encode", "-t", low, "--text-key", "body", low.with_name("low.txt"))
    assert result.status == 0
    assert "--text-key changes nothing: no file here is called .jsonl" in result.err


def test_where_to_save_is_looked_at_first(run: Run, low: Path, rows: Path, tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_bytes(b"low")
    (tmp_path / "folder.npy").mkdir()
    for out, message in {
        "no/a.bin": "no/a.bin cannot be saved: there is no folder",
        "folder.npy": "folder.npy cannot be saved: it is a folder.",
        "a.bin": "a.bin is one of the files to encode; name another file.",
    }.items():
        result = run("encode", "-t", low, "-o", tmp_path / out, rows, tmp_path / "a.bin")
        assert result.status == 1
        assert message in result.err
        assert result.err.count("\n") == 1
    assert (tmp_path / "a.bin").read_bytes() == b"low"


def test_long_documents_come_in_runs(
    run: Run, low: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "_RUN_CHARACTERS", 50_000)
    (tmp_path / "a.txt").write_text("low lower lowest <eos>\n" * 10_000)
    (tmp_path / "b.txt").write_text("w" * 200_000)
    files = [tmp_path / "a.txt", tmp_path / "b.txt"]
    table = bs.load(low)
    expected = [table.encode(path.read_text(), add_bos=True, add_eos=True) for path in files]
    words = ("encode", "-t", low, "--add-bos", "--add-eos")
    lines = run(*words, *files).out.splitlines()
    assert [list(map(int, line.split())) for line in lines] == expected
    lines = run(*words, "--json", *files).out.splitlines()
    assert list(map(json.loads, lines)) == expected
    assert run(*words, "--count", *files).out.split() == [str(len(ids)) for ids in expected]
    run(*words, "-o", tmp_path / "a.npy", *files)
    assert np.load(tmp_path / "a.npy").tolist() == [*expected[0], *expected[1]]
    special = run("encode", "-t", low, "--allow-special", "all", "--count", files[0])
    assert special.out == f"{len(table.encode(files[0].read_text(), allowed_special='all'))}\n"


def test_a_smaller_vocabulary(run: Run, low: Path, rows: Path) -> None:
    """The first merges only, here two of four: as `Tokenizer.prefix`."""
    result = run("encode", "-t", low, "--vocab-size", "264", low.with_name("low.txt"))
    expected = bs.load(low).prefix(2).encode("low low lower lowest")
    assert result.out == " ".join(map(str, expected)) + "\n"
    assert expected != bs.load(low).encode("low low lower lowest")
    wrong = run("encode", "-t", low, "--vocab-size", "8000", rows)
    assert (wrong.status, wrong.out) == (1, "")
    assert wrong.err == (
        f"bpe-studio: {low}: The first merges of the table make vocabularies of 262 to 266 tokens, "
        "not of 8,000.\n"
    )

"""decode: what encode wrote comes back, byte for byte."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import Run

TEXT = "low löwest\r\n\u2028 <bos>\n"


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "a.txt"
    path.write_bytes(TEXT.encode())
    return path


@pytest.mark.parametrize("options", [[], ["--json"], ["-o", "ids.npy"], ["-o", "ids.bin"]])
def test_round_trip(
    run: Run,
    low: Path,
    text: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("encode", "-t", low, "--add-bos", *options, text, text)
    ids = Path(options[1] if "-o" in options else "ids.txt")
    if "-o" not in options:
        ids.write_text(result.out)
    assert run("decode", "-t", low, "--skip-specials", ids).out == TEXT + TEXT
    assert run("decode", "-t", low, ids).out == f"<bos>{TEXT}<bos>{TEXT}"


def test_half_characters_stay_bytes(
    low: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    from bpe_studio.__main__ import main

    (tmp_path / "ids").write_text("201")
    assert main(["decode", "-t", str(low), str(tmp_path / "ids")]) == 0
    assert capfdbinary.readouterr().out == b"\xc3"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"263\n999\n", "ids, line 2, word 1: there is no token with the id 999."),
        (b"263 x1", "ids, line 1, word 2: 'x1' is no id."),
        (b"263 -1", "ids, line 1, word 2: '-1' is no id."),
        (b"9" * 10_000, "ids, line 1, word 1: there is no token with the id 99999999999999999999."),
        ("٣".encode(), "ids, line 1, word 1: '٣' is no id."),
        (b"263\x1b[31m" + b"x" * 90_000, "word 1: '263⟨1B⟩' is no id."),
        (b"[71", "ids, line 1: the list that begins here is not closed, so a part of it may"),
        (b"[71]\n[[263]\n71\n", "ids, line 2: the list that begins here is not closed, so a"),
        (b"71\n72]", "ids, line 2: there is a ] that no [ comes before."),
        (b"\x93NUMPY\x01", "ids: it is binary, not text; give an array of ids as a file that ends"),
        (b"\7\1\0\1", "ids: it is binary, not text; give an array of ids as a file that ends"),
    ],
)
def test_wrong_ids(run: Run, low: Path, tmp_path: Path, data: bytes, message: str) -> None:
    (tmp_path / "ids").write_bytes(data)
    result = run("decode", "-t", low, tmp_path / "ids")
    assert result.status == 1
    assert message in result.err


def test_lists_over_lines(run: Run, low: Path, tmp_path: Path) -> None:
    (tmp_path / "ids").write_text("[\n [263],\n [264,\n  265]\n]\n")
    assert run("decode", "-t", low, tmp_path / "ids").out == "low low lowe"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of POSIX")
@pytest.mark.parametrize("name", ["pipe", "pipe.npy"])
def test_a_pipe_that_is_named_is_read(run: Run, low: Path, tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    run("encode", "-t", low, "-o", tmp_path / "ids.npy", low.with_name("low.txt"))
    data = (tmp_path / "ids.npy").read_bytes() if "." in name else b"263 264 265 120\n"
    writer = threading.Thread(target=(tmp_path / name).write_bytes, args=(data,))
    writer.start()
    result = run("decode", "-t", low, tmp_path / name)
    writer.join()
    assert (result.status, result.err) == (0, "")
    assert result.out.startswith("low low lower")


def test_wrong_arrays(run: Run, low: Path, tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_bytes(b"abc")
    assert (
        "has 3 bytes, which is no multiple of 2" in run("decode", "-t", low, tmp_path / "a.bin").err
    )
    (tmp_path / "a.npy").write_bytes(b"abc")
    assert "it is no array of ids" in run("decode", "-t", low, tmp_path / "a.npy").err
    for bad in (np.zeros((2, 2), dtype=int), np.zeros(3), np.array(["a"])):
        np.save(tmp_path / "b.npy", bad)
        assert "one row of whole numbers" in run("decode", "-t", low, tmp_path / "b.npy").err
    np.save(tmp_path / "d.npy", np.array([263, 2, 999, -1]))
    result = run("decode", "-t", low, tmp_path / "d.npy")
    assert (result.status, result.out) == (1, "")
    assert result.err.endswith("d.npy: there is no token with the id 999 (position 2).\n")
    np.save(tmp_path / "c.npy", np.array([{}], dtype=object), allow_pickle=True)
    result = run("decode", "-t", low, tmp_path / "c.npy")
    assert (result.status, result.out) == (1, "")
    assert "it is no array of ids as numpy saves them." in result.err

"""Training from the command line: the file, the summary, Ctrl-C."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import bpe_studio as bs
from bpe_studio.cli.progress import Progress
from tests.cli.conftest import Run


def test_worked_example(run: Run, low: Path, tmp_path: Path) -> None:
    out = tmp_path / "t.json"
    result = run("train", low.with_name("low.txt"), "-o", out, "--vocab-size", 280)
    assert (result.status, result.out) == (0, "")
    assert out.read_bytes() == low.read_bytes()
    assert result.err.endswith(
        "1 document, 20 bytes, 4 pieces, 4 distinct\n"
        "4 merges, 266 ids, no pair is frequent enough; 2.86 characters per token\n"
        f"Saved {out}\n"
    )


def test_every_setting_arrives(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"body": "é low low low lower"}\n' * 3)
    out = tmp_path / "t.json"
    words = (
        "train", tmp_path / "a.jsonl", "--out", out, "--vocab-size", 262, "--min-freq", 3,
        "--pattern", r"\S+|\s+", "--base", "chars", "--ties", "smallest-ids",
        "--byte-order", "gpt2", "--specials", "<a>,<b>", "--text-key", "body",
        "--errors", "strict",
    )  # fmt: skip
    assert run(*words).status == 0
    table = bs.load(out)
    assert table.specials == ("<a>", "<b>")
    assert table.training is not None
    assert table.training.settings == {
        "vocab_size": 262, "min_freq": 3, "pattern": "custom", "base": "chars",
        "ties": "smallest-ids", "byte_order": "gpt2", "specials": ["<a>", "<b>"],
    }  # fmt: skip
    more = tmp_path / "more.json"
    again = run(
        "train", tmp_path / "a.jsonl", "-o", more, "--vocab-size", 263, "--start", out,
        "--text-key", "body",
    )  # fmt: skip
    assert again.status == 0
    assert bs.load(more).merges[: len(table.merges)] == table.merges
    assert bs.load(more).vocab_size == 263


def test_problems_are_in_the_summary(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_bytes(b"low low \xff low")
    (tmp_path / "in" / "b.png").write_bytes(b"\x89PNG\0")
    (tmp_path / "in" / "c\x1b[31m.txt").symlink_to("a.txt")
    result = run("train", tmp_path / "in", "-o", tmp_path / "t.json", "--vocab-size", 265)
    assert result.status == 0
    assert "a.txt: 1 byte is not valid UTF-8 (first at byte 8); left out.\n" in result.err
    assert "b.png: It is a binary file and was left out.\n" in result.err
    assert "c⟨1B⟩[31m.txt: It is a link" in result.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--vocab-size", "261"], "the smallest is 262"),
        (["--vocab-size", "300", "--pattern", "(("], "The pattern '((' is not a valid expression"),
        (["--vocab-size", "300", "--errors", "strict"], "bad.txt: 1 byte is not valid UTF-8 (fir"),
    ],
)
def test_errors(run: Run, tmp_path: Path, words: list[str], message: str) -> None:
    (tmp_path / "bad.txt").write_bytes(b"low \xff low")
    result = run("train", tmp_path / "bad.txt", "-o", tmp_path / "t.json", *words)
    assert result.status == 1
    assert message in result.err
    assert os.listdir(tmp_path) == ["bad.txt"]


def test_where_to_save_is_looked_at_first(run: Run, low: Path, tmp_path: Path) -> None:
    text = low.with_name("low.txt")
    result = run("train", text, "-o", tmp_path, "--vocab-size", 280)
    assert (result.status, result.err) == (
        1,
        f"bpe-studio: {tmp_path} is a folder; give the name of a file.\n",
    )
    result = run("train", text, "-o", tmp_path / "no" / "t.json", "--vocab-size", 280)
    assert result.status == 1
    assert "there is no folder" in result.err
    if not hasattr(os, "mkfifo"):
        return
    os.mkfifo(tmp_path / "pipe")
    result = run("train", text, "-o", tmp_path / "pipe", "--vocab-size", 280)
    assert result.status == 1
    assert "pipe is no regular file; give the name of one." in result.err
    assert result.err.count("\n") == 1


def interrupt_in(phase: str, monkeypatch: pytest.MonkeyPatch) -> None:
    update = Progress.update

    def interrupt(self: Progress, done: int) -> None:
        update(self, done)
        if self._name == phase:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Progress, "update", interrupt)


@pytest.mark.parametrize("phase", ["Counting", "Merging"])
def test_an_interrupt_saves_nothing(
    run: Run, low: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, phase: str
) -> None:
    interrupt_in(phase, monkeypatch)
    out = tmp_path / "t.json"
    result = run("train", low.with_name("low.txt"), "-o", out, "--vocab-size", 280)
    assert result.status == 130
    assert "bpe-studio: interrupted; nothing was saved" in result.err
    assert os.listdir(tmp_path) == []
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_interrupt_can_keep_the_smaller_table(
    run: Run, low: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "t.json"
    words = ("train", low.with_name("low.txt"), "-o", out, "--vocab-size", 280, "--keep-partial")
    interrupt_in("Counting", monkeypatch)
    result = run(*words)
    assert result.status == 130
    assert "nothing was saved" in result.err or out.exists()
    monkeypatch.undo()
    interrupt_in("Merging", monkeypatch)
    result = run(*words)
    assert result.status == 130
    assert result.err.endswith("bpe-studio: interrupted; the smaller table was saved.\n")
    full = bs.load(low).merges
    assert bs.load(out).merges == full[: len(bs.load(out).merges)]


def test_ctrl_c_for_real(tmp_path: Path) -> None:
    letters = random.Random(4)
    words = ("".join(letters.choices("etaoinshrdlu", k=12)) for _ in range(200_000))
    (tmp_path / "a.txt").write_text(" ".join(words))
    command = [
        sys.executable, "-m", "bpe_studio", "train", str(tmp_path / "a.txt"),
        "-o", str(tmp_path / "t.json"), "--vocab-size", "200000", "--keep-partial",
    ]  # fmt: skip
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as child:
        assert child.stderr is not None
        for line in child.stderr:
            if line.startswith("Counting:"):  # so merging has begun
                child.send_signal(signal.SIGINT)
        assert child.wait() == 130
    assert sorted(os.listdir(tmp_path)) == ["a.txt", "t.json"]
    assert len(bs.load(tmp_path / "t.json").merges) < 199_738

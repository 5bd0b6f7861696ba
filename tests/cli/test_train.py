"""Training from the command line: the file, the summary, Ctrl-C."""

from __future__ import annotations

import io
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


def test_a_share_is_held_out(run: Run, tmp_path: Path) -> None:
    rows = (f'{{"text": "low lower lowest newer {n}"}}\n' for n in range(100))
    (tmp_path / "a.jsonl").write_text("".join(rows))
    out = tmp_path / "t.json"
    words = ("train", tmp_path / "a.jsonl", "-o", out, "--vocab-size", 300, "--hold-out")
    told = run(*words, "10%")
    record = bs.load(out).training
    assert record is not None
    assert record.settings["hold_out"] == 0.1
    held = record.held_out_totals["documents"]
    assert held + record.totals["documents"] == 100
    assert f"\n{held} documents held out, " in told.err
    assert "nothing was held out: no document with text fell into" in run(*words, "0.00001").err
    assert "is no share" in run(*words, "x").err


def test_rules_and_what_is_left_out(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for n in range(5):
        (folder / f"{n}.txt").write_text(f"low lower lowest 日本 日本 {n}")
    (folder / "bad.txt").write_text(" Magikarp" * 99)
    rows = (f'{{"text": "{text}"}}\n' for text in ("low low", "petertodd " * 99))
    (folder / "rows.jsonl").write_text("".join(rows))
    out = tmp_path / "t.json"
    words = (
        "train", folder, "-o", out, "--vocab-size", 400, "--whole-characters",
        "--max-token-bytes", 6, "--min-documents", 3, "--without", "bad.txt",
        "--without", "rows.jsonl:2",
    )  # fmt: skip
    told = run(*words)
    assert told.status == 0
    assert (
        "rules for merges: only whole characters, or the beginning of one, none of over 6 "
        "bytes, only pairs of at least 3 documents "
    ) in " ".join(told.err.split())
    assert max(map(len, told.err.splitlines())) < 100
    assert "\n1 file and 1 row left out, as asked\n" in told.err
    assert "the rules allow no other pair" in told.err
    table = bs.load(out)
    assert table.training is not None
    assert table.training.without == ("bad.txt", "rows.jsonl:2")
    assert table.training.totals["documents"] == 6
    assert table.training.settings["max_token_bytes"] == 6
    more = run(*words[:-1], "rows.jsonl:3")
    assert more.status == 1 and "names no row: rows.jsonl has 2 rows." in more.err
    again = run("train", folder, "-o", tmp_path / "u.json", "--vocab-size", 401, "--start", out)
    assert again.status == 0 and "1 file and 1 row left out, as asked" in again.err
    some = run(
        "train", folder, "-o", tmp_path / "v.json", "--vocab-size", 401, "--start", out,
        "--without", "0.txt",
    )  # fmt: skip
    assert "2 files and 1 row left out, as asked" in some.err
    for wrong in (("--max-token-bytes", 1), ("--min-documents", 0)):
        assert run(*words, *wrong).status in (1, 2)


def test_problems_are_in_the_summary(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_bytes(b"low low \xff low")
    (tmp_path / "in" / "b.png").write_bytes(b"\x89PNG\0")
    (tmp_path / "in" / "c\x1b[31m.txt").symlink_to("a.txt")
    result = run("train", tmp_path / "in", "-o", tmp_path / "t.json", "--vocab-size", 265)
    assert result.status == 0
    assert "a.txt: 1 byte is not valid UTF-8 (first at byte 8); left out.\n" in result.err
    assert "b.png: It is a binary file; left out.\n" in result.err
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


def test_what_is_trained_is_saved_in_our_format(run: Run, low: Path, tmp_path: Path) -> None:
    words = ("train", low.with_name("low.txt"), "--vocab-size", 280, "-o")
    result = run(*words, tmp_path / "t.tiktoken")
    assert result.status == 2 and "must end in .json" in result.err
    assert run(*words, tmp_path / "t.any").status == 0
    assert bs.load(tmp_path / "t.any").training is not None


def test_where_to_save_is_looked_at_first(run: Run, low: Path, tmp_path: Path) -> None:
    text = low.with_name("low.txt")
    result = run("train", text, "-o", tmp_path, "--vocab-size", 280)
    assert (result.status, result.err) == (
        1,
        f"bpe-studio: {tmp_path} cannot be saved: it is a folder.\n",
    )
    result = run("train", text, "-o", tmp_path / "no" / "t.json", "--vocab-size", 280)
    assert result.status == 1
    assert "there is no folder" in result.err
    if not hasattr(os, "mkfifo"):
        return
    os.mkfifo(tmp_path / "pipe")
    result = run("train", text, "-o", tmp_path / "pipe", "--vocab-size", 280)
    assert result.status == 1
    assert "pipe cannot be saved: it is a named pipe, not a regular file." in result.err
    assert result.err.count("\n") == 1


def test_what_is_no_table_is_not_replaced(run: Run, low: Path, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    text, other = tmp_path / "in" / "a.txt", tmp_path / "notes"
    text.write_text("low low lower lowest")
    other.write_text("mine")
    (tmp_path / "in" / "t.json").write_bytes(low.read_bytes())
    (tmp_path / "link").symlink_to(text)
    for out, message in (
        (text, "a.txt is one of the files to train on; name another file."),
        (tmp_path / "link", "link is one of the files to train on; name another file."),
        (tmp_path / "in" / "t.json", "t.json is one of the files to train on; name another file."),
        (other, "notes is there and is no tokenizer; name another file."),
    ):
        data = out.read_bytes()
        result = run("train", text, tmp_path / "in", "-o", out, "--vocab-size", 280)
        assert result.status == 1
        assert result.err.endswith(message + "\n")
        assert result.err.splitlines()[-1].count(out.name) == 1
        assert out.read_bytes() == data
    for old in (b"", low.read_bytes()):
        (tmp_path / "t.json").write_bytes(old)
        assert run("train", text, "-o", tmp_path / "t.json", "--vocab-size", 280).status == 0


def test_standard_input(
    run: Run, low: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "t.json"
    data = low.with_name("low.txt").read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert run("train", "-", "-o", out, "--vocab-size", 280).status == 0
    training = bs.load(out).training
    assert training is not None
    assert training.corpus["files"] == [{"path": "stdin", "size": 20}]
    assert bs.load(out).merges == bs.load(low).merges


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of POSIX")
def test_a_pipe_is_no_corpus(run: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    result = run("train", tmp_path / "pipe", "-o", tmp_path / "t.json", "--vocab-size", 280)
    assert (result.status, result.err) == (
        1,
        f"bpe-studio: {tmp_path / 'pipe'} is a pipe; give it as standard input, which `-` stands "
        "for.\n",
    )


def test_a_file_given_twice_is_told(run: Run, low: Path, tmp_path: Path) -> None:
    text = low.with_name("low.txt")
    (tmp_path / "link.txt").symlink_to(text)
    result = run(
        "train", text, tmp_path / "link.txt", "-o", tmp_path / "t.json", "--vocab-size", 280
    )
    assert result.err.startswith("bpe-studio: link.txt is there twice, and is read twice.\n")
    assert "2 documents, 40 bytes" in result.err


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
    before = "" if phase == "Merging" else " before the first merge"
    assert f"bpe-studio: interrupted{before}; nothing was saved" in result.err
    assert os.listdir(tmp_path) == []
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_interrupt_can_keep_the_smaller_table(
    run: Run, low: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "t.json"
    words = ("train", low.with_name("low.txt"), "-o", out, "--vocab-size", 280, "--keep-partial")
    out.write_bytes(low.read_bytes())
    interrupt_in("Counting", monkeypatch)
    result = run(*words)
    assert result.status == 130
    assert result.err.endswith("interrupted before the first merge; nothing was saved.\n")
    assert out.read_bytes() == low.read_bytes()
    out.unlink()
    monkeypatch.undo()
    interrupt_in("Merging", monkeypatch)  # which is one step here, so all is learned
    result = run(*words)
    assert result.status == 130
    assert result.err.endswith("bpe-studio: interrupted; the whole table was saved.\n")
    assert out.read_bytes() == low.read_bytes()


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_of_the_save_waits_for_its_end(
    run: Run, low: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    keep: bool, number: int, status: int,
) -> None:  # fmt: skip
    fsync = os.fsync

    def interrupt(descriptor: int) -> None:
        monkeypatch.undo()
        signal.raise_signal(number)
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", interrupt)
    words = ["--keep-partial"] if keep else []
    text, out = low.with_name("low.txt"), tmp_path / "t.json"
    result = run("train", text, "-o", out, "--vocab-size", 280, *words)
    assert result.status == status
    assert result.err.endswith("bpe-studio: interrupted; the whole table was saved.\n")
    assert out.read_bytes() == low.read_bytes()


def test_a_second_interrupt_of_the_save_leaves_the_old_file(
    run: Run, low: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_descriptor: int) -> None:
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(os, "fsync", interrupt)
    text, out = low.with_name("low.txt"), tmp_path / "t.json"
    result = run("train", text, "-o", out, "--vocab-size", 280)
    assert result.status == 130
    assert result.err.endswith("bpe-studio: interrupted; nothing was saved.\n")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_for_real(tmp_path: Path, number: int, status: int) -> None:
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
                child.send_signal(number)
        assert child.wait() == status
    assert sorted(os.listdir(tmp_path)) == ["a.txt", "t.json"]
    assert len(bs.load(tmp_path / "t.json").merges) < 199_738


def test_rules_that_allow_no_merge_at_all_are_told(run: Run, tmp_path: Path) -> None:
    for n in range(3):
        (tmp_path / f"{n}.txt").write_text("low lower lowest " * 9)
    words = ("train", tmp_path, "-o", tmp_path / "t.json", "--vocab-size", 300)
    told = run(*words, "--min-documents", 100_000)
    assert told.status == 0
    assert "0 merges, 262 ids, the rules ended it before the first merge" in told.err
    assert "before the first merge" not in run(*words, "--min-documents", 3).err

"""Training WordPiece and Unigram from the command line."""

from __future__ import annotations

import os
import re
import signal
import sys
from pathlib import Path

import pytest

import bpe_studio as bs
from bpe_studio.cli.progress import Progress
from bpe_studio.probe import probe_folder
from tests.cli.conftest import Run

_MERGING = (
    ("--base", "bytes"),
    ("--ties", "first-seen"),
    ("--byte-order", "value"),
    ("--start", "stdlib-8k"),
    ("--whole-characters",),
    ("--max-token-bytes", 8),
    ("--min-documents", 2),
    ("--keep-partial",),
)


@pytest.mark.parametrize(("model", "title"), [("wordpiece", "WordPiece"), ("unigram", "Unigram")])
def test_a_file_of_the_size_asked_for(run: Run, tmp_path: Path, model: str, title: str) -> None:
    out = tmp_path / "t.json"
    words = ("--vocab-size", 800, "--model", model, "--specials", "<a>,<b>", "--pattern", "gpt2")
    result = run("train", probe_folder(), "-o", out, *words)
    assert (result.status, result.out) == (0, "")
    assert re.search(r"^Training: \d+\.\d s$", result.err, re.MULTILINE)
    assert result.err.endswith(f"{title}, 800 ids\nSaved {out}\n")
    table = bs.load(out)
    assert table.vocab_size == 800
    assert table.special_ids == {"<a>": 0, "<b>": 1}
    text = (probe_folder() / "Emoji.txt").read_bytes().decode()
    assert table.decode(table.encode(text)) == text


def test_a_small_text_has_no_more(run: Run, low: Path, tmp_path: Path) -> None:
    text, out = low.with_name("low.txt"), tmp_path / "t.json"
    words = ("--vocab-size", 900, "--model", "wordpiece", "--min-freq", 2)
    result = run("train", text, "-o", out, *words)
    assert result.status == 0
    assert "The text gives WordPiece no more than 26" in result.err


@pytest.mark.parametrize("option", _MERGING)
def test_what_says_how_bpe_merges_is_refused(
    run: Run, low: Path, tmp_path: Path, option: tuple[object, ...]
) -> None:
    text, out = low.with_name("low.txt"), tmp_path / "t.json"
    result = run("train", text, "-o", out, "--vocab-size", 300, "--model", "unigram", *option)
    assert (result.status, result.out) == (1, "")
    assert result.err == (
        f"bpe-studio: {option[0]} says how BPE merges; --model unigram has no such option.\n"
    )
    assert os.listdir(tmp_path) == []


def test_of_several_all_are_named(run: Run, low: Path, tmp_path: Path) -> None:
    text, out = low.with_name("low.txt"), tmp_path / "t.json"
    options = ("--model", "unigram", "--min-freq", 2, "--ties", "first-seen")
    result = run("train", text, "-o", out, "--vocab-size", 300, *options)
    assert result.err.startswith("bpe-studio: --min-freq and --ties say how BPE merges; ")


def test_without_the_package(
    run: Run, low: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    text, out = low.with_name("low.txt"), tmp_path / "t.json"
    result = run("train", text, "-o", out, "--vocab-size", 300, "--model", "unigram")
    assert result.status == 1
    assert result.err.endswith("pip install 'bpe-studio[huggingface]'.\n")


@pytest.mark.parametrize("phase", ["Counting", "Training"])
def test_an_interrupt_leaves_no_file(
    run: Run, low: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, phase: str
) -> None:
    update = Progress.update

    def interrupt(self: Progress, done: int) -> None:
        update(self, done)
        if self._name == phase:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Progress, "update", interrupt)
    text, out = low.with_name("low.txt"), tmp_path / "t.json"
    result = run("train", text, "-o", out, "--vocab-size", 300, "--model", "unigram")
    assert result.status == 130
    assert result.err.endswith("bpe-studio: interrupted; nothing was saved.\n")
    assert os.listdir(tmp_path) == []

"""Commands on tables that cannot encode, and on those that another library encodes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import bpe_studio as bs
from tests.cli.conftest import Run

WHY = "BertNormalizer"


@pytest.fixture
def viewed(low: Path, tmp_path: Path) -> Path:
    """A tokenizer.json with a normalizer that is not understood."""
    path = tmp_path / "viewed.json"
    bs.save(bs.load(low), path, "huggingface")
    content = json.loads(path.read_text(encoding="utf-8"))
    content["normalizer"] = {
        "type": "BertNormalizer",
        "clean_text": True,
        "handle_chinese_chars": True,
        "strip_accents": None,
        "lowercase": True,
    }
    path.write_text(json.dumps(content), encoding="utf-8")
    assert bs.load(path).view_only
    return path


@pytest.fixture
def words(tmp_path: Path) -> Path:
    """A WordLevel model, which the package tokenizers runs."""
    path = tmp_path / "words.json"
    model = {"type": "WordLevel", "vocab": {"[UNK]": 0, "low": 1, "er": 2}, "unk_token": "[UNK]"}
    content = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": None,
        "decoder": None,
        "model": model,
    }
    path.write_text(json.dumps(content), encoding="utf-8")
    assert bs.load(path).outside is not None
    return path


@pytest.mark.parametrize("command", [("encode", "-t"), ("explain", "-t")])
def test_the_reason_is_one_line(
    run: Run, viewed: Path, low: Path, command: tuple[str, str]
) -> None:
    text = low.with_name("low.txt") if command[0] == "encode" else "low"
    result = run(*command, viewed, text)
    assert result.status == 1 and result.out == "" and WHY in result.err.splitlines()[-1]


def test_what_needs_no_encoding_works(run: Run, viewed: Path, low: Path) -> None:
    health = run("health", viewed)
    assert health.status == 0 and "not looked for" in health.out and WHY in health.out
    compared = run("compare", viewed, low)
    assert compared.status == 0 and "shared" in compared.out
    with_text = run("compare", viewed, low, "--text", low.with_name("low.txt"))
    assert with_text.status == 1 and "shared" in with_text.out
    assert "viewed.json: the text is not compared. " in with_text.err and WHY in with_text.err


def test_no_training_goes_on(run: Run, viewed: Path, low: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    result = run(
        "train", low.with_name("low.txt"), "-o", out, "--vocab-size", 300, "--start", viewed
    )
    assert result.status == 1 and WHY in result.err and not out.exists()


def test_another_library_encodes(run: Run, words: Path, low: Path) -> None:
    text = low.with_name("low.txt")
    result = run("encode", "-t", words, text)
    assert (result.status, result.out) == (0, "1 1 0 0\n")
    assert "no merges" in run("explain", "-t", words, "low").err
    assert run("health", words).status == 0
    assert run("compare", words, low, "--text", text).status == 0
    assert run("convert", words, words.with_name("out.tiktoken")).status == 1

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


def test_what_is_asked_of_a_viewed_table_is_told(
    run: Run, viewed: Path, low: Path, tmp_path: Path
) -> None:
    text, report = low.with_name("low.txt"), tmp_path / "r.md"
    for option in (("--corpus", text), ("--probe",), ("--text", text, "--fail-if-worse", "5")):
        result = run("compare", low, viewed, *option, "--json", "-o", report)
        assert result.status == 1 and WHY in result.err.splitlines()[-1]
        told = json.loads(result.out)
        assert told["shared"] == 260 and told["corpus"] is told["text"] is None
        assert WHY in told["notes"][0] and WHY in report.read_text()
    beside = run("compare", low, low, viewed, "--text", text, "--corpus", text)
    assert beside.status == 0 and WHY in beside.err.splitlines()[-1]
    assert ["C", "–", "–"] in [line.split() for line in beside.out.splitlines()]
    told = json.loads(run("compare", low, low, viewed, "--probe", "--json").out)
    assert [table["table"] for table in told["corpus"]["tables"]] == [0, 1]
    assert run("compare", low, low, viewed, "--probe", "-o", tmp_path / "r.html").status == 0


def test_a_library_takes_part_in_all(run: Run, words: Path, low: Path, tmp_path: Path) -> None:
    text = low.with_name("low.txt")
    given = ("compare", low, words, "--text", text, "--corpus", text, "--parallel", text, text)
    told = json.loads(run(*given, "--json", "-o", tmp_path / "r.html").out)
    assert told["text"]["tokens"] == [7, 4] == [t["tokens"] for t in told["corpus"]["tables"]]
    assert told["corpus"]["tables"][1]["curve"] is None and told["parallel"]["tokens"][1] == [4, 4]
    assert [table["unknown"] for table in told["corpus"]["tables"]] == [None, 2]
    warned = "B has its unknown token, or another special, 2 times (50.0 % of its tokens)"
    assert warned in run(*given).out and warned in (tmp_path / "r.html").read_text()
    assert "plot-curves" in (tmp_path / "r.html").read_text()

"""health: the analysis's flags, as text and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import bpe_studio as bs
from bpe_studio.analysis.health import check_all
from tests.cli.conftest import Run


def test_without_a_corpus(run: Run, low: Path) -> None:
    result = run("health", low)
    assert result.status == 0
    report = check_all(bs.load(low))
    assert result.out.startswith(f"260 tokens; {report.flagged} flagged\n")
    assert result.out.endswith(
        "\nnot known without --corpus: concentrated, absent, never emitted, rare, scaffold, unused "
        "base symbol\n"
    )
    told = json.loads(run("health", low, "--json").out)
    assert told["counts"] == report.counts
    assert [flag["id"] for flag in told["flags"]] == [flag.id for flag in report.flags]


def test_with_a_corpus(run: Run, low: Path) -> None:
    text = low.with_name("low.txt")
    result = run("health", low, "--corpus", text, text)
    assert result.status == 0
    assert result.err.startswith("bpe-studio: low.txt is there twice, and is read twice.\n")
    assert "not known" not in result.out
    assert result.out.startswith("260 tokens, 6 of them used by the corpus; ")
    assert "\nNever emitted\n  262  lo  It was made 8 times" in result.out
    told = json.loads(run("health", "--json", "--corpus", text, low).out)
    assert told["used"] == 6
    flag = next(flag for flag in told["flags"] if flag["kind"] == "never-emitted")
    assert (flag["id"], flag["token"], flag["bytes"]) == (262, "lo", b"lo".hex())


def test_text_key(run: Run, low: Path, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"body": "low lower"}\n')
    result = run("health", low, "--text-key", "body", "--corpus", tmp_path / "a.jsonl")
    assert result.out.startswith("260 tokens, 3 of them used by the corpus; ")
    result = run("health", low, "--text-key", "body")
    assert result.status == 2
    assert "--text-key goes with --corpus" in result.err


def test_what_cannot_be_looked_at(run: Run, low: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    result = run("health", low, "--corpus", tmp_path / "empty")
    assert result.status == 1
    assert result.err.splitlines()[-1] == "bpe-studio: The corpus holds no text."
    result = run("health", low, "--corpus", tmp_path / "nothing")
    assert result.status == 1
    assert "nothing cannot be read: there is no such file or folder." in result.err

"""compare: a corpus, the probe texts, parallel files, and reports."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import bpe_studio as bs
from bpe_studio.probe import PROBE_PARALLEL, probe_corpus
from tests.cli.conftest import Run

TABLES = ("stdlib-8k", "sample-chars")


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "a.txt").write_text("The river was 1234 metres wide.\nIt was deep.\n")
    (folder / "b.py").write_text("def river():\n    return 1234\n")
    (folder / "c.bin").write_bytes(b"\0\1\2")
    return folder


def _tokens(table: str, *paths: Path) -> int:
    tokenizer = bs.load(table)
    return sum(len(tokenizer.encode(path.read_text(encoding="utf-8"))) for path in paths)


def test_a_corpus(run: Run, texts: Path) -> None:
    result = run("compare", *TABLES, "--corpus", texts)
    assert result.status == 0
    assert "c.bin" in result.err and "Encoding: " in result.err
    assert "\ncorpus texts: 2 files, 2 documents, " in result.out
    told = json.loads(run("compare", *TABLES, "--json", "--corpus", texts).out)["corpus"]
    paths = texts / "a.txt", texts / "b.py"
    assert [one["tokens"] for one in told["tables"]] == [_tokens(one, *paths) for one in TABLES]
    assert {kind["name"] for kind in told["kinds"]} == {"Plain text", "Python"}
    assert told["name"] == "texts" and len(told["problems"]) == 1
    assert f"{told['tables'][1]['tokens']:,}" in result.out
    assert told["equal_size"]["vocab_size"] == bs.load("sample-chars").vocab_size


def test_the_probe_tells_languages(run: Run) -> None:
    result = run("compare", *TABLES, "--probe")
    assert result.status == 0
    assert "\ncorpus the probe texts: " in result.out
    assert "\nparallel files, tokens over those of English.txt\n" in result.out
    told = json.loads(run("compare", *TABLES, "--probe", "--json").out)
    assert told["parallel"]["files"] == list(PROBE_PARALLEL)
    assert [row[0] for row in told["parallel"]["ratios"]] == [1.0, 1.0]
    assert told["corpus"]["files"] == len(probe_corpus().files)


def test_corpus_and_probe_are_one(run: Run, texts: Path) -> None:
    told = json.loads(run("compare", *TABLES, "--probe", "--corpus", texts, "--json").out)
    assert told["corpus"]["files"] == 2 + len(probe_corpus().files)
    assert told["corpus"]["name"] == "texts and the probe texts"
    assert told["parallel"]["files"] == list(PROBE_PARALLEL)


def test_parallel_files(run: Run, tmp_path: Path) -> None:
    english, german = tmp_path / "en" / "t.txt", tmp_path / "de" / "t.txt"
    for path, text in ((english, "The river.\nIt is deep."), (german, "Der Fluss.\n")):
        path.parent.mkdir()
        path.write_text(text)
    result = run("compare", *TABLES, "--parallel", english, german)
    assert result.status == 0
    assert "The parallel files have different numbers of lines: t.txt 2, t.txt 1." in result.err
    told = json.loads(run("compare", *TABLES, "--json", "--parallel", english, german).out)
    tokens = [[_tokens(table, path) for path in (english, german)] for table in TABLES]
    assert told["parallel"]["tokens"] == tokens and told["parallel"]["lines"] == [2, 1]
    assert told["parallel"]["ratios"][0] == [1.0, tokens[0][1] / tokens[0][0]]
    assert told["corpus"] is None
    alone = run("compare", *TABLES, "--parallel", english)
    assert alone.status == 1 and "two files or more" in alone.err.splitlines()[-1]
    german.write_text("")
    empty = run("compare", *TABLES, "--parallel", english, german)
    assert empty.status == 1 and "is empty" in empty.err.splitlines()[-1]


def test_reports(run: Run, texts: Path, tmp_path: Path) -> None:
    places = [tmp_path / f"r{suffix}" for suffix in (".html", ".md", ".csv", ".json")]
    options = [word for place in places for word in ("-o", place)]
    words = ("compare", *TABLES, "--text", texts / "a.txt", "--corpus", texts)
    result = run(*words, *options)
    assert result.status == 0
    assert all(f"Saved {place}: " in result.err for place in places)
    assert run(*words, *options).status == 0  # such reports are replaced
    assert places[3].read_text() == run(*words, "--json").out
    rows = places[2].read_text().splitlines()
    assert len(rows) == 1 + len(json.loads(places[3].read_text())["tokens"])
    assert "On the corpus" in places[0].read_text() and "## On the corpus" in places[1].read_text()


def test_a_report_replaces_nothing_else(run: Run, low: Path, texts: Path, tmp_path: Path) -> None:
    other = tmp_path / "notes.md"
    other.write_text("# Notes\n")
    result = run("compare", low, low, "-o", other)
    assert result.status == 1 and "is no report of a comparison" in result.err
    assert run("compare", low, low, "-o", tmp_path / "r.pdf").status == 1
    health = tmp_path / "h.html"
    assert run("health", low, "-o", health).status == 0
    assert run("compare", low, low, "-o", health).status == 1
    read = run("compare", low, low, "--text", texts / "a.txt", "-o", tmp_path / "r.json")
    assert read.status == 0
    again = run("compare", low, low, "--text", tmp_path / "r.json", "-o", tmp_path / "r.json")
    assert again.status == 1 and "is one of the files to read" in again.err


def test_an_interrupt_ends_a_pass(tmp_path: Path) -> None:
    text = tmp_path / "long.txt"
    text.write_text("The river was 1234 metres wide and it was deep. " * 400_000)
    words = [sys.executable, "-m", "bpe_studio", "compare", *TABLES, "--corpus", str(text)]
    process = subprocess.Popen(
        [*words, *[str(text)] * 8], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    time.sleep(2.0)
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert err.splitlines()[-1].startswith("bpe-studio: interrupted")

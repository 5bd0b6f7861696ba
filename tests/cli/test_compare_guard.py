"""compare --fail-if-worse: when it fails, what it says, and what it refuses."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe_studio as bs
from bpe_studio.cli.compare_guard import Guarded, guard_words, parse_percent
from tests.cli.conftest import Run


@pytest.fixture
def worse(low: Path, tmp_path: Path) -> Path:
    """A table that cuts `low.txt` into 12 tokens, where the worked example makes 7."""
    path = tmp_path / "worse.json"
    bs.save(bs.train(low.with_name("low.txt"), vocab_size=264), path)
    return path


@given(st.integers(1, 300), st.integers(0, 300), st.integers(0, 400))
def test_it_fails_from_so_many_per_cent_on(a: int, b: int, tenths: int) -> None:
    words = guard_words([Guarded("t", a, b)], parse_percent(f"{tenths // 10}.{tenths % 10}"))
    extra = Fraction(100 * (b - a), a)
    assert bool(words) == (b > a and extra >= Fraction(tenths, 10))


@pytest.mark.parametrize(
    ("percent", "status"),
    [("0", 3), ("71.4", 3), ("71.5", 0), ("5%", 3), ("100", 0)],
)
@pytest.mark.parametrize("option", ["--text", "--corpus"])
def test_exit_status(
    run: Run, low: Path, worse: Path, option: str, percent: str, status: int
) -> None:
    text = low.with_name("low.txt")
    result = run("compare", low, worse, option, text, "--fail-if-worse", percent)
    assert result.status == status
    assert result.out.startswith("   name")
    failed = [line for line in result.err.splitlines() if line.startswith("bpe-studio: ")]
    assert len(failed) == (status == 3)
    if failed:
        assert "B needs 71.43 % more tokens than A (12 against 7)" in failed[0]
    assert run("compare", worse, low, option, text, "--fail-if-worse", percent).status == 0


def test_exactly_so_many_per_cent_fail() -> None:
    texts = [Guarded("t", 100, 105)]
    assert guard_words(texts, parse_percent("5")).endswith(
        "(105 against 100), and 5 % or more fails."
    )
    assert guard_words(texts, parse_percent("5.001")) == ""
    assert guard_words([Guarded("t", 7, 7)], parse_percent("0")) == ""
    assert guard_words([Guarded("t", 7, 8)], parse_percent("0")).endswith("and any more fails.")


def test_all_texts_are_judged_together_and_the_worst_are_named(
    run: Run, low: Path, worse: Path, tmp_path: Path
) -> None:
    (tmp_path / "same.txt").write_text("xyz " * 40)
    text = low.with_name("low.txt")
    words = ("compare", low, worse, "--text", text, "--corpus", tmp_path / "same.txt", text)
    result = run(*words, "--fail-if-worse", "1", "--json")
    assert result.status == 3
    said = result.err.splitlines()[-1]
    assert "worst: low.txt 71.43 % (12 against 7), low.txt 71.43 % (12 against 7)." in said
    assert "same.txt" not in said
    told = json.loads(result.out)
    total = told["text"]["tokens_a"] + told["corpus"]["tables"][0]["tokens"]
    assert f"against {total}), and 1 % or more fails" in said
    assert run(*words, "--fail-if-worse", "20").status == 0


def test_parallel_files_and_the_probe_are_judged(run: Run, low: Path, worse: Path) -> None:
    text = low.with_name("low.txt")
    assert run("compare", low, worse, "--parallel", text, text, "--fail-if-worse", "5").status == 3
    assert (
        run("compare", "stdlib-8k", "worked-example", "--probe", "--fail-if-worse", "5").status == 3
    )


def test_it_needs_texts(run: Run, low: Path, worse: Path, tmp_path: Path) -> None:
    result = run("compare", low, worse, "--fail-if-worse", "5")
    assert result.status == 2 and "it needs texts to judge by" in result.err
    empty = tmp_path / "empty.txt"
    empty.write_text("")
    told = run("compare", low, worse, "--text", empty, "--fail-if-worse", "5")
    assert told.status == 1 and "cannot judge" in told.err


@pytest.mark.parametrize("percent", ["-1", "nan", "inf", "two", "", "1e2", "%", "5%%"])
def test_no_percentage(run: Run, low: Path, percent: str) -> None:
    text = low.with_name("low.txt")
    result = run("compare", low, low, "--text", text, f"--fail-if-worse={percent}")
    assert result.status == 2 and "is no percentage" in result.err
    with pytest.raises(ValueError, match="is no percentage"):
        parse_percent(percent)


def test_the_guard_has_its_word_when_nobody_reads_what_is_printed() -> None:
    command = ["compare", "stdlib-8k", "worked-example", "--probe", "--fail-if-worse", "5"]
    process = subprocess.Popen(
        [sys.executable, "-m", "bpe_studio", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    told = process.stderr.read().decode()
    process.stderr.close()
    assert process.wait() == 3
    assert "B needs" in told

"""lesson: the steps of a training as text and JSON, units and traps."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

import bpe_studio as bs
from bpe_studio.bpe.lesson import TOY_CORPUS
from tests.cli.conftest import Run


def test_every_step_as_text(run: Run) -> None:
    result = run("lesson", "low low lower lowest")
    assert (result.status, result.err) == (0, "")
    out = result.out
    assert out.startswith("A lesson in byte-pair encoding: 4 merges\nText: low low lower lowest\n")
    assert "\nMerge 1: l + o → lo, the token 262\n" in out
    assert "\n  2 pairs occur 4 times each; of these the one that the text shows first is" in out
    assert "\n  → 4  l + o\n  = 4  o + w\n    3  ␠ + l\n" in out
    assert "\n  1× low\n  1× ␠|low\n  1× ␠|low|e|r\n  1× ␠|low|e|s|t\n" in out
    assert "\n  vocabulary 263 (+1), tokens 16 (−4), 1.25 characters per token\n" in out
    assert out.endswith(
        "The end: a merge needs a pair that occurs twice, and the most frequent one occurs once.\n"
    )


def test_a_few_merges_tell_what_is_next(run: Run) -> None:
    out = run("lesson", "--merges", 1).out
    assert "Merge 1: " in out and "Merge 2: " not in out
    assert "\nNext: 2 pairs occur 4 times each; of these" in out


def test_words_that_become_one_token(run: Run) -> None:
    out = run("lesson", "low low", "--min-freq", 1).out
    assert out.endswith("No pair is left: every word is one token.\n")


@pytest.mark.parametrize("base", ["bytes", "chars"])
@pytest.mark.parametrize("ties", ["first-seen", "smallest-ids"])
def test_json_has_the_merges_of_a_training(run: Run, tmp_path: Path, base: str, ties: str) -> None:
    text = "été étés café cafés"
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    trained = bs.train(tmp_path / "a.txt", vocab_size=900, base=base, ties=ties)
    told = json.loads(run("lesson", text, "--base", base, "--ties", ties, "--json").out)
    merges = [state["merge"] for state in told["states"][1:]]
    assert [
        (merge["left"]["id"], merge["right"]["id"], merge["result"]["id"]) for merge in merges
    ] == trained.merges
    assert [merge["count"] for merge in merges] == trained.training.counts.tolist()
    assert told["states"][-1]["tokens"] == len(trained.encode(text))
    assert told["states"][-1]["next"] is None
    assert "units" not in told


def test_units_and_traps(run: Run) -> None:
    out = run("lesson", "--units").out
    assert "\nWords: vocabulary 7, 8 tokens\n  low|low|lower|lowest|" in out
    assert "“slowest” was never seen, so it has no token" in out
    assert "Merge 1" not in out
    out = run("lesson", "--traps", "--units", "--word", "newly").out
    assert "“newly” was never seen, so it has no token" in out
    assert "\n\nIds shifted\n" in out and "“ru}&ru}" in out
    told = json.loads(run("lesson", "--units", "--traps", "--json").out)
    assert len(told["units"]["units"]) == 4 and len(told["traps"]) == 6
    assert "states" not in told  # no steps, as in the text


def test_units_and_traps_of_another_table(run: Run, low: Path) -> None:
    assert "Byte-pair encoding: vocabulary 266" in run("lesson", "--units", "-t", low).out
    told = json.loads(run("lesson", "--traps", "-t", "stdlib-8k", "--json").out)
    strawberry = told["traps"][-1]["sides"][0]
    assert strawberry["ids"] == bs.load("stdlib-8k").encode("strawberry")


def test_it_is_saved(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "steps.txt"
    result = run("lesson", "-o", out)
    size = out.stat().st_size
    assert (result.status, result.out, result.err) == (0, "", f"Saved {out}: {size:,} bytes\n")
    assert out.read_text(encoding="utf-8") == run("lesson").out
    assert run("lesson", "-o", tmp_path / "none" / "a.txt").status == 1


@pytest.mark.parametrize("options", [(), ("--json",), ("--units",), ("--traps",)])
def test_only_a_lesson_is_written_over(
    run: Run, tmp_path: Path, low: Path, options: tuple[str, ...]
) -> None:
    out = tmp_path / "steps.txt"
    for _ in range(2):
        assert run("lesson", *options, "-o", out).status == 0
    for content in (b"my text", low.read_bytes(), b'{"a": 1}', b'{\n "text": "x"\n}'):
        out.write_bytes(content)
        result = run("lesson", *options, "-o", out)
        assert (result.status, out.read_bytes()) == (1, content)
        assert result.err.endswith("steps.txt is there and is no lesson; name another file.\n")
    out.write_bytes(b"")
    assert run("lesson", *options, "-o", out).status == 0


def test_one_merge_is_no_merges(run: Run) -> None:
    assert run("lesson", "--merges", 1).out.startswith("A lesson in byte-pair encoding: 1 merge\n")


def test_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(TOY_CORPUS.encode()))
    monkeypatch.setattr("sys.stdin", stdin)
    assert run("lesson", "-").out == run("lesson").out


def test_no_control_sequence_reaches_the_terminal(run: Run) -> None:
    out = run("lesson", "a\x1b[31m a\x1b[31m", "--units", "--traps").out
    assert "\x1b" not in out + run("lesson", "a\x1b[31m a\x1b[31m").out


def test_what_is_wrong_is_told(run: Run) -> None:
    for words, status, sentence in (
        ([""], 1, "needs a text"),
        (["a" * 3000], 1, "up to 1,000 characters"),
        (["--merges", "-1"], 2, "0 or more"),
        (["--min-freq", "0"], 2, "invalid value for --min-freq: a smallest count is 1 or more"),
        (["--pattern", "nope"], 1, "no pattern named"),
        (["-t", "stdlib-8k"], 2, "are for --units and --traps"),
        (["--base", "words"], 2, "'words'"),
    ):
        result = run("lesson", *words)
        assert (result.status, result.out) == (status, "")
        assert sentence in result.err

"""explain: the same answers as the analysis, as text and as JSON."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

import bpe_studio as bs
from bpe_studio.analysis.explain import why_not_one_token
from tests.cli.conftest import Run


def test_text(run: Run, low: Path) -> None:
    result = run("explain", "-t", low, "low lowest")
    assert (result.status, result.err) == (0, "")
    assert result.out.startswith("low  characters 0–3, alternative 8:  ?[^\\W\\d]+\n")
    assert "\n  rank  merge         id   times  then  pairs that lost\n" in result.out
    assert "\n     3  ␠low + e → ␠lowe  265  1      ␠lowe|s|t\n" in result.out
    assert "\n  token  265  bytes 3–8   ␠lowe\n" in result.out


def test_why(run: Run, low: Path) -> None:
    reason = why_not_one_token(bs.load(low), "low lowest", 3, 7)
    result = run("explain", "-t", low, "low lowest", "--why", "3:7")
    assert result.out.startswith(reason.sentence + "\nNear to it, one token:\n  263  low")
    told = json.loads(run("explain", "-t", low, "low lowest", "--why", "3:7", "--json").out)
    assert told["why"]["kind"] == reason.kind == "absorbed"
    assert told["why"]["rank"] == reason.rank
    assert told["variants"][0]["tokens"][0]["id"] == 263


def test_json_has_every_step(run: Run, low: Path) -> None:
    told = json.loads(run("explain", "-t", low, "low lowest", "--json").out)
    assert [piece["text"] for piece in told["pieces"]] == ["low", " lowest"]
    assert [step["rank"] for step in told["pieces"][1]["steps"]] == [0, 1, 2, 3]
    assert told["pieces"][1]["tokens"][0]["bytes"] == b" lowe".hex()
    assert "why" not in told


def test_spans(run: Run, low: Path) -> None:
    assert run("explain", "-t", low, "low", "--why", ":").out.startswith("It is one token here")
    for span in ("2:2", "3:1"):
        result = run("explain", "-t", low, "low", "--why", span)
        assert result.status == 1
        assert f"the span {span} is empty; the text has 3 characters." in result.err
    result = run("explain", "-t", low, "l", "--why", "0:9")
    assert result.status == 1
    assert "the span 0:9 is not inside the text: the text has 1 character." in result.err


def test_the_text_of_a_file(
    run: Run, low: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = run("explain", "-t", low, "low low lower lowest", "--why", "3:7").out
    words = ("explain", "-t", low, "--why", "3:7")
    assert run(*words, "--file", low.with_name("low.txt")).out == expected
    for there in (["-"], ["--file", "-"]):
        stdin = io.TextIOWrapper(io.BytesIO(b"low low lower lowest"))
        monkeypatch.setattr("sys.stdin", stdin)
        assert run(*words, *there).out == expected
    (tmp_path / "a.jsonl").write_text('{"text": "low"}\n' * 3)
    result = run("explain", "-t", low, "--file", tmp_path / "a.jsonl")
    assert result.status == 1
    assert "a.jsonl holds more than one document, and explain takes one." in result.err
    for both in ([], ["low", "--file", low]):
        assert "give either TEXT or --file" in run("explain", "-t", low, *both).err


def test_control_characters_do_not_reach_the_terminal(run: Run, low: Path) -> None:
    assert "\x1b" not in run("explain", "-t", low, "a\x1b[31mb", "--why", "0:3").out

"""health --embeddings: what is printed, told as JSON, and refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import bpe_studio as bs
from tests.analysis.made_matrices import made_rows
from tests.cli.conftest import Run
from tests.formats.tensor_files import file_of

ROWS, COLUMNS = 300, 12


@pytest.fixture
def weights(low: Path, tmp_path: Path) -> Path:
    """Embeddings of the worked example, in which ` low` and what no text has are untrained."""
    never = [6 + byte for byte in (0xC0, 0xC1, *range(0xF5, 0x100))]
    planted = [264, *never, *range(bs.load(low).id_bound, ROWS)]
    tensors = {
        name: (made_rows(ROWS, COLUMNS, planted, seed), "F32")
        for seed, name in enumerate(("model.embed_tokens.weight", "lm_head.weight"))
    }
    path = tmp_path / "model.safetensors"
    path.write_bytes(file_of(tensors))
    return path


def test_the_report_says_what_was_compared_and_lists_candidates(
    run: Run, low: Path, weights: Path
) -> None:
    result = run("health", low, "--embeddings", weights)
    assert result.status == 0
    part = result.out[result.out.index("\nIn the embeddings\n") :].splitlines()
    assert part[2:4] == [
        "  model.embed_tokens.weight and lm_head.weight, untied, F32, 300 × 12",
        "  compared with 47 reference rows: 34 rows beyond the vocabulary and 13 bytes that no "
        "UTF-8 text has",
    ]
    assert part[4].startswith("  Low confidence: the ranks by ")
    rows = part[part.index("Candidates for under-trained tokens") + 1 :]
    assert rows[0].split()[:3] == ["id", "token", "agree"]
    assert rows[1].split()[:5] == ["264", "␠low", "5", "of", "5"]
    assert "\nUnder-trained: " in result.out
    assert "Reading the output rows: 300 rows" in result.err


def test_names_and_rows_can_be_given(run: Run, low: Path, weights: Path) -> None:
    name = "lm_head.weight"
    words = ("--input-embeddings", name, "--output-embeddings", name, "--reference", "198,270-299")
    result = run("health", low, "--embeddings", weights, *words)
    assert f"  {name}, tied (input and output are one), F32, 300 × 12\n" in result.out
    assert "compared with 31 reference rows: rows that were chosen\n" in result.out


def test_json_holds_the_flags(run: Run, low: Path, weights: Path) -> None:
    told = json.loads(run("health", low, "--json", "--embeddings", weights).out)
    assert told["counts"]["under-trained"] >= 1
    flags = [flag for flag in told["flags"] if flag["kind"] == "under-trained"]
    assert flags[0]["id"] == 264
    assert "5 of 5 indicators agree" in flags[0]["evidence"]


def test_without_embeddings_nothing_is_said_of_them(run: Run, low: Path) -> None:
    result = run("health", low)
    assert "In the embeddings" not in result.out and "\nUnder-trained" not in result.out


@pytest.mark.parametrize("option", ["--input-embeddings", "--output-embeddings", "--reference"])
def test_options_that_need_embeddings(run: Run, low: Path, option: str) -> None:
    result = run("health", low, option, "1")
    assert result.status == 2
    assert f"{option} goes with --embeddings" in result.err


def test_what_cannot_be_judged_is_one_sentence(
    run: Run, low: Path, weights: Path, tmp_path: Path
) -> None:
    short = tmp_path / "short.safetensors"
    short.write_bytes(file_of({"wte.weight": (np.ones((9, 2)), "F32")}))
    for words, sentence in (
        ([tmp_path / "missing"], "missing cannot be read: there is no such file or folder."),
        ([short], "wte.weight has 9 rows, and the table needs 266, one for each id up to its"),
        ([low], "low.json: it has no weight_map, so it is no index of weights"),
        ([weights, "--reference", "x"], "'x' is neither"),
        ([weights, "--reference", "300"], "The reference row 300 is not there"),
        ([weights, "--input-embeddings", "x"], 'there is no tensor "x"; those with 266 rows or'),
    ):
        result = run("health", low, "--embeddings", *words)
        assert result.status == 1 and sentence in result.err
        assert result.err.count("\n") <= 2 and result.out == ""

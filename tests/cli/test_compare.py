"""compare: the analysis's numbers, as text and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import bpe_studio as bs
from bpe_studio.analysis.compare import compare_tables
from bpe_studio.bpe.patterns import PRESETS
from bpe_studio.bpe.table import MergeTable
from tests.cli.conftest import Run


@pytest.fixture
def short(low: Path, tmp_path: Path) -> Path:
    """The worked example, two merges earlier and with one special less."""
    path = tmp_path / "short.json"
    words = bs.DEFAULT_SPECIALS[:5]
    bs.save(bs.train(low.with_name("low.txt"), vocab_size=263, specials=words), path)
    return path


def test_a_table_with_itself(run: Run, low: Path) -> None:
    result = run("compare", low, low, "--text", low.with_name("low.txt"))
    assert (result.status, result.err) == (0, "")
    assert "260 tokens shared (100.0 % of all), 0 only in A, 0 only in B\n" in result.out
    assert "the merges are the same\n" in result.out
    assert result.out.endswith("both cut it in the same places\n")
    assert json.loads(run("compare", low, low, "--json").out)["same"] is True


def test_one_of_everything(run: Run, tmp_path: Path) -> None:
    for name, merges in (("a", [(97, 98, 256)]), ("b", [])):
        table = MergeTable.build(byte_ids=range(256), merges=merges)
        bs.save(bs.Tokenizer(table, PRESETS["classic"]), tmp_path / f"{name}.json")
    (tmp_path / "t.txt").write_text("a")
    result = run("compare", tmp_path / "a.json", tmp_path / "b.json", "--text", tmp_path / "t.txt")
    assert result.status == 0
    assert "\nonly in A: 1 token\n" in result.out
    assert "\n1 document, 1 character\n" in result.out


def test_two_tables(run: Run, low: Path, short: Path) -> None:
    result = run("compare", low, short, "--text", low.with_name("low.txt"))
    assert result.status == 0
    assert "258 tokens shared (99.2 % of all), 2 only in A, 0 only in B\n" in result.out
    assert "specials only in A: <tool_result>\n" in result.out
    assert "the merges part at rank 2: A merges ␠ + low, B has no more merges\n" in result.out
    assert "only in A: 2 tokens\n  264  ␠low\n  265  ␠lowe\n" in result.out
    assert "1 document, 20 characters\n" in result.out


def test_json(run: Run, low: Path, short: Path) -> None:
    told = json.loads(run("compare", low, short, "--json", "--text", low.with_name("low.txt")).out)
    found = compare_tables(bs.load(low), bs.load(short))
    assert (told["shared"], told["only_a"], told["only_b"]) == (258, 2, 0)
    assert told["jaccard"] == found.jaccard
    assert told["first_difference"] == {"rank": 2, "a": ["20", "6c6f77"], "b": None}
    assert len(told["tokens"]) == 260
    last = {"bytes": b" lowe".hex(), "id_a": 265, "id_b": None, "rank_a": 3, "rank_b": None}
    assert last in told["tokens"]
    assert told["text"]["tokens_a"] == 7
    assert told["text"]["spans"][0]["text"].startswith(" low")

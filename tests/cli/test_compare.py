"""compare: the analysis's numbers, as text and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import bpe_studio as bs
from bpe_studio.analysis.compare import compare_tables
from bpe_studio.bpe.patterns import PRESETS
from bpe_studio.bpe.table import MergeTable
from bpe_studio.cli.output import width
from tests.cli.conftest import Run


@pytest.fixture
def short(low: Path, tmp_path: Path) -> Path:
    """The worked example, two merges earlier and with one special less."""
    path = tmp_path / "short.json"
    words = bs.DEFAULT_SPECIALS[:5]
    bs.save(bs.train(low.with_name("low.txt"), vocab_size=263, specials=words), path)
    return path


@pytest.fixture
def moved(low: Path, tmp_path: Path) -> Path:
    """The worked example with every id 4 higher."""
    path = tmp_path / "moved.json"
    tokenizer = bs.load(low)
    table = tokenizer.table
    merges = [(left + 4, right + 4, new + 4) for left, right, new in table.merges.tolist()]
    ids = [number + 4 for number in table.byte_ids.tolist()]
    made = MergeTable.build(byte_ids=ids, merges=merges)
    specials = {name: number + 4 for name, number in tokenizer.special_ids.items()}
    roles = dict(tokenizer.roles)
    bs.save(bs.Tokenizer(made, PRESETS["classic"], special_ids=specials, roles=roles), path)
    return path


def test_a_table_with_itself(run: Run, low: Path) -> None:
    result = run("compare", low, low, "--text", low.with_name("low.txt"))
    assert (result.status, result.err) == (0, "")
    assert "\nNothing differs.\n" in result.out
    assert "260 tokens shared (100.0 % of all), 0 only in A, 0 only in B\n" in result.out
    assert "the merges are the same\n" in result.out and "rules: all the same\n" in result.out
    assert result.out.endswith("both cut it in the same places\n")
    told = json.loads(run("compare", low, low, "--json").out)
    assert told["same"] is True and told["outcome"] == "Nothing differs."


def test_other_ids(run: Run, low: Path, moved: Path) -> None:
    result = run("compare", low, moved)
    assert result.status == 0 and "only in A: " not in result.out
    assert "\nOnly ids differ: 260 of 260 tokens have another in B.\n" in result.out
    assert "the merges are the same\n" in result.out
    told = json.loads(run("compare", low, moved, "--json").out)
    assert (told["same"], told["ids_moved"], told["first_difference"]) == (False, 260, None)


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
    assert "the merges part at rank 2: A merges “␠” + “low” (seen 3 times)" in result.out
    assert ", B has no more merges\n" in result.out
    assert "only in A: 2 tokens\n  264  ␠low\n  265  ␠lowe\n" in result.out
    assert "\nrules that differ  A" in result.out and "\nvocabulary size" in result.out
    assert "1 document, 20 characters\n" in result.out
    assert ["A", "7", "2.857"] in [line.split() for line in result.out.splitlines()]
    assert "B has no token “␠low”" in result.out
    assert (
        "\nlines for which B needs most tokens more\n  1  7 : 12  low low lower lowest"
        in result.out
    )
    figures, lists = result.out.index("characters per token"), result.out.index("only in A: 2")
    assert figures < lists


def test_json(run: Run, low: Path, short: Path) -> None:
    told = json.loads(run("compare", low, short, "--json", "--text", low.with_name("low.txt")).out)
    found = compare_tables(bs.load(low), bs.load(short))
    assert (told["shared"], told["only_a"], told["only_b"]) == (258, 2, 0)
    assert told["jaccard"] == found.jaccard
    first = {"rank": 2, "a": ["20", "6c6f77"], "b": None, "count_a": 3, "count_b": None}
    assert told["first_difference"] == {**first, "tie": None}
    assert len(told["tokens"]) == 260
    last = {"bytes": b" lowe".hex(), "id_a": 265, "id_b": None, "rank_a": 3, "rank_b": None}
    assert last.items() <= told["tokens"][-1].items()
    text = told["text"]
    assert text["tokens_a"] == 7 and text["spans"][0]["text"].startswith(" low")
    assert text["by_document"][0] == {
        "name": "low.txt", "characters": 20, "bytes": 20, "tokens": [7, 12],
    }  # fmt: skip
    assert text["frequent"][0]["sentence"] and text["lines"][0]["tokens_b"] == 12


def test_documents_of_several_files(run: Run, low: Path, short: Path, tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text('{"text": "low low"}\n{"text": " lowest lowest"}\n')
    words = ("compare", low, short, "--text", low.with_name("low.txt"), tmp_path / "rows.jsonl")
    told = json.loads(run(*words, "--json").out)["text"]
    names = ["low.txt", "rows.jsonl, row 1", "rows.jsonl, row 2"]
    assert [one["name"] for one in told["by_document"]] == names
    assert sum(one["tokens"][1] for one in told["by_document"]) == told["tokens_b"]
    result = run(*words)
    assert "\ndocuments for which B needs most tokens more\n" in result.out
    body = result.out.partition("documents for which B needs")[2]
    assert body.index("low.txt") < body.index("rows.jsonl, row 1")


def test_lines_fit_where_names_do(run: Run) -> None:
    result = run("compare", "stdlib-8k", "sample-chars", "--probe")
    assert result.status == 0 and result.err.startswith("Encoding: ")
    assert max(width(line) for line in result.out.splitlines()) <= 130


def test_more_than_two(run: Run, low: Path, short: Path, tmp_path: Path) -> None:
    text = low.with_name("low.txt")
    words = ("compare", low, short, "stdlib-8k", "--text", text, "--corpus", text)
    result = run(*words)
    assert result.status == 0
    assert "\nC  stdlib-8k" in result.out
    tokens = len(bs.load("stdlib-8k").encode(text.read_text()))
    told = json.loads(run(*words, "--json").out)
    assert [table["name"] for table in told["tables"]] == [str(low), str(short), "stdlib-8k"]
    assert told["text"]["tokens"] == [7, 12, tokens]
    assert [table["tokens"] for table in told["corpus"]["tables"]] == [7, 12, tokens]
    assert all(len(rule["values"]) == 3 for rule in told["rules"])
    html = tmp_path / "three.html"
    assert run(*words, "-o", html).status == 0 and "C: stdlib-8k" in html.read_text()


def test_standard_input_is_read_once(run: Run, low: Path) -> None:
    result = run("compare", low, low, "--text", "-", "--corpus", "-")
    assert result.status == 2 and "- is there twice" in result.err
    alone = run("compare", low, low, "--text-key", "body")
    assert alone.status == 2 and "--text-key goes with" in alone.err

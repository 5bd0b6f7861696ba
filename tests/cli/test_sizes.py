"""Vocabulary sizes on the command line, against encoding with each of them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

import bpe_studio as bs
from tests import oracle
from tests.analysis.tables import make_pair
from tests.cli.conftest import Run

DOCUMENTS = [f"low lower {n} newest the then lowest\n" * (1 + n % 3) for n in range(60)]


@pytest.fixture
def held(tmp_path: Path) -> Path:
    rows = "".join(json.dumps({"text": text}) + "\n" for text in DOCUMENTS)
    (tmp_path / "rows.jsonl").write_text(rows)
    tokenizer = bs.train(tmp_path / "rows.jsonl", vocab_size=300, hold_out=0.3)
    bs.save(tokenizer, tmp_path / "held.json")
    return tmp_path / "held.json"


@pytest.fixture
def bare(held: Path) -> Path:
    """The same table without its training record."""
    bs.save(bs.load(held), held.with_name("bare.tiktoken"))
    return held.with_name("bare.tiktoken")


def test_every_number_of_a_text(run: Run, held: Path) -> None:
    result = run("sizes", "-t", held, "lowest then", "--at", "262,270,300", "--rare", 3, "--json")
    assert result.status == 0
    told, whole = json.loads(result.out), bs.load(held)
    out = [text for text in DOCUMENTS if oracle.is_held_out(text, 0.3)]
    kept = [text for text in DOCUMENTS if not oracle.is_held_out(text, 0.3)]
    assert (told["documents_of"], told["documents"], told["rare_in"]) == ("text", 1, "text")
    alone = run("sizes", "-t", held, "--at", "300,262,270,300", "--rare", 3, "--json").out
    alone = json.loads(alone)
    assert (alone["documents_of"], alone["documents"]) == ("held-out", len(out))
    assert alone["rare_in"] == "training"
    assert told["model"] == {"width": 4096, "tied": False, "context": 8192}
    assert [row["vocab_size"] for row in told["sizes"]] == [262, 270, 300]
    for row, plain in zip(told["sizes"], alone["sizes"], strict=True):
        smaller = whole.prefix(row["merges"])
        assert smaller.vocab_size == row["vocab_size"]
        assert row["text"]["tokens"] == len(smaller.encode("lowest then"))
        used = Counter(token for text in kept for token in smaller.encode(text))
        assert row["training"]["tokens"] == used.total()
        in_held = sum(len(smaller.encode(text)) for text in out)
        assert row["held-out"]["tokens"] == in_held
        assert plain["tokens_per_document"] == in_held / len(out)
        assert row["tokens_per_document"] == row["text"]["tokens"]
        assert row["embedding_parameters"] == 2 * 4096 * row["vocab_size"]
        learned = {new for _, _, new in smaller.merges}
        assert plain["rare_tokens"] == sum(used[token] < 3 for token in learned)
        in_text = Counter(smaller.encode("lowest then"))
        assert row["rare_tokens"] == sum(in_text[token] < 3 for token in learned)
    assert told["sizes"][-1]["attention_work"] == 1


def test_a_file_is_encoded_document_by_document(run: Run, bare: Path) -> None:
    rows = bare.with_name("rows.jsonl")
    words = ("sizes", "-t", bare, "--pattern", "classic", "--file", rows, "--at", "260,290")
    told = json.loads(run(*words, "--tied", "--width", 10, "--rare", 2, "--json").out)
    whole = bs.load(bare, pattern="classic")
    assert (told["documents_of"], told["documents"], told["rare_in"]) == ("text", 60, "text")
    for row in told["sizes"]:
        smaller = whole.prefix(row["merges"])
        used = Counter(token for text in DOCUMENTS for token in smaller.encode(text))
        assert row["text"]["tokens"] == used.total()
        assert row["embedding_parameters"] == 10 * row["vocab_size"]
        learned = {new for _, _, new in whole.merges[: row["merges"]]}
        assert row["rare_tokens"] == sum(used[token] < 2 for token in learned)


def test_a_dozen_sizes_as_tables(run: Run, held: Path) -> None:
    result = run("sizes", "-t", held)
    lines = result.out.splitlines()
    assert (result.status, result.err) == (0, "")
    assert lines[1].split() == [
        "vocabulary", "merges", "training", "per", "token", "held", "out", "per", "token"
    ]  # fmt: skip
    firsts = [line.split()[0] for line in lines if line.startswith("  ")]
    assert firsts.count("262") == firsts.count("300") == 2
    assert 14 <= len(firsts) <= 28
    assert "the mean of what was held out" in result.out


def test_a_tokenizer_that_edits_texts_takes_one_document(run: Run, tmp_path: Path) -> None:
    table = {
        "version": "1.0", "added_tokens": [], "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": None, "post_processor": None, "decoder": None,
        "model": {
            "type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
            "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False,
            "ignore_merges": False, "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"],
        },
    }  # fmt: skip
    (tmp_path / "tokenizer.json").write_text(json.dumps(table))
    (tmp_path / "a.txt").write_text("abAB")
    words = ("sizes", "-t", tmp_path / "tokenizer.json", "--json", "--file")
    rows = json.loads(run(*words, tmp_path / "a.txt").out)["sizes"]
    assert [row["text"]["tokens"] for row in rows] == [4, 2]
    (tmp_path / "b.jsonl").write_text('{"text": "a"}\n{"text": "b"}\n')
    told = "b.jsonl holds more than one document, and a tokenizer that edits texts takes one."
    assert told in run(*words, tmp_path / "b.jsonl").err


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (("--at", "3"), 1, "vocabularies of 262 to 300 tokens, not of 3."),
        (("--at", "3,x"), 2, "'x' is no whole number"),
        (("--at", "8,192"), 1, "not of 8. Commas divide sizes: 8192 is one, 8,192 are two."),
        (("--at", "1,000"), 2, "--at: '1,000': write 1000 where 1,000 is meant; commas divide"),
        (("--width", "0"), 2, "--width: it must be 1 or more, not 0"),
        (("--context", "0"), 2, "--context: it must be 1 or more, not 0"),
        (("--rare", "0"), 2, "--rare: it must be 1 or more, not 0"),
        (("",), 1, "the text is empty, so nothing can be measured on it."),
        (("a", "--file", "b"), 2, "give either TEXT or --file"),
        (("--file", "nowhere"), 1, "nowhere"),
    ],
)
def test_refusals(run: Run, held: Path, words: tuple[str, ...], status: int, told: str) -> None:
    result = run("sizes", "-t", held, *words)
    assert (result.status, result.out) == (status, "")
    assert told in result.err


def test_ids_with_gaps_are_told(run: Run, tmp_path: Path) -> None:
    pair = make_pair([(97, 98, 300), (300, 99, 301)])
    bs.save(pair.tokenizer, tmp_path / "gaps.json")
    out = run("sizes", "-t", tmp_path / "gaps.json", "abc").out
    assert "Embeddings count distinct ids, 258 at most; the largest id + 1 is 302,\n" in out
    assert "mean of the text, 1 document." in out and "1 time in the text.\n" not in out
    told = json.loads(run("sizes", "-t", tmp_path / "gaps.json", "abc", "--json").out)
    assert told["id_bound"] == 302
    bs.save(make_pair([(97, 98, 256)]).tokenizer, tmp_path / "dense.json")
    assert "largest id" not in run("sizes", "-t", tmp_path / "dense.json", "abc").out


def test_nothing_is_known_of_a_table_without_record_and_text(run: Run, bare: Path) -> None:
    result = run("sizes", "-t", bare, "--pattern", "classic")
    assert result.status == 1
    assert "keeps no training record, so nothing is known of its sizes; give a TEXT" in result.err

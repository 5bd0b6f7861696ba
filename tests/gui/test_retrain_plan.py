"""What the dialog is told, from a table, its report and the corpus of the panel."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bpe_studio.bpe.corpus import Corpus, CorpusFile
from bpe_studio.gui.models.retrain_plan import RetrainPlan, is_in, retrain_plan
from tests.analysis.tables import make_pair
from tests.analysis.test_retraining import ABA, MANY, polluted, report, table
from tests.analysis.uses import use_of


def corpus_of(files: dict[str, int]) -> Corpus:
    return Corpus(tuple(CorpusFile(Path("/x") / name, name, size) for name, size in files.items()))


FILES = {**dict.fromkeys(MANY, 50), "bad.txt": 60, "odd.txt": 40}


def plan(files: dict[str, int] = FILES, **settings: Any) -> RetrainPlan:
    tokenizer, found = polluted(**settings)
    return retrain_plan(tokenizer, found, corpus_of(files), table="t", corpus_name="c")


def test_what_was_found_is_listed_and_what_is_suggested_is_chosen() -> None:
    made = plan()
    assert [(one.name, one.holds, one.tokens) for one in made.candidates] == [
        ("bad.txt", "1 token · 20 uses · 100 % of it", 1),
        ("odd.txt", "1 token · 1 use · 5 % of it", 1),
    ]
    assert "Concentrated in it: aba" in made.candidates[0].tip
    assert made.chosen == {"without": ("bad.txt",)}  # and no rule, though one is suggested
    assert made.suggestion.min_documents == 2
    assert made.settings["vocab_size"] == 259 and "without" not in made.settings
    assert made.files == FILES and made.remarks == ()


def test_rules_of_the_table_are_kept() -> None:
    made = plan(whole_characters=True, min_documents=5, without=("00.txt", "gone.txt"))
    assert made.chosen["whole_characters"] is True and made.chosen["min_documents"] == 5
    assert made.chosen["without"] == ("00.txt", "bad.txt")  # what is gone cannot be left out
    assert [one.name for one in made.candidates] == ["bad.txt", "odd.txt", "00.txt"]


def test_without_a_report_nothing_is_suggested() -> None:
    made = retrain_plan(table(FILES), None, corpus_of(FILES), table="t", corpus_name="c")
    assert made.candidates == () and made.chosen == {"without": ()} and not made.on_corpus


def test_without_a_report_the_table_is_looked_at() -> None:
    extra = {300: "aé".encode()[:2], 301: b"=" * 40}
    tokenizer = make_pair([], extra=extra).tokenizer
    made = retrain_plan(tokenizer, None, corpus_of(FILES), table="t", corpus_name="c")
    assert made.chosen == {"without": ()}
    assert made.suggestion.rules == {"whole_characters": True, "max_token_bytes": 32}


def test_another_corpus_is_told() -> None:
    files = {**FILES, "bad.txt": 61, "new.txt": 1, "newer.txt": 1}
    del files["00.txt"]
    assert plan(files).remarks == (
        "The Corpus panel holds another corpus: 1 file of its training is not there, 1 file has "
        "another size and 2 files are new.",
    )


def test_files_that_were_left_out_are_no_others() -> None:
    tokenizer, found = polluted(without=("left.txt",))
    files = corpus_of({**FILES, "left.txt": 5})
    made = retrain_plan(tokenizer, found, files, table="t", corpus_name="c")
    assert made.remarks == () and made.chosen["without"] == ("left.txt", "bad.txt")


def test_a_table_that_nobody_knows_the_training_of() -> None:
    made = retrain_plan(table(None), None, corpus_of(FILES), table="t", corpus_name="c")
    assert "no training record" in made.remarks[0]


def test_a_table_that_went_on_from_another() -> None:
    tokenizer, found = polluted()
    settings = {**tokenizer.training.settings, "continued_from": 1}
    tokenizer = replace(tokenizer, training=replace(tokenizer.training, settings=settings))
    made = retrain_plan(tokenizer, found, corpus_of(FILES), table="t", corpus_name="c")
    assert made.remarks == (
        "It went on from a table of 1 merge; the new training learns all of them anew.",
    )


def test_rows_are_candidates_by_their_number() -> None:
    tokenizer = table({"a.jsonl": 2000})
    use = use_of(tokenizer, {"a.jsonl": [*[{97: 50}] * 30, {ABA: 20}, *[{97: 50}] * 9]})
    found = report(use, (ABA, "concentrated"))
    made = retrain_plan(tokenizer, found, corpus_of({"a.jsonl": 2000}), table="t", corpus_name="c")
    assert made.candidates[0].name == "a.jsonl:31" and made.chosen["without"] == ("a.jsonl:31",)


@pytest.mark.parametrize(
    ("name", "there"),
    [("a.txt", True), ("b.txt", False), ("r.jsonl", True), ("r.jsonl:3", True),
     ("r.jsonl:0", False), ("r.jsonl:x", False), ("a.txt:1", False), ("", False)],
)  # fmt: skip
def test_names(name: str, there: bool) -> None:
    assert is_in(name, {"a.txt": 1, "r.jsonl": 1}, frozenset({"r.jsonl"})) is there


def test_what_is_proposed_comes_first() -> None:
    tokenizer = table({**dict.fromkeys(MANY, 50), "big.txt": 600, "bad.txt": 30})
    use = use_of(tokenizer, {**MANY, "big.txt": [{97: 450, 258: 70}], "bad.txt": [{ABA: 10}]})
    found = report(use, (258, "concentrated"), (ABA, "concentrated"))
    files = corpus_of({**dict.fromkeys(MANY, 50), "big.txt": 600, "bad.txt": 30})
    made = retrain_plan(tokenizer, found, files, table="t", corpus_name="c")
    assert [one.name for one in made.candidates] == ["bad.txt", "big.txt"]
    assert made.chosen["without"] == ("bad.txt",)

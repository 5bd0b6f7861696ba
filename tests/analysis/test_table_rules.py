"""What tokenizers are besides tokens and merges, side by side."""

from __future__ import annotations

import doctest
from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_studio.analysis import rule_words
from bpe_studio.analysis.table_rules import Rule, rules_beside
from bpe_studio.bpe.edits import Lowercase, Prepend, Replace, Strip, Unicode
from bpe_studio.bpe.patterns import resolve_pattern
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.text_rules import AddedToken, Split, TextRules, Unknown
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.training_record import TrainingRecord
from tests.analysis.tables import marked_tokenizer, pairs, worked


def _by_name(*tables: Tokenizer) -> dict[str, Rule]:
    return {rule.name: rule for rule in rules_beside(tables)}


def test_the_examples() -> None:
    names = vars(rule_words) | {"Unicode": Unicode, "Replace": Replace}
    assert doctest.testmod(rule_words, extraglobs=names).failed == 0


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_a_table_beside_itself(data: st.DataObject) -> None:
    tokenizer = data.draw(pairs()).tokenizer
    rules = rules_beside([tokenizer] * data.draw(st.integers(1, 3)))
    assert all(rule.same and len(set(rule.values)) == 1 for rule in rules)
    assert len({rule.name for rule in rules}) == len(rules)
    assert rules_beside([tokenizer])[1].values == (f"{tokenizer.vocab_size:,}",)


def test_differences_are_told() -> None:
    a = worked().tokenizer
    b = replace(
        a,
        pattern=resolve_pattern("gpt2"),
        engine="whole-piece-first",
        special_ids={"<eos>": 300},
        roles={"eos": "<eos>"},
        rules=TextRules(
            added=(AddedToken("<eos>", 300),),
            normalizer=(Unicode("NFC"), Prepend(" ", first_only=True), Lowercase(), Strip()),
            pre_tokenizer=(Split("x", "removed"),),
            unknown=Unknown(97, fuse=True),
            strip_left=1,
        ),
    )
    found = _by_name(a, b)
    assert {name: rule.values for name, rule in found.items() if not rule.same} == {
        "vocabulary size": ("260", "261"),
        "id bound": ("260", "301"),
        "engine": ("merges", "whole piece first"),
        "pattern": ("classic", "gpt2"),
        "expression": (a.pattern.expression, b.pattern.expression),
        "normalizer": (
            "none", "NFC, put a space before the text, lower case, strip white space at both ends",
        ),
        "cuts before the pattern": ("none", "cut at matches of 'x' (removed)"),
        "prefix space": ("none", "before the text"),
        "specials": ("none", "<eos>"),
        "ids of specials": ("none", "<eos> = 300"),
        "roles": ("none", "eos = <eos>"),
        "added tokens": ("none", "<eos>"),
        "unknown token": ("none", "a, neighbours as one"),
        "spaces taken off when decoding": ("none", "1"),
    }  # fmt: skip
    assert "fixed pieces" not in found and "trained on" not in found


def test_what_only_ids_tell() -> None:
    a = replace(worked().tokenizer, special_ids={"<a>": 300, "<b>": 301})
    b = replace(a, special_ids={"<b>": 300, "<a>": 301})
    found = _by_name(a, b)
    assert found["specials"].same and not found["ids of specials"].same


def test_word_marks_belong_to_the_token() -> None:
    found = _by_name(marked_tokenizer(), worked().tokenizer)["word marks"]
    assert found.values[0] == "</w> after the last part; they are a part of the token"
    assert found.values[1] == "none" and not found.same


def test_the_training_is_told_apart() -> None:
    a = worked().tokenizer
    counts = np.ones(4, dtype=np.int64)
    record = TrainingRecord(
        counts, counts, {"ties": "first-seen"}, {"bytes": 12}, {"files": [{}], "fingerprint": "x"}
    )
    found = _by_name(a, replace(a, training=record))
    assert found["trained on"].values == ("none", "1 file, 12 bytes")
    assert found["training settings"].values == ("none", "ties first-seen")
    assert [name for name, rule in found.items() if not rule.same] == [
        "trained on", "training settings",
    ]  # fmt: skip
    assert not found["trained on"].tells


def test_libraries_do_it_their_way() -> None:
    class Model:
        kind, library = "WordPiece", "tokenizers"

    a = worked().tokenizer
    found = _by_name(a, replace(a, outside=Model()))  # type: ignore[arg-type]
    assert found["model"].values == ("BPE, of ours", "WordPiece, run by tokenizers")
    assert found["pattern"].values[1] == "as tokenizers does it by the file"
    assert not found["pattern"].same and "word marks" not in found
    tokens = {n: b"##" + bytes([97 + n]) for n in range(5)} | {9: b"a"}
    table = MergeTable.build(base="chars", byte_ids=[-1] * 256, tokens=tokens)
    marked = replace(a, table=table, outside=Model())  # type: ignore[arg-type]
    assert _by_name(a, marked)["word marks"].values == (
        "none",
        "## before all but the first part; they are a part of the token",
    )

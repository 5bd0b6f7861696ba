"""Texts close to a text, and what they become."""

from __future__ import annotations

from dataclasses import replace

from bpe_studio.analysis.explain import variants
from bpe_studio.bpe.edits import Lowercase, Prepend
from bpe_studio.bpe.text_rules import TextRules
from tests.analysis.tables import make_pair, worked


def test_one_token_comes_first() -> None:
    found = variants(worked().tokenizer, "LOW")
    assert [(v.label, v.text, v.ids) for v in found if v.is_one_token] == [
        ("in lower case", "low", (257,)),
        ("in lower case, with a leading space", " low", (258,)),
    ]
    assert [v.is_one_token for v in found] == sorted([v.is_one_token for v in found], reverse=True)
    assert " LOW" in {v.text for v in found} and "Low" in {v.text for v in found}
    assert len({v.text for v in found}) == len(found) and "LOW" not in {v.text for v in found}


def test_without_the_space() -> None:
    found = {v.label: v.text for v in variants(worked().tokenizer, " low")}
    assert found["without the leading space"] == "low"
    assert found["capitalised"] == " Low"
    assert found["capitalised, without the leading space"] == "Low"


def test_normal_forms_and_spaces() -> None:
    found = {v.label: v.text for v in variants(make_pair([]).tokenizer, "e\u0301\u00a0x")}
    assert found["in NFC (composed)"] == "é\u00a0x"
    assert found["with ordinary spaces"] == "e\u0301 x"
    assert "in NFD (decomposed)" not in found


def test_texts_that_the_tokenizer_makes_the_same() -> None:
    rules = TextRules(normalizer=(Lowercase(), Prepend(" ", unless_there=True)))
    tokenizer = replace(worked().tokenizer, rules=rules)
    assert variants(tokenizer, "low") == variants(tokenizer, " LOW") == ()

"""Texts close to a text, and what they become."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bpe_studio.analysis.explain import variants, variants_of, why_not_one_token
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
    assert variants(tokenizer, " LOW") == ()
    # The space that it puts in front is at the start of the text alone.
    assert [v.label for v in variants(tokenizer, "low")] == ["at the start of a line"]


def _labelled(text: str, start: int, end: int, **rules: Any) -> dict[str, tuple[int, ...]]:
    tokenizer = replace(worked().tokenizer, **rules)
    reason = why_not_one_token(tokenizer, text, start, end)
    return {v.label: v.ids for v in variants_of(tokenizer, reason)}


def test_where_it_would_be_something_else() -> None:
    found = _labelled(" lowest", 1, 4)
    assert found["at the start of the text"] == (257,) == next(iter(found.values()))
    assert "at the start of a line" not in found  # the same there
    assert "at the start of the text" not in _labelled("low low", 0, 3)
    assert "at the start of the text" not in _labelled("xlo", 1, 3)  # (256,), as it is here


def test_the_start_of_a_line() -> None:
    # A space is put in front of the text, and no further one.
    rules = TextRules(normalizer=(Prepend(" "),))
    found = _labelled("a low", 2, 5, rules=rules)
    assert found["at the start of the text"] == (258,)
    assert found["at the start of a line"] == (257,)
    newline = make_pair([(10, 97, 256)], pattern=r"[\s\S]+").tokenizer
    assert "at the start of a line" not in {v.label for v in variants(newline, "a")}


def test_a_long_span_has_none() -> None:
    tokenizer, text = worked().tokenizer, "low" * 100
    assert variants_of(tokenizer, why_not_one_token(tokenizer, text, 0, 300)) == ()

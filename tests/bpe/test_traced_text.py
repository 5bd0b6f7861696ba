"""A text at every size equals what the tokenizer of the first merges makes of it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.bpe.edits import Lowercase, Prepend, Replace, Unicode
from bpe_studio.bpe.patterns import OTHERS, PRESETS, resolve_pattern
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.text_rules import AddedToken, TextRules, Unknown
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.bpe.traced_text import trace_text
from tests.bpe.merge_tables import BYTES, any_merges

TEXTS = st.text("abc  é\n1<s>É\u0301", max_size=60)
MERGES = [(97, 98, 256), (32, 97, 257), (257, 98, 258), (0xC3, 0xA9, 259), (256, 256, 260)]


def tokenizer_of(pattern: str = "gpt2", **more: object) -> Tokenizer:
    table = MergeTable.build(byte_ids=BYTES, merges=MERGES)
    return replace(Tokenizer(table, resolve_pattern(pattern)), **more)


def check(tokenizer: Tokenizer, text: str, allowed: str | None = None) -> None:
    traced = trace_text(tokenizer, text, allowed_special=allowed)
    counts, spans = traced.counts(), traced.symbol_spans().tolist()
    for k in range(traced.exact_from, len(tokenizer.table.merges) + 1):
        expected = tokenizer.prefix(k).encode_with_offsets(text, allowed_special=allowed)
        found = traced.cut(k)
        assert found.ids.tolist() == expected.ids.tolist()
        assert found.offsets.tolist() == expected.offsets.tolist()
        assert counts[k] == len(expected.ids)
        begins = [*traced.trace.begins(k).tolist(), len(spans)]
        whole = [[spans[a][0], spans[b - 1][1]] for a, b in pairwise(begins)]
        assert whole == expected.offsets.tolist()


@pytest.mark.parametrize("pattern", [*PRESETS, *OTHERS, "(?s:.{1,7})"])
@given(text=TEXTS)
def test_every_pattern(pattern: str, text: str) -> None:
    check(tokenizer_of(pattern), text)


@given(text=TEXTS, merges=any_merges(repeats=False))
def test_tables_whose_ranks_are_in_no_order(text: str, merges: list[tuple[int, int, int]]) -> None:
    table = MergeTable.build(byte_ids=BYTES, merges=merges)
    check(Tokenizer(table, PRESETS["classic"]), text)
    check(Tokenizer(table, PRESETS["classic"], engine="whole-piece-first"), text)


@given(text=TEXTS)
def test_specials(text: str) -> None:
    tokenizer = tokenizer_of(special_ids={"<s>": 900, "a<": 901})
    check(tokenizer, text)
    check(tokenizer, text, "all")


@given(text=TEXTS)
def test_texts_that_are_edited(text: str) -> None:
    added = (AddedToken("<s>", 900), AddedToken("É", 901, normalized=True, special=False))
    for rules in (
        TextRules(normalizer=(Unicode("NFC"), Lowercase())),
        TextRules(normalizer=(Prepend(" "), Replace(" +", " ")), added=added, strip_left=1),
        TextRules(pre_tokenizer=(Prepend(" "),), added=added),
    ):
        check(tokenizer_of(rules=rules, special_ids={"<s>": 900, "É": 901}), text)


@given(text=TEXTS)
def test_unknown_characters(text: str) -> None:
    ids = [b if chr(b) in "abc \n" else -1 for b in range(256)]
    table = MergeTable.build(
        base="chars", byte_ids=ids, char_ids={"é": 256}, merges=[(97, 98, 257)]
    )
    rules = TextRules(unknown=Unknown(900))
    check(Tokenizer(table, PRESETS["gpt2"], special_ids={"<unk>": 900}, rules=rules), text)


@given(text=TEXTS)
def test_added_tokens_that_merges_make(text: str) -> None:
    """With fewer merges they are not cut out of the text, so nothing is promised there."""
    rules = TextRules(added=(AddedToken("ab", 256, special=False),))
    tokenizer = tokenizer_of(rules=rules)
    assert trace_text(tokenizer, text).exact_from == 1
    check(tokenizer, text)


def test_what_cannot_be_traced() -> None:
    with pytest.raises(ValueError, match="only looked at"):
        trace_text(tokenizer_of(view_only="It can be only looked at."), "ab")
    with pytest.raises(ValueError, match="surrogate"):
        trace_text(tokenizer_of(), "ab\ud800")

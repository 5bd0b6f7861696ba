"""One text under two tokenizers against cutting it by hand."""

from __future__ import annotations

from itertools import groupby

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_studio.analysis.compare import DifferenceSpan, compare_text
from bpe_studio.analysis.compare_text import iter_compare_ends
from bpe_studio.bpe.generators import result_of
from tests import oracle_analysis as oracle
from tests.analysis.tables import ALPHABETS, make_pair, pairs, texts


def _ends(plain: oracle.PlainTable, text: str) -> set[int]:
    return {end for _, end, _ in oracle.encode(plain, text)}


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_the_classes_are_the_oracles_and_cover_the_text(data: st.DataObject) -> None:
    alphabet = (data.draw(st.sampled_from(ALPHABETS)),)
    a, b = data.draw(pairs(alphabets=alphabet)), data.draw(pairs(alphabets=alphabet))
    text = data.draw(texts(a.alphabet, 16))
    found = compare_text(a.tokenizer, b.tokenizer, text)
    parts = oracle.classes(text, _ends(a.plain, text), _ends(b.plain, text))
    expected = []
    for kind, group in groupby(parts, key=lambda part: part[2]):
        run = list(group)
        expected += [(run[0][0], run[-1][1], kind)] if kind == "same" else run
    assert [(s.start, s.end, s.kind) for s in found.spans] == expected
    assert "".join(text[s.start : s.end] for s in found.spans) == text
    assert sum(s.tokens_a for s in found.spans) == found.tokens_a == len(a.tokenizer.encode(text))
    assert sum(s.tokens_b for s in found.spans) == found.tokens_b == len(b.tokenizer.encode(text))
    assert found.differences == tuple(s for s in found.spans if s.kind != "same")
    assert sum(found.counts.values()) == len(found.differences)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_blocks_change_nothing(data: st.DataObject) -> None:
    alphabet = (data.draw(st.sampled_from(ALPHABETS)),)
    a, b = data.draw(pairs(alphabets=alphabet)), data.draw(pairs(alphabets=alphabet))
    text = data.draw(texts(a.alphabet, 30))
    ends = [each.tokenizer.encode_with_offsets(text).offsets[:, 1] for each in (a, b)]
    whole = compare_text(a.tokenizer, b.tokenizer, text)
    for block in (1, 3, 8):
        found = result_of(iter_compare_ends(text, *ends, block=block))
        assert found.spans == whole.spans
        assert (found.bytes, found.characters) == (whole.bytes, whole.characters)


def test_each_class() -> None:
    a = make_pair([(97, 98, 256), (120, 121, 257)], pattern=r"[\s\S]+").tokenizer
    b = make_pair([(99, 100, 256), (121, 122, 257)], pattern=r"[\s\S]+").tokenizer
    found = compare_text(a, b, "abcd-xyz-")
    assert found.spans == (
        DifferenceSpan(0, 2, "b-splits", 1, 2),
        DifferenceSpan(2, 4, "a-splits", 2, 1),
        DifferenceSpan(4, 5, "same", 1, 1),
        DifferenceSpan(5, 8, "different-cuts", 2, 2),
        DifferenceSpan(8, 9, "same", 1, 1),
    )
    assert found.counts == {"a-splits": 1, "b-splits": 1, "different-cuts": 1}
    assert (found.tokens_a, found.tokens_b, found.extra_percent) == (7, 7, 0.0)
    assert found.characters_per_token_a == 9 / 7


def test_half_characters_stay_within_their_span() -> None:
    a = make_pair([]).tokenizer
    b = make_pair([(0xC3, 0xA9, 256)]).tokenizer
    assert compare_text(a, b, "xéx").spans == (
        DifferenceSpan(0, 1, "same", 1, 1),
        DifferenceSpan(1, 2, "a-splits", 2, 1),
        DifferenceSpan(2, 3, "same", 1, 1),
    )
    assert compare_text(a, a, "xéx").spans == (DifferenceSpan(0, 3, "same", 4, 4),)


def test_an_empty_text() -> None:
    tokenizer = make_pair([]).tokenizer
    found = compare_text(tokenizer, tokenizer, "")
    assert found.spans == () and found.tokens_a == 0 and found.extra_percent == 0


def test_a_lone_surrogate_is_refused() -> None:
    tokenizer = make_pair([]).tokenizer
    with pytest.raises(ValueError, match="surrogate"):
        compare_text(tokenizer, tokenizer, "a\udc00")

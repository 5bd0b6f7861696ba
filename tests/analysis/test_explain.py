"""The stories of pieces against the oracle."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_studio.analysis.explain import explain, iter_explain
from tests import oracle_analysis as oracle
from tests.analysis.tables import make_pair, pairs, texts, worked


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_every_piece_has_the_oracles_story(data: st.DataObject) -> None:
    pair = data.draw(pairs())
    text = data.draw(texts(pair.alphabet, 14))
    names = tuple(pair.plain.specials)
    stories = explain(pair.tokenizer, text, allowed_special=names or None).pieces
    parts = oracle.parts(pair.plain, text, names, pair.alternatives)
    assert [(s.start, s.end, s.text, s.alternative) for s in stories] == [
        (p.start, p.end, p.text, p.alternative) for p in parts
    ]
    assert [(t.start, t.end, t.id) for s in stories for t in s.tokens] == oracle.encode(
        pair.plain, text, names
    )
    for story in stories:
        if story.special:
            assert story.steps == story.symbols == () and story.alternative_expression is None
            continue
        assert story.alternative_expression == pair.alternatives[story.alternative or 0]
        expected = list(oracle.steps(pair.plain, story.text.encode()))
        assert [s.rank for s in story.steps] == [s.rank for s in expected]
        assert [[rank for rank, _, _ in s.lost] for s in story.steps] == [s.lost for s in expected]
        assert [list(s.before) for s in story.steps] == [
            [token for _, _, token in s.before] for s in expected
        ]


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_a_span_gives_the_pieces_that_it_touches(data: st.DataObject) -> None:
    pair = data.draw(pairs())
    text = data.draw(texts(pair.alphabet, 14))
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    every = explain(pair.tokenizer, text).pieces
    touched = tuple(s for s in every if s.start < end and s.end > start)
    assert explain(pair.tokenizer, text, start=start, end=end).pieces == touched


def test_tokens_know_their_characters() -> None:
    pair = make_pair([(0xC3, 0xA9, 256), (32, 0xE6, 257)])
    tokens = explain(pair.tokenizer, "éé 日").tokens
    assert [(t.start, t.end, t.text_start, t.text_end) for t in tokens] == [
        (0, 2, 0, 1),
        (2, 4, 1, 2),
        (4, 6, 2, 4),  # the space and the first byte of 日
        (6, 7, 3, 4),
        (7, 8, 3, 4),
    ]


def test_what_fired_and_what_lost() -> None:
    story = explain(worked().tokenizer, " lowest").pieces[0]
    assert [step.rank for step in story.steps] == [0, 1, 2, 3]
    assert story.steps[0].lost == ()
    assert [t.id for t in story.tokens] == [259, 115, 116]


def test_whole_pieces_and_long_ones() -> None:
    pair = make_pair([(97, 98, 256)], extra={300: b"abab"}, engine="whole-piece-first")
    whole = explain(pair.tokenizer, "abab").pieces[0]
    assert whole.whole_piece and [t.id for t in whole.tokens] == [300]
    assert [step.rank for step in whole.steps] == [0]
    long = explain(pair.tokenizer, "ab" * 2_000).pieces[0]
    assert long.shortened and long.steps and long.token_count == 2_000


def test_one_piece_at_a_time() -> None:
    stories = list(iter_explain(worked().tokenizer, "low low lower"))
    assert [story.text for story in stories] == ["low", " low", " lower"]
    assert explain(worked().tokenizer, "").pieces == ()


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (0, 9), (3, 2)])
def test_a_span_outside(start: int, end: int) -> None:
    with pytest.raises(ValueError, match=f"The span {start}:{end} is not in the text"):
        explain(worked().tokenizer, "low", start=start, end=end)


def test_the_place_of_a_word_in_a_long_text() -> None:
    text = "é low\n" * 20_000
    last = explain(worked().tokenizer, text, start=len(text) - 4, end=len(text) - 1).pieces
    assert [story.text for story in last] == [" low"]
    assert last[0].tokens[0].end == len(text.encode()) - 1

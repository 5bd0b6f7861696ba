"""The stories of pieces against the oracle."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_studio.analysis.explain import explain, iter_explain
from bpe_studio.analysis.merging import events
from bpe_studio.analysis.story import LONGEST_STORY, WINDOW
from bpe_studio.bpe.tokenizer import Tokenizer
from tests import oracle_analysis as oracle
from tests.analysis.tables import make_pair, marked_tokenizer, pairs, texts, worked


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


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_short_stories_are_the_plain_trace(data: st.DataObject) -> None:
    pair = data.draw(pairs())
    text = data.draw(texts(pair.alphabet, 14))
    for story in explain(pair.tokenizer, text).pieces:
        piece = story.text.encode()
        assert story.symbols == pair.tokenizer.table.symbols(piece) and not story.shortened
        assert list(story.steps) == list(pair.tokenizer.trace(piece))
        assert (story.window_start, story.window_end) == (story.start, story.end)
        assert story.token_count == len(story.tokens)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_the_window_of_a_long_piece(data: st.DataObject) -> None:
    pair = data.draw(pairs(patterns=(r"[\s\S]+",)))
    part = data.draw(texts(pair.alphabet, 30))
    text = (part * 600)[: data.draw(st.integers(LONGEST_STORY + 1, 900))]
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, min(len(text), start + 20)))
    (story,) = explain(pair.tokenizer, text, start=start, end=end).pieces
    assert story.symbol_count == len(pair.tokenizer.table.symbols(text.encode()))
    assert WINDOW <= len(story.symbols) <= LONGEST_STORY and story.shortened
    assert story.window_start <= start and story.window_end >= end
    # It is what happens in the piece, restricted to the bytes of the window.
    begin, stop = story.bounds[0], story.bounds[-1]
    inside = [e for e in events(pair.tokenizer, text.encode()) if e.within(begin, stop)]
    joined = [e.rank for e in inside if not e.is_base]
    assert [s.rank for s in story.steps for _ in s.positions] == joined
    assert [(e.start, e.id) for e in inside if e.is_base] == list(
        zip(story.bounds, story.symbols, strict=False)
    )
    if not story.whole_piece:
        ends = {bound for token in story.tokens for bound in (token.start, token.end)}
        assert {begin, stop} <= ends
        assert (story.tokens[0].start, story.tokens[-1].end) == (begin, stop)
        every = [(a, b, t) for a, b, t in _encoded(pair.tokenizer, text) if begin <= a < stop]
        assert [(t.start, t.end, t.id) for t in story.tokens] == every


def _encoded(tokenizer: Tokenizer, text: str) -> list[tuple[int, int, int]]:
    found = tokenizer.encode_with_offsets(text)
    return [
        (*span, token)
        for span, token in zip(found.offsets.tolist(), found.ids.tolist(), strict=True)
    ]


def test_whole_pieces_and_long_tokens() -> None:
    pair = make_pair([(97, 98, 256)], extra={300: b"abab"}, engine="whole-piece-first")
    whole = explain(pair.tokenizer, "abab").pieces[0]
    assert whole.whole_piece and [t.id for t in whole.tokens] == [300]
    assert [step.rank for step in whole.steps] == [0]
    assert whole.merged == (256, 256) and whole.engines_differ
    same = explain(pair.tokenizer, "ab").pieces[0]
    assert same.whole_piece and same.merged == (256,) and not same.engines_differ
    doubled = [(97, 97, 256), *((255 + n, 255 + n, 256 + n) for n in range(1, 12))]
    long = explain(make_pair(doubled).tokenizer, "a" * 5_000, start=0, end=1).pieces[0]
    assert len(long.symbols) == 4_096 and long.steps == () and long.shortened


def test_marks_at_words() -> None:
    tokenizer = marked_tokenizer()
    story = explain(tokenizer, "lower").pieces[0]
    assert [tokenizer.token_bytes(symbol) for symbol in story.symbols] == [
        b"l", b"o", b"w", b"e", b"r</w>",
    ]  # fmt: skip
    assert [t.data for t in story.tokens] == [b"low", b"er"]
    assert [step.rank for step in story.steps] == [0, 1, 2]
    assert story.bounds == (0, 1, 2, 3, 4, 5)


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

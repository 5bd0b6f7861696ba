"""Why not one token: every span of random texts against the oracle, and the known examples."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_studio.analysis.before_merging import code_points
from bpe_studio.analysis.explain import Reason, why_not_one_token
from bpe_studio.analysis.merging import events
from bpe_studio.analysis.why import KINDS
from bpe_studio.bpe.edits import Prepend, Replace, Unicode
from bpe_studio.bpe.patterns import resolve_pattern
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.text_rules import TextRules
from bpe_studio.bpe.tokenizer import Tokenizer
from tests import oracle_analysis as oracle
from tests import oracle_why
from tests.analysis.tables import Pair, make_pair, marked_tokenizer, pairs, texts, worked


def _allowed(pair: Pair, data: st.DataObject) -> tuple[str, ...]:
    names = sorted(pair.plain.specials)
    return tuple(data.draw(st.sets(st.sampled_from(names)))) if names else ()


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_every_span_has_the_oracles_reason(data: st.DataObject) -> None:
    pair = data.draw(pairs())
    text = data.draw(texts(pair.alphabet))
    allowed = _allowed(pair, data)
    for start in range(len(text)):
        for end in range(start + 1, len(text) + 1):
            reason = why_not_one_token(
                pair.tokenizer, text, start, end, allowed_special=allowed or None
            )
            kind, rank = oracle_why.why(pair.plain, text, start, end, allowed)
            assert (reason.kind, reason.text) == (kind, text[start:end]), reason
            assert reason.kind in KINDS and reason.sentence.endswith(".")
            if rank is not None:
                assert reason.rank == rank, reason


@settings(max_examples=250, deadline=None)
@given(st.data())
def test_spans_that_are_tokens_in_any_surroundings(data: st.DataObject) -> None:
    """Here the merges decide: absorbed, taken, or won inside."""
    pair = data.draw(pairs(alphabets=("ab", "abc", "aé"), patterns=(r"[\s\S]+",)))
    for token in [new for _, _, new in pair.plain.merges]:
        raw = pair.plain.bytes_of(token)
        if raw.decode("utf-8", "ignore").encode() != raw:
            continue
        left, right = (data.draw(st.text(pair.alphabet, max_size=2)) for _ in range(2))
        text = left + raw.decode() + right
        span = (len(left), len(text) - len(right))
        reason = why_not_one_token(pair.tokenizer, text, *span)
        kind, rank = oracle_why.why(pair.plain, text, *span)
        assert reason.kind == kind, reason
        assert rank is None or reason.rank == rank
        if kind == "inner-merge":
            happened = {s.rank for s in oracle.steps(pair.plain, raw)}
            assert (reason.rank in happened) == bool(happened)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_the_named_merge_really_prevents_the_token(data: st.DataObject) -> None:
    pair = data.draw(pairs(ordinary=True))
    text = data.draw(texts(pair.alphabet))
    for start in range(len(text)):
        for end in range(start + 1, len(text) + 1):
            reason = why_not_one_token(pair.tokenizer, text, start, end)
            alone = events(pair.tokenizer, reason.text.encode())
            forms_alone = any(e.covers(0, len(reason.text.encode())) for e in alone)
            if reason.kind == "inner-merge":
                assert not forms_alone
                assert reason.rank is None or reason.rank in {e.rank for e in alone}
            if reason.kind == "taken":
                assert reason.own_rank is not None and reason.rank is not None
                assert reason.rank <= reason.own_rank
                assert reason.offset in (start, end)
            if reason.kind == "absorbed":
                assert forms_alone and reason.offset in (start, end)


def test_formed_and_absorbed() -> None:
    reason = why_not_one_token(worked().tokenizer, " lowest", 1, 4)
    assert reason.kind == "absorbed"
    assert (reason.own_rank, reason.rank, reason.offset) == (1, 2, 1)
    assert reason.sentence == (
        "“low” (id 257) was formed by the merge of rank 1 (“lo” + “w”), then absorbed by the "
        "merge of rank 2 (“␠” + “low”), which joined it with its neighbour into “␠low” (id 258)."
    )


def test_the_same_rank_further_left() -> None:
    pair = make_pair([(97, 97, 256)])
    reason = why_not_one_token(pair.tokenizer, "aaa", 1, 3)
    assert (reason.kind, reason.rank, reason.own_rank, reason.offset) == ("taken", 0, 0, 1)
    assert "left to right" in reason.sentence


def test_a_lower_rank_took_a_symbol() -> None:
    pair = make_pair([(97, 98, 256), (98, 99, 257)])
    reason = why_not_one_token(pair.tokenizer, "xabc", 2, 4)
    assert (reason.kind, reason.rank, reason.own_rank, reason.offset) == ("taken", 0, 1, 2)
    assert reason.sentence == (
        "The merge of rank 0 (“a” + “b”) came first: at character 2 it joined “b” (id "
        "98) inside the "
        "span with “a” (id 97) outside it, before the merge of rank 1 (“b” + “c”) could make “bc” "
        "(id 257)."
    )


def test_another_merge_inside() -> None:
    pair = make_pair([(98, 99, 256), (97, 98, 257), (257, 99, 258)])
    reason = why_not_one_token(pair.tokenizer, "abc", 0, 3)
    assert (reason.kind, reason.rank, reason.own_rank, reason.offset) == ("inner-merge", 0, 2, 2)
    assert reason.sentence == (
        "Inside “abc”, the merge of rank 0 (“b” + “c”) won at character 2 and made “bc” "
        "(id 256), so "
        "“ab” and “c” never met for the merge of rank 2 (“ab” + “c”). "
        "An engine that takes whole pieces first would make it one token."
    )


def test_another_merge_deeper_inside() -> None:
    pair = make_pair([(98, 99, 256), (97, 98, 257), (257, 99, 258), (258, 100, 259)])
    reason = why_not_one_token(pair.tokenizer, "abcd", 0, 4)
    assert (reason.kind, reason.rank, reason.own_rank, reason.offset) == ("inner-merge", 0, 2, 2)
    assert (
        "for the merge of rank 2 (“ab” + “c”), which “abcd” (id 259) is made of." in reason.sentence
    )


def test_the_pattern_cuts() -> None:
    reason = why_not_one_token(worked().tokenizer, "low low", 0, 7)
    assert (reason.kind, reason.cuts, reason.offset) == ("pattern-cut", (3,), 3)
    assert reason.alternatives == (r" ?[^\W\d]+",) * 2
    assert "at character 3, and" in reason.sentence


def test_no_token_and_specials_as_text() -> None:
    pair = make_pair([], specials={"<a>": 900})
    reason = why_not_one_token(pair.tokenizer, "x", 0, 1)
    assert reason.kind == "one-token"
    reason = why_not_one_token(make_pair([], pattern=r"[\s\S]+").tokenizer, "<a>", 0, 3)
    assert reason.sentence == "No token of this table has the bytes of “<a>” (3C 61 3E)."
    whole = make_pair([], pattern=r"[\s\S]+", specials={"<a>": 900}).tokenizer
    assert "read as plain text" in why_not_one_token(whole, "<a>", 0, 3).sentence
    part = why_not_one_token(whole, "x<a>", 0, 2, allowed_special="all")
    assert (part.kind, part.ids, part.offset) == ("special", (900,), 1)
    exact = why_not_one_token(whole, "x<a>", 1, 4, allowed_special="all")
    assert exact.kind == "one-token" and "special" in exact.sentence


def test_whole_pieces_first() -> None:
    pair = make_pair([(97, 98, 256)], extra={300: b"abab", 301: b"ba"}, engine="whole-piece-first")
    inside = why_not_one_token(pair.tokenizer, "abab", 0, 2)
    assert (inside.kind, inside.ids) == ("whole-piece", (300,))
    part = why_not_one_token(pair.tokenizer, "abx", 0, 2)
    assert part.kind == "one-token"
    unbuilt = why_not_one_token(pair.tokenizer, "bax", 0, 2)
    assert (unbuilt.kind, unbuilt.ids) == ("whole-piece", (301,))
    merges = make_pair([(97, 98, 256)], extra={301: b"ba"})
    assert why_not_one_token(merges.tokenizer, "bax", 0, 2).sentence == (
        "“ba” (id 301) is in the table, but no merge makes it."
    )


@pytest.mark.parametrize(("start", "end"), [(0, 0), (2, 1), (-1, 2), (0, 9)])
def test_a_span_that_is_none(start: int, end: int) -> None:
    with pytest.raises(ValueError, match="span"):
        why_not_one_token(worked().tokenizer, "low", start, end)


def test_a_lone_surrogate_is_refused() -> None:
    with pytest.raises(ValueError, match="character 1"):
        why_not_one_token(worked().tokenizer, "a\ud800", 0, 1)


def test_a_word_far_into_a_long_text() -> None:
    pair = worked()
    text = "no " * 50_000 + "é lowest"
    reason = why_not_one_token(pair.tokenizer, text, len(text) - 6, len(text) - 3)
    assert (reason.kind, reason.offset) == ("absorbed", len(text) - 6)
    assert reason.tokens[0].text_start == len(text) - 7
    assert text.encode()[reason.tokens[0].start : reason.tokens[0].end] == b" lowe"


def test_marks_at_words() -> None:
    tokenizer = marked_tokenizer()
    assert _asked(tokenizer, "|low|er").kind == "one-token"
    assert _asked(tokenizer, "|low|").sentence.endswith(
        "made by the merge of rank 3 (“lo” + “w</w>”)."
    )
    absorbed = _asked(tokenizer, "|lo|wer")
    assert (absorbed.kind, absorbed.rank, absorbed.own_rank) == ("absorbed", 1, 0)
    assert _asked(tokenizer, "l|ow|er").sentence == (
        "No token of this table has the bytes of “ow” (6F 77)."
    )
    assert _asked(tokenizer, "lo|wer|").sentence.startswith("No token of this table has the bytes")
    unknown = _asked(tokenizer, "lo|é|")
    assert unknown.sentence.endswith("What the table cannot spell is “<unk>” (id 20).")


def test_a_changed_text_goes_on() -> None:
    spaces = (Prepend("▁", unless_there=True), Replace(" ", "▁"))
    base, mark = worked(), "▁".encode()
    table = MergeTable.build(
        byte_ids=range(256),
        merges=[(108, 111, 256), (256, 119, 257), (mark[0], mark[1], 258), (258, mark[2], 259),
                (259, 257, 260)],
    )  # fmt: skip
    rules = TextRules(normalizer=spaces)
    tokenizer = replace(
        base.tokenizer, table=table, pattern=resolve_pattern("▁*[^▁]+|▁+"), rules=rules
    )
    assert _asked(tokenizer, "a| low|er").kind == "one-token"
    assert _asked(tokenizer, "|low|er").kind == "one-token"  # the mark stands for no character
    absorbed = _asked(tokenizer, "a |low|er")
    assert (absorbed.kind, absorbed.rank, absorbed.offset) == ("absorbed", 4, 2)
    changed = _asked(tokenizer, "a| lo|w")
    assert (changed.kind, changed.rank) == ("normalized", None)
    assert changed.sentence.startswith(
        "Before it merges, the tokenizer changes “␠lo” into “▁lo”. Of that: No token"
    )
    cut = _asked(tokenizer, "|low l|ow")
    assert (cut.kind, cut.cuts) == ("normalized", (3,))


def test_look_alikes_are_told_by_their_code_points() -> None:
    tokenizer = replace(worked().tokenizer, rules=TextRules(normalizer=(Unicode("NFC"),)))
    assert _asked(tokenizer, "|e\u0301|x").sentence.startswith(
        "Before it merges, the tokenizer changes “e\u0301” (U+0065 U+0301) into “é” (U+00E9)."
    )
    assert code_points("the word is e\u0301 there", "the word is é there") == "… U+0065 U+0301 …"


def test_engines_that_differ_are_told() -> None:
    pair = make_pair([(97, 98, 256)], extra={300: b"abab"}, engine="whole-piece-first")
    assert _asked(pair.tokenizer, "|abab|").sentence.endswith(
        "An engine of merges alone would give “ab” and “ab”."
    )
    assert "merges alone" not in _asked(pair.tokenizer, "|ab|").sentence
    merging = replace(pair.tokenizer, engine="merges")
    assert _asked(merging, "|abab|").sentence == (
        "“abab” (id 300) is in the table, but no merge makes it. "
        "An engine that takes whole pieces first would make it one token."
    )
    assert _asked(merging, "|abab|x").sentence.endswith("but no merge makes it.")


def _asked(tokenizer: Tokenizer, text: str) -> Reason:
    """Why what stands between the bars is not one token."""
    before, asked, _ = text.split("|")
    bare = text.replace("|", "")
    return why_not_one_token(tokenizer, bare, len(before), len(before + asked))

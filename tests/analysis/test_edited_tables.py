"""Tables that somebody edited: the right tokens are found, for the right reason, by brute force."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_studio.analysis.flags import Flag
from bpe_studio.analysis.health import check_all
from bpe_studio.analysis.naming import token_name
from tests import oracle_analysis as oracle
from tests.analysis.tables import Pair, make_pair, pairs

ALPHABETS = ("ab", "abc", "aé")
WHOLE = (r"[\s\S]+",)
LONGEST = 5
Rows = list[tuple[int, int, int]]


def _of_kind(pair: Pair, kind: str) -> dict[int, Flag]:
    return {flag.id: flag for flag in check_all(pair.tokenizer).of_kind(kind)}


def _edited(pair: Pair, merges: Rows, *, engine: Any = "merges", gone: int = -1) -> Pair:
    """The pair with other merges; a token that none makes any more stays, but for `gone`."""
    made = {new for _, _, new in merges}
    tokens = {**pair.plain.tokens()}
    extra = {t: d for t, d in tokens.items() if t not in made | set(pair.plain.base) | {gone}}
    chars = pair.tokenizer.table.char_ids
    return make_pair(
        merges,
        pattern=WHOLE[0],
        engine=engine,
        char_ids=chars,
        extra=extra,
        alphabet=pair.alphabet,
    )


@st.composite
def edited_pairs(draw: Any) -> Pair:
    """A table that could come from training, with one merge lost, moved, or its token removed."""
    pair = draw(pairs(ordinary=True, alphabets=ALPHABETS, patterns=WHOLE))
    merges = list(pair.plain.merges)
    engine = draw(st.sampled_from(("merges", "whole-piece-first")))
    if not merges:
        return _edited(pair, merges, engine=engine)
    place = draw(st.integers(0, len(merges) - 1))
    row = merges.pop(place)
    how = draw(st.sampled_from(("lost", "moved", "removed")))
    if how == "lost":
        return _edited(pair, merges, engine=engine)
    if how == "moved":
        merges.insert(draw(st.integers(0, len(merges))), row)
        return _edited(pair, merges, engine=engine)
    kept = [merge for merge in merges if row[2] not in merge]
    return _edited(pair, kept, engine=engine, gone=row[2])


@settings(max_examples=120, deadline=None)
@given(edited_pairs())
def test_exactly_what_no_text_gives_is_unreachable(pair: Pair) -> None:
    asked = {t for t, d in pair.plain.tokens().items() if len(d.decode("utf-8", "replace")) < 6}
    found = set(_of_kind(pair, "unreachable"))
    lacking = oracle.without_text(pair.plain, pair.alphabet, LONGEST)
    whole = {t for t in found & asked if _is_text(pair.plain.tokens()[t], pair.alphabet)}
    assert whole == lacking, (pair, whole, lacking)


def _is_text(data: bytes, alphabet: str) -> bool:
    return set(data.decode("utf-8", "replace")) <= set(alphabet)


@settings(max_examples=120, deadline=None)
@given(edited_pairs())
def test_the_reason_is_the_missing_merge_or_one_that_fires(pair: Pair) -> None:
    plain = pair.plain
    flags = {**_of_kind(pair, "unreachable"), **_of_kind(pair, "whole-piece-only")}
    made = {new for _, _, new in plain.merges}
    for token, flag in flags.items():
        if not plain.can_build(token) and token not in made:
            assert f"(id {token}) is in the table, but no merge makes it." in flag.evidence
        elif not plain.can_build(token):
            lost = [t for t in plain.tokens() if t not in made | set(plain.base)]
            named = [
                t
                for t in lost
                if f"no merge makes {token_name(pair.tokenizer, t)}" in flag.evidence
            ]
            assert len(named) == 1 and named[0] in _below(plain, token)
        elif "wins and makes" in flag.evidence:
            rank = int(flag.evidence.split("the merge of rank ")[1].split(" ")[0])
            assert rank in {step.rank for step in oracle.steps(plain, plain.tokens()[token])}


def _below(plain: oracle.PlainTable, token: int) -> set[int]:
    below = {token}
    while more := {p for a, b, n in plain.merges if n in below for p in (a, b)} - below:
        below |= more
    return below


@settings(max_examples=120, deadline=None)
@given(edited_pairs())
def test_the_other_engine_is_asked_too(pair: Pair) -> None:
    """What a flag says about the other engine is what a table under that engine gives."""
    other = replace(pair.plain, whole_piece_first=not pair.plain.whole_piece_first)
    given_here = set(oracle.produced(pair.plain, pair.alphabet, LONGEST))
    given_there = set(oracle.produced(other, pair.alphabet, LONGEST))
    flags = [f for f in check_all(pair.tokenizer).flags if f.other_engine]
    said = {flag.id for flag in flags}
    asked = {
        t for t, d in pair.plain.tokens().items()
        if t not in pair.plain.base and _is_text(d, pair.alphabet) and len(d.decode()) <= LONGEST
    }  # fmt: skip
    assert said & asked == (given_here ^ given_there) & asked, pair
    for flag in flags:
        assert flag.other_engine in flag.evidence
        never = "never produces it" in flag.other_engine
        assert never == (flag.id in given_here) or flag.id not in asked


def test_one_merge_deleted() -> None:
    pair = make_pair([(97, 98, 256), (256, 99, 257), (257, 100, 258)], pattern=WHOLE[0])
    assert not check_all(pair.tokenizer).of_kind("unreachable")
    found = _of_kind(_edited(pair, [(97, 98, 256), (257, 100, 258)]), "unreachable")
    whole = " An engine that takes whole pieces first would produce it."
    assert {token: flag.evidence for token, flag in found.items()} == {
        257: f"“abc” (id 257) is in the table, but no merge makes it.{whole}",
        258: "“abcd” (id 258) is made by the merge of rank 1 (“abc” + “d”), but on the way to it "
        f"no merge makes “abc” (id 257).{whole}",
    }
    assert {flag.other_engine for flag in found.values()} == {whole.strip()}


def test_one_merge_moved() -> None:
    pair = make_pair([(97, 98, 256), (98, 99, 257), (256, 99, 258)], pattern=WHOLE[0])
    assert not check_all(pair.tokenizer).of_kind("unreachable")
    moved = _edited(pair, [(98, 99, 257), (97, 98, 256), (256, 99, 258)])
    found = _of_kind(moved, "unreachable")
    assert set(found) == {258}
    assert found[258].evidence.startswith("On its own bytes the merge of rank 0 (“b” + “c”) wins")

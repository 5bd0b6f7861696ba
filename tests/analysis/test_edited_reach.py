"""Reach where texts are edited before they are merged, and where another library encodes."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from bpe_studio.analysis.flags import Flag
from bpe_studio.analysis.health import HealthReport, check_all
from bpe_studio.analysis.reach_checks import OF_REACH
from bpe_studio.bpe.edits import Edit, Lowercase, Prepend, Replace, Unicode
from bpe_studio.bpe.outside import OutsideModel
from bpe_studio.bpe.patterns import resolve_pattern
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.text_rules import AddedToken, TextRules, Unknown
from bpe_studio.bpe.tokenizer import Tokenizer
from tests.analysis.tables import make_pair, marked_tokenizer, pairs


def _tokenizer(
    tokens: Sequence[str], *normalizer: Edit, pattern: str = "gpt2", **rules: Any
) -> Tokenizer:
    """Every token a whole piece, with ids from 300 on."""
    extra = {300 + number: token.encode() for number, token in enumerate(tokens)}
    made = make_pair([], pattern=pattern, engine="whole-piece-first", extra=extra).tokenizer
    return replace(made, rules=TextRules(normalizer=normalizer, **rules))


def _of_kind(report: HealthReport, kind: str) -> dict[int, Flag]:
    return {flag.id: flag for flag in report.of_kind(kind)}


def _evidence(tokenizer: Tokenizer, kind: str = "unreachable") -> dict[int, str]:
    return {token: f.evidence for token, f in _of_kind(check_all(tokenizer), kind).items()}


def test_a_normal_form_never_leaves_what_it_changes() -> None:
    tokenizer = _tokenizer(["e\u0301", "\u00e9", "ab"], Unicode("NFC"))
    assert _evidence(tokenizer) == {
        300: "The normalizer (NFC) turns “e\u0301” (U+0065 U+0301) into “\u00e9” (U+00E9), and "
        "what it makes never holds the first."
    }
    apart = _tokenizer(["e\u0301", "\u00e9"], Unicode("NFD"), pattern=r"[\s\S]+")
    assert set(_evidence(apart)) == {301}


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_normal_forms_by_brute_force(data: st.DataObject) -> None:
    """No text over the alphabet, normalized, gives what is flagged; what is not has a witness."""
    letters = "ae\u0301\u00e9\u0323"
    form = data.draw(st.sampled_from(("NFC", "NFD")))
    tokens = data.draw(st.lists(st.text(letters, min_size=2, max_size=3), max_size=4, unique=True))
    tokenizer = _tokenizer(tokens, Unicode(form), pattern=r"[\s\S]+")
    flagged = set(_evidence(tokenizer))
    for number, token in enumerate(tokens):
        assert (300 + number in flagged) == (unicodedata.normalize(form, token) != token)
        if 300 + number not in flagged:
            assert tokenizer.encode(token) == [300 + number]


def test_what_is_written_small_is_named() -> None:
    found = _evidence(_tokenizer(["AB", "ab", "x"], Lowercase(), Unicode("NFC")))
    assert set(found) == {300}
    assert found[300].startswith("The normalizer turns “AB” into “ab”, and none of ")
    assert found[300].endswith(" texts with neighbours of every class produced it.")


def test_a_space_is_put_in_front() -> None:
    """As SentencePiece does; each token comes in some text, and the search knows one."""
    edits = (Prepend(" ", first_only=True), Replace("▁", " "))
    tokenizer = _tokenizer([" ab", "ab", "b", "  ", "▁c"], *edits, pattern="words")
    assert set(_evidence(tokenizer)) == {301, 304}
    assert "turns “▁c” into “␠·c”" in _evidence(tokenizer)[304]


def test_the_pattern_cuts_what_is_edited_too() -> None:
    tokenizer = _tokenizer(["a b"], Lowercase(), Unicode("NFC"))
    report = check_all(tokenizer)
    assert set(_of_kind(report, "cut-by-pattern")) == set(_of_kind(report, "unreachable")) == {300}
    assert _of_kind(report, "unreachable")[300].evidence.startswith("The pattern cuts “a·b” at")


def test_a_special_is_taken_first() -> None:
    special = AddedToken("<s>", 900)
    made = make_pair([], engine="whole-piece-first", extra={300: b"<s>", 301: b"<"}).tokenizer
    tokenizer = replace(made, special_ids={"<s>": 900}, rules=TextRules(added=(special,)))
    found = _of_kind(check_all(tokenizer), "unreachable")
    assert set(found) == {300}
    assert "cuts “<s>”" in found[300].evidence or "holds the special" in found[300].evidence
    assert set(_of_kind(check_all(made), "unreachable")) == {300}  # the pattern cuts it anyway
    whole = replace(made, pattern=resolve_pattern(r"[\s\S]+"))
    assert not check_all(whole).of_kind("unreachable")
    taken = replace(tokenizer, pattern=whole.pattern)
    assert _evidence(taken)[300].startswith("“<s>” holds the special “<s>”, which is matched first")


def test_tokens_that_no_merge_need_make() -> None:
    """Fixed pieces, added tokens and the unknown token come from elsewhere."""
    made = make_pair([], extra={300: b"xy", 301: b"<unk>", 302: b"zz"}).tokenizer
    rules = TextRules(fixed=(("xy", 300),), unknown=Unknown(301))
    assert set(_evidence(replace(made, rules=rules))) == {302}


def test_marks_of_words_are_searched_by_encoding() -> None:
    tokenizer = marked_tokenizer()
    assert set(_evidence(tokenizer)) == set()
    lost = MergeTable.build(
        base="bytes", byte_ids=[-1] * 256,
        merges=[(0, 1, 10)],
        tokens={**dict(enumerate([b"l", b"o", b"w", b"w</w>"])), 20: b"<unk>", 21: b"ow</w>"},
    )  # fmt: skip
    found = _evidence(replace(tokenizer, table=lost))
    assert set(found) == {21} and "none of" in found[21]


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_what_is_not_flagged_is_in_some_encoding(data: st.DataObject) -> None:
    """Of any table whose texts are written small: an alphabet of small letters changes nothing."""
    pair = data.draw(pairs(alphabets=("ab", "abc"), patterns=(r"[\s\S]+", "gpt2")))
    plain = replace(pair.tokenizer, special_ids={})
    edited = replace(plain, rules=TextRules(normalizer=(Lowercase(), Unicode("NFC"))))
    kinds = ("unreachable", "whole-piece-only", "cut-by-pattern", "duplicate")
    for kind in kinds:
        assert set(_of_kind(check_all(plain), kind)) == set(_of_kind(check_all(edited), kind))


# Other libraries


@dataclass(frozen=True)
class Made:
    """A model of its own: the longest token that fits, from left to right."""

    tokens: dict[str, int]
    kind: str = "Unigram"
    library: str = "none"
    error: str = ""

    def ids(self, text: str) -> NDArray[np.int32]:
        return self.encode(text)[0]

    def encode(self, text: str) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        if self.error:
            raise ValueError(self.error)
        ids, at = [], 0
        while at < len(text):
            fits = [t for t in self.tokens if text.startswith(t, at)]
            best = max(fits, key=len, default=text[at])
            ids.append(self.tokens.get(best, 0))
            at += len(best)
        return np.array(ids, dtype=np.int32), np.zeros((len(ids), 2), dtype=np.int64)

    def decode(self, ids: Sequence[int], skip_specials: bool) -> str:
        return "".join(text for number in ids for text, n in self.tokens.items() if n == number)


def _outside(model: OutsideModel, vocabulary: dict[str, int]) -> Tokenizer:
    tokens = {number: text.encode() for text, number in vocabulary.items()}
    table = MergeTable.build(byte_ids=[-1] * 256, tokens=tokens)
    return Tokenizer(table=table, pattern=resolve_pattern("whole"), outside=model)


def test_another_library_is_asked() -> None:
    known = {"a": 1, "b": 2, "ab": 3}
    tokenizer = _outside(Made(known), {**known, "abab": 4})
    found = _evidence(tokenizer)
    assert set(found) == {4}
    assert found[4].startswith("Its own text encodes to “ab” (id 3) and “ab” (id 3), and none of ")


@pytest.mark.parametrize(
    ("model", "says"),
    [
        (Made({"a": 1}, kind="WordPiece"), "Another library encodes with WordPiece, whose tokens"),
        (Made({"a": 1}, error="Install it: pip install x."), "Install it: pip install x."),
    ],
)
def test_where_it_cannot_be_asked(model: Made, says: str) -> None:
    report = check_all(_outside(model, {"a": 1, "ab": 2}))
    assert report.unchecked.startswith(says)
    assert not set(OF_REACH) & set(report.counts)


def test_what_can_only_be_viewed() -> None:
    tokenizer = replace(make_pair([(97, 98, 256)]).tokenizer, view_only="Only for view.")
    report = check_all(tokenizer)
    assert report.unchecked == "Only for view." and "unreachable" not in report.counts

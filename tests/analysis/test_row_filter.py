"""The filter box."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.analysis.flag_marks import FlagMarks
from bpe_studio.analysis.flags import flag
from bpe_studio.analysis.merge_rows import MergeRows
from bpe_studio.analysis.row_filter import (
    Bounds,
    containing,
    has_flag,
    parse_filter,
    plain,
    with_flag,
)
from bpe_studio.bpe.decoder import readable
from tests.analysis.test_merge_rows import PAIRS, tokenizer

ROWS = MergeRows(tokenizer([(32, 76), (76, 111), (257, 119), (257, 87), (195, 169), (10, 32)]))
TOKENS = [ROWS.token(row) for row in range(len(ROWS))]


def found(query: str) -> list[bytes]:
    return [TOKENS[row] for row in np.flatnonzero(parse_filter(query).mask(ROWS))]


def test_the_tokens_of_this_test() -> None:
    assert TOKENS == [b" L", b"Lo", b"Low", b"LoW", b"\xc3\xa9", b"\n "]


@pytest.mark.parametrize(
    ("query", "tokens"),
    [
        ("lo", [b"Lo", b"Low", b"LoW"]),  # lower case finds both
        ("LoW", [b"LoW"]),  # a capital is meant
        ("␠l", [b" L"]),
        ("␣l", [b" L"]),  # as sentences write it
        (" ", [b" L", b"\n "]),
        ("⏎", [b"\n "]),
        ("é", [b"\xc3\xa9"]),
        ("⟨C3⟩", [b"\xc3\xa9"]),
        ("rank:1-2", [b"Lo", b"Low"]),
        ("rank:>3", [b"\xc3\xa9", b"\n "]),
        ("rank:<=1", [b" L", b"Lo"]),
        ("id:258", [b"Low"]),
        ("258", [b"Low"]),
        ("bytes:3 w", [b"Low", b"LoW"]),
        ("w bytes:3 rank:2", [b"Low"]),
        ("left:257", [b"Low", b"LoW"]),
        ("nothing", []),
        ("", TOKENS),
    ],
)
def test_queries(query: str, tokens: list[bytes]) -> None:
    assert found(query) == tokens


def test_a_range_that_ends_before_it_begins_is_refused() -> None:
    with pytest.raises(ValueError, match="ends before it begins"):
        parse_filter("rank:5-3")
    assert parse_filter("rank:5-5").bounds[0].high == 5


@pytest.mark.parametrize("query", ["rank:", "rank:x", "id:1-x", "count:>", "bytes:-3"])
def test_a_field_without_a_number_is_refused_in_a_sentence(query: str) -> None:
    with pytest.raises(ValueError, match="takes a number or a range"):
        parse_filter(query)


def test_a_word_with_a_colon_is_text() -> None:
    assert parse_filter("std:vector").text == b"std:vector"
    assert parse_filter("rank:5..9").bounds == (Bounds("rank", 5, 9),)
    assert parse_filter("rank:1,000").bounds == (Bounds("rank", 1000, 1000),)


@given(PAIRS, st.binary(min_size=1, max_size=3), st.booleans())
def test_containing_is_what_python_finds(
    pairs: list[tuple[int, int]], text: bytes, any_case: bool
) -> None:
    rows = MergeRows(tokenizer(pairs))
    text = text.lower() if any_case else text
    expected = [
        text in (rows.token(row).lower() if any_case else rows.token(row))
        for row in range(len(rows))
    ]
    assert containing(rows, text, any_case=any_case).tolist() == expected


@given(st.binary(max_size=8))
def test_what_is_shown_can_be_typed(data: bytes) -> None:
    shown = readable(data)
    if "◌" not in shown and not set(shown) & set("␠·⏎⇥") - set(readable(data)):
        assert plain(shown) == data or any(c in data.decode("utf-8", "ignore") for c in "␠␣·⏎⇥␡⟨◌")


MARKS = FlagMarks((flag(257, "rare", "."), flag(258, "duplicate", "."), flag(258, "rare", ".")))


@pytest.mark.parametrize(
    ("query", "tokens"),
    [
        ("flag:", [b"Lo", b"Low"]),
        ("flag:rare", [b"Lo", b"Low"]),
        ("flag:error", [b"Low"]),
        ("FLAG:", []),  # a text, as RANK:5 is
        ("flag:rare flag:dup", [b"Low"]),  # both
        ("w flag:", [b"Low"]),
        ("flag: w bytes:3", [b"Low"]),
        ("flag:invisible", []),
    ],
)
def test_flags_are_asked_for(query: str, tokens: list[bytes]) -> None:
    mask = parse_filter(query).mask(ROWS, MARKS)
    assert [TOKENS[row] for row in np.flatnonzero(mask)] == tokens


def test_without_a_check_no_token_is_flagged() -> None:
    assert not parse_filter("flag:").mask(ROWS).any()
    assert parse_filter("low").mask(ROWS, MARKS).tolist() == parse_filter("low").mask(ROWS).tolist()


def test_a_kind_that_there_is_not_is_named() -> None:
    with pytest.raises(ValueError, match=r"no kind 'polluted'; the kinds are .*concentrated"):
        parse_filter("flag:polluted")


@pytest.mark.parametrize("query", ["", "low", "rank:1-2 low", "flag:rare low", "low flag:"])
def test_the_word_comes_and_goes(query: str) -> None:
    on, off = with_flag(query, True), with_flag(query, False)
    assert has_flag(on) and not has_flag(off)
    assert with_flag(on, False) == off

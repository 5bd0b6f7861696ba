"""Rows to compare with: which names are reserved, and ranges as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.analysis.reference_rows import (
    RESERVED,
    find_reference,
    never_valid,
    ranges,
    rows_from_words,
)
from bpe_studio.bpe.patterns import resolve_pattern
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer


def tokenizer(specials: dict[str, int], tokens: dict[int, bytes] | None = None) -> Tokenizer:
    table = MergeTable.build(byte_ids=range(256), tokens=tokens or {})
    return Tokenizer(table=table, pattern=resolve_pattern("gpt2"), special_ids=specials)


@pytest.mark.parametrize(
    "name",
    [
        "<|reserved_special_token_5|>", "<unused12>", "[unused3]", "<SPECIAL_20>", "<|extra_7|>",
        "<|dummy_3|>", "<|placeholder1|>", "<reserved_12>", "[control_8]", "<|unused_1|>",
    ],
)  # fmt: skip
def test_names_that_are_kept_free(name: str) -> None:
    assert find_reference(tokenizer({name: 300}), 301)[RESERVED].tolist() == [300]


@pytest.mark.parametrize(
    "name", ["<|endoftext|>", "<s>", "[INST]", "<extra_id_0>", "<|im_start|>", "reserved", "<0x0A>"]
)
def test_names_that_are_used(name: str) -> None:
    assert RESERVED not in find_reference(tokenizer({name: 300}), 301)


def test_unused_tokens_of_the_table_count_too() -> None:
    made = tokenizer({}, {256: b"<unused7>", 257: b"unused", 258: b" <unused7>"})
    assert find_reference(made, 259)[RESERVED].tolist() == [256]


def test_tokens_that_are_never_valid() -> None:
    made = tokenizer({}, {256: b"a\xffb", 257: b"\xe2\x82", 258: b"\xc3\xa9", 259: b"\xed\xa0\x80"})
    assert never_valid(made).tolist() == [0xC0, 0xC1, *range(0xF5, 0x100), 256, 259]
    found = find_reference(made, 260)
    assert found["tokens that no UTF-8 text has"].tolist() == [256, 259]
    assert sum(map(len, found.values())) == 15


@pytest.mark.parametrize(
    ("words", "rows"),
    [("5", (5,)), (" 5, 10-12 ,7", (5, 7, 10, 11, 12)), ("3-3,3", (3,)), ("0-1,", (0, 1))],
)
def test_ranges_are_read(words: str, rows: tuple[int, ...]) -> None:
    assert rows_from_words(words, 20) == rows


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("", "No reference rows are given"),
        ("a", "'a' is neither"),
        ("1-2-3", "'1-2-3' is neither"),
        ("-4", "'-4' is neither"),
        ("٣", "is neither"),
        ("9-4", "The range 9-4 of reference rows ends before it begins."),
        ("5,20", "The reference row 20 is not there: the output matrix has the rows 0 to 19."),
        ("0-99999999999999999999999", "is not there"),
    ],
)
def test_what_is_no_range(words: str, sentence: str) -> None:
    with pytest.raises(ValueError) as caught:
        rows_from_words(words, 20)
    assert sentence in str(caught.value)


@given(st.sets(st.integers(0, 50), min_size=1))
def test_ranges_are_written_as_they_are_read(rows: set[int]) -> None:
    words = ranges(rows)
    assert rows_from_words(words.replace("–", "-"), 51) == tuple(sorted(rows))
    assert words.count(",") == sum(row - 1 not in rows for row in rows) - 1

"""The layout after an edit is the layout of the edited text."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.bpe.patterns import resolve_pattern
from bpe_studio.gui.models.relayout import lay_out_after
from bpe_studio.gui.models.token_layout import TokenLayout, lay_out
from tests.gui.small_tables import small_tokenizer
from tests.texts import hard_text

WORDS = st.lists(
    st.sampled_from(["low", " lowest", "\n", " the", "!\n", "\r\n", "你", " 😀", "12", "  "]),
    max_size=25,
).map("".join)


def same(found: TokenLayout | None, expected: TokenLayout) -> None:
    for field in fields(TokenLayout):
        ours, theirs = getattr(found, field.name), getattr(expected, field.name)
        assert np.array_equal(ours, theirs), field.name
        if isinstance(ours, np.ndarray):
            assert ours.dtype == theirs.dtype, field.name


@given(st.sampled_from(["classic", "gpt2", "o200k"]), WORDS, st.data())
def test_it_is_that_of_the_whole_text(pattern: str, text: str, data: st.DataObject) -> None:
    tokenizer = small_tokenizer(pattern=pattern)
    layout = lay_out(tokenizer, text)
    for _ in range(3):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 9)))
        text = text[:start] + data.draw(WORDS | hard_text) + text[end:]
        expected = lay_out(tokenizer, text)
        found = lay_out_after(tokenizer, layout, text)
        assert (found is None) == (not text or not len(layout))
        if found is not None:
            same(found, expected)
        layout = expected


@pytest.mark.parametrize(
    "text", ["low " + "x" * 50_001, "low e" + "\u0301" * 2_000, "low " + "lowest" * 30_000]
)
def test_lines_that_are_broken_are_laid_out_whole(text: str) -> None:
    tokenizer = small_tokenizer()
    assert lay_out_after(tokenizer, lay_out(tokenizer, "low "), text) is None
    assert lay_out_after(tokenizer, lay_out(tokenizer, text), "low ") is None or len(text) > 60_000


def test_a_pattern_without_cuts_is_laid_out_whole() -> None:
    tokenizer = replace(small_tokenizer(), pattern=resolve_pattern(r"\w+|\W"))
    assert lay_out_after(tokenizer, lay_out(tokenizer, "low low"), "low lower") is None

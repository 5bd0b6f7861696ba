"""Line by line against counting by hand."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_studio.analysis.compare_lines import compare_lines_of, iter_compare_lines
from bpe_studio.analysis.compare_text import compare_text
from bpe_studio.bpe.generators import result_of
from tests.analysis.tables import make_pair, pairs


@settings(max_examples=150, deadline=None)
@given(a=pairs(alphabets=("a\n é",)), b=pairs(alphabets=("a\n é",)), text=st.text("a\n\r é日"))
def test_lines_are_those_of_a_split(a, b, text) -> None:  # type: ignore[no-untyped-def]
    found = compare_text(a.tokenizer, b.tokenizer, text)
    lines = compare_lines_of(a.tokenizer, b.tokenizer, text, found)
    begins = [each.tokenizer.encode_with_offsets(text).offsets[:, 0] for each in (a, b)]
    sliced = result_of(iter_compare_lines(text, *begins, found, block=2))
    assert (sliced.starts == lines.starts).all() and (sliced.tokens_b == lines.tokens_b).all()
    *before, last = text.split("\n")
    expected = [line + "\n" for line in before] + ([last] if last else [])
    starts = lines.starts.tolist()
    assert [text[i:j] for i, j in zip(starts, starts[1:], strict=False)] == expected
    assert lines.characters.tolist() == [len(line) for line in expected]
    for tokenizer, counts in ((a.tokenizer, lines.tokens_a), (b.tokenizer, lines.tokens_b)):
        begins = tokenizer.encode_with_offsets(text).offsets[:, 0].tolist()
        edges = [len(text[:start].encode()) for start in starts]
        by_hand = [
            sum(start <= begin < end for begin in begins)
            for start, end in zip(edges, edges[1:], strict=False)
        ]
        assert counts.tolist() == by_hand
    assert lines.differences.sum() == len(found.differences)
    for character in range(len(text)):
        assert lines.line_at(character) == text.count("\n", 0, character)


def test_figures_of_a_line() -> None:
    """A token across a line's end counts for the line that it begins in."""
    a = make_pair([(10, 10, 256)], pattern=r"[\s\S]+").tokenizer
    b = make_pair([(97, 98, 256)]).tokenizer
    text = "ab\n\nab"
    lines = compare_lines_of(a, b, text, compare_text(a, b, text))
    assert len(lines) == 3
    assert lines.tokens_a.tolist() == [3, 0, 2] and lines.tokens_b.tolist() == [2, 1, 1]
    assert lines.extra.tolist() == [-1, 1, -1]
    assert lines.characters_per_token_a.tolist()[::2] == [1.0, 1.0]
    assert np.isnan(lines.characters_per_token_a[1])
    assert lines.characters_per_token_b.tolist() == [1.5, 1.0, 2.0]


def test_no_text() -> None:
    a = make_pair([]).tokenizer
    lines = compare_lines_of(a, a, "", compare_text(a, a, ""))
    assert len(lines) == 0 and lines.starts.tolist() == [0]

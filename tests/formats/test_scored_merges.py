"""Scores → ranks: distinct ones, and the runs of one character that share a score."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.formats.spm.scored_merges import (
    TiedScoresError,
    _by_rank,
    _leftmost,
    _run_merges,
    merges_by_score,
)


def test_one_merge_a_piece_best_score_first() -> None:
    texts = ["a", "b", "c", "abc", "bc", "ab", "cab"]
    scores = [0.0, 0.0, 0.0, -3.0, -1.0, -2.0, -4.0]
    rows = merges_by_score(texts, scores, range(10, 17)).tolist()
    # "abc" is always made of "a" and "bc", since "bc" has the better score.
    assert rows == [[11, 12, 14], [10, 11, 15], [10, 14, 13], [12, 15, 16]]


def test_what_cannot_be_made_may_share_a_score() -> None:
    texts = ["a", "b", "ab", "ax", "xa", "aaaa"]
    assert merges_by_score(texts, [0, 0, -1, -1, -1, -1], range(6)).tolist() == [[0, 1, 2]]


def test_shared_scores_are_refused_where_the_place_decides() -> None:
    with pytest.raises(TiedScoresError, match="'ab' and 'ba' have one score"):
        merges_by_score(["a", "b", "ab", "ba"], [0, 0, -1, -1], range(4))
    # A run joins with other things.
    with pytest.raises(TiedScoresError):
        merges_by_score(["a", "b", "aa", "aaa", "aab"], [0, 0, -1, -1, -2], range(5))


@given(st.sets(st.integers(2, 20), min_size=1), st.integers(2, 90))
def test_runs(lengths: set[int], count: int) -> None:
    merges = _run_merges(lengths | {1})
    if merges is None:
        return
    assert {left + right for left, right in merges} <= lengths
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    assert _by_rank(count, ranks) == _leftmost(count, lengths)


@pytest.mark.parametrize("longest", [2, 3, 15, 16, 31, 64])
def test_runs_of_every_length_can_be_ranked(longest: int) -> None:
    assert _run_merges(set(range(1, longest + 1))) is not None

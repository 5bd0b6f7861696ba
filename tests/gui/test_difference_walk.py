"""Walking through differences: in order, round the ends, and only through wanted classes."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.analysis.compare_text import DIFFERENCES, TextComparison
from bpe_studio.gui.models.difference_walk import EVERY, DifferenceWalk

KINDS = st.lists(st.integers(0, 3), max_size=12)


def _comparison(kinds: list[int]) -> TextComparison:
    """Spans of three characters each."""
    starts = np.arange(len(kinds), dtype=np.int64) * 3
    ones = np.ones(len(kinds), np.int64)
    size = 3 * len(kinds)
    return TextComparison(
        starts, starts + 3, np.array(kinds, np.int8), ones, ones, size, size, len(kinds), len(kinds)
    )


@given(kinds=KINDS, wanted=st.sets(st.sampled_from(sorted(EVERY))), shown=st.integers(0, 36))
def test_a_round_goes_through_all_that_are_wanted(
    kinds: list[int], wanted: set[str], shown: int
) -> None:
    walk = DifferenceWalk(_comparison(kinds), shown, wanted)
    expected = [
        row for row, kind in enumerate(kinds) if DIFFERENCES[kind] in wanted and 3 * row < shown
    ]
    assert [walk.step(1) for _ in expected] == expected
    assert [walk.step(1) for _ in expected] == expected
    assert [walk.step(-1) for _ in expected] == [*expected[-2::-1], *expected[-1:]]
    if not expected:
        assert walk.step(1) == walk.step(-1) == -1


@given(kinds=KINDS, character=st.integers(0, 40), step=st.sampled_from((1, -1)))
def test_from_a_chosen_one_the_nearest_follows(kinds: list[int], character: int, step: int) -> None:
    walk = DifferenceWalk(_comparison(kinds), 100, {"a-splits"})
    row = walk.choose_at(character)
    here = min(character // 3, len(kinds) - 1)
    assert row == (here if kinds and kinds[here] else -1)
    rows = [n for n, kind in enumerate(kinds) if kind == 1]
    assert walk.number == (rows.index(row) if row in rows else -1)
    if row >= 0 and rows:
        beyond = [n for n in rows if (n - row) * step > 0]
        ends = rows[0] if step > 0 else rows[-1]
        assert walk.step(step) == (beyond[0 if step > 0 else -1] if beyond else ends)


@given(kinds=KINDS, start=st.integers(0, 40), length=st.integers(1, 10))
def test_the_first_that_begins_in_some_characters(
    kinds: list[int], start: int, length: int
) -> None:
    walk = DifferenceWalk(_comparison(kinds), 100)
    at = DifferenceWalk(_comparison(kinds), 100).choose_at(start)
    inside = [n for n, kind in enumerate(kinds) if kind and start <= 3 * n < start + length]
    assert walk.choose_in(start, start + length) == (at if at >= 0 else (inside or [-1])[0])

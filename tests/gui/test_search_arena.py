"""Searching many rows at once agrees with looking into each."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.gui.models import search_arena
from bpe_studio.gui.models.search_arena import SearchArena

TEXTS = st.text("abAB ␠é€😀\n", max_size=6)


@given(rows=st.lists(TEXTS, max_size=12), wanted=TEXTS)
def test_it_finds_what_a_look_into_each_row_finds(rows: list[str], wanted: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search_arena, "SLICE_ROWS", 5)
        arena = SearchArena.of([row.lower().encode() for row in rows])
    expected = [wanted.lower() in row.lower() for row in rows]
    assert arena.containing(wanted).tolist() == expected


def test_nothing_is_found_across_two_rows() -> None:
    arena = SearchArena.of([b"ab", b"cd"])
    assert not arena.containing("bc").any()
    assert arena.containing("cd").tolist() == [False, True]

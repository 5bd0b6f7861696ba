"""Places that are looked up are those that are searched for."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.gui.models.text_places import TextPlaces
from bpe_studio.gui.models.token_layout import TokenLayout, place_tokens
from tests.gui.test_token_layout import TEXTS, spans_of


def assert_equal(found: TokenLayout, expected: TokenLayout) -> None:
    for field in fields(TokenLayout):
        ours, theirs = getattr(found, field.name), getattr(expected, field.name)
        assert np.array_equal(ours, theirs), field.name


def placed(text: str, spans: np.ndarray, begin: int = 0) -> tuple[TokenLayout, TokenLayout]:
    """As found by looking up, from one token on, and by searching."""
    ids = np.arange(len(spans), dtype=np.int32)
    special = np.zeros(len(spans), np.bool_)
    whole = place_tokens(text, ids, spans)
    places = TextPlaces(text)
    first = places.line_start(int(spans[begin, 0])) if begin < len(spans) else 0
    before = int((spans[:begin, 0] >= first).sum())
    small = spans[begin:].astype(np.int32)
    return places.lay_out(ids[begin:], small, special=special[begin:], before=before), whole


@given(TEXTS, st.data())
def test_equal_to_searching(text: str, data: st.DataObject) -> None:
    size = len(text.encode())
    cuts = sorted([*data.draw(st.lists(st.integers(0, size), max_size=12)), 0, size])
    spans = np.array(list(zip(cuts, cuts[1:], strict=False)), np.int64).reshape(-1, 2)
    found, expected = placed(text, spans)
    assert_equal(found, expected)
    begin = data.draw(st.integers(0, len(spans)))
    part, _ = placed(text, spans, begin)
    assert part.hues.tolist() == expected.hues[begin:].tolist()
    assert part.positions.tolist() == expected.positions[begin:].tolist()


def test_a_line_broken_for_display() -> None:
    text = "aé" * 30_000
    spans = spans_of([5] * (len(text.encode()) // 5))
    found, expected = placed(text, spans)
    assert found.breaks.size
    assert_equal(found, expected)


@given(TEXTS)
def test_bytes_of_positions(text: str) -> None:
    places = TextPlaces(text)
    for character in range(len(text)):
        units = len(text[:character].encode("utf-16-le")) // 2
        assert places.byte_at(units) == len(text[:character].encode())

"""Bytes, characters, UTF-16 units and document positions agree."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.gui.models import token_layout
from bpe_studio.gui.models.display_breaks import CHUNK
from bpe_studio.gui.models.document_text import DocumentText
from bpe_studio.gui.models.token_layout import BEGINS_INSIDE, ENDS_INSIDE, lay_out, place_tokens
from tests.gui.small_tables import small_tokenizer

TEXTS = st.text(
    st.sampled_from("aé你😀\n\r\t \u00a0\u2028\u2029\u200b\u200d\u202e\ufdd0\ufdd2\ufded")
    | st.characters(codec="utf-8"),
    max_size=60,
)


def unit_length(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def spans_of(sizes: list[int]) -> np.ndarray:
    ends = np.cumsum(sizes)
    return np.stack([ends - sizes, ends], axis=1)


@given(TEXTS)
def test_a_text_survives_the_document(text: str) -> None:
    shown = token_layout.show_text(text)
    assert shown.editable != any(0xFDD2 <= ord(character) <= 0xFDEE for character in text)
    assert len(shown.document) == len(text)
    if shown.editable:
        assert token_layout.read_document(shown.document) == text
    assert unit_length(shown.document) == unit_length(text)


def test_what_cannot_be_seen_has_a_sign() -> None:
    text = "a\u200bb\u202ec\u202c\ufeff"
    shown = token_layout.show_text(text).document
    signs = [token_layout.STAND_INS[character] for character in shown if character > "\ufdcf"]
    assert signs == ["200B", "202E", "202C", "FEFF"]
    assert token_layout.read_document(shown) == text


def test_joiners_stay_where_they_join() -> None:
    for text in ("👨\u200d👩\u200d👧", "ن\u200cم", "क्\u200dष"):
        assert token_layout.show_text(text).document == text
    shown = token_layout.show_text("a\u200db").document
    assert token_layout.STAND_INS[shown[1]] == "200D"


@given(TEXTS, st.data())
def test_spans_equal_a_plain_count(text: str, data: st.DataObject) -> None:
    size = len(text.encode())
    cuts = sorted(data.draw(st.sets(st.integers(0, size), max_size=12)) | {0, size})
    spans = np.array(list(zip(cuts, cuts[1:], strict=False)), np.int64).reshape(-1, 2)
    layout = place_tokens(text, np.arange(len(spans), dtype=np.int32), spans)
    borders = [len(text[:i].encode()) for i in range(len(text) + 1)]
    for row, (begin, end) in enumerate(spans.tolist()):
        first = max(i for i, b in enumerate(borders) if b <= begin)
        last = min(i for i, b in enumerate(borders) if b >= end)
        assert layout.characters[row].tolist() == [first, last]
        units = [unit_length(text[:i]) for i in (first, last)]
        assert layout.positions[row].tolist() == units
        assert bool(layout.partial[row] & BEGINS_INSIDE) == (begin not in borders)
        assert bool(layout.partial[row] & ENDS_INSIDE) == (end not in borders)


def test_half_characters_know_their_share() -> None:
    layout = place_tokens("a你b", np.arange(3, dtype=np.int32), spans_of([2, 2, 1]))
    assert layout.partial.tolist() == [ENDS_INSIDE, BEGINS_INSIDE, 0]
    assert layout.inside[0, 1] == pytest.approx(1 / 3 - 1)
    assert layout.inside[1, 0] == pytest.approx(1 / 3)
    assert layout.inside[1, 1] == 0


def test_hues_begin_anew_on_each_line() -> None:
    text = "abc\nde\nf"
    layout = place_tokens(text, np.arange(8, dtype=np.int32), spans_of([1] * 8))
    assert layout.hues.tolist() == [0, 1, 2, 3, 0, 1, 2, 0]


def test_a_long_line_is_broken_for_display_only() -> None:
    text = "😀" + "x" * 60_000 + "\nend"
    shown = token_layout.show_text(text)
    assert not shown.editable
    assert max(map(len, shown.document.split("\n"))) <= CHUNK
    tokens = len(text)
    sizes = [len(c.encode()) for c in text]
    layout = place_tokens(text, np.zeros(tokens, np.int32), spans_of(sizes))
    raw = shown.document.encode("utf-16-le")
    for row in (0, 1, 998, 999, 1000, 1001, 2001, tokens - 1):
        begin, end = (layout.positions[row] * 2).tolist()
        assert raw[begin:end].decode("utf-16-le") == text[row]
        unit = token_layout.unit_of_position(layout.breaks, int(layout.positions[row, 0]))
        assert DocumentText(text).character_at(unit) == row


def test_an_edit_moves_later_tokens_and_drops_touched_ones() -> None:
    layout = place_tokens("one two", np.arange(3, dtype=np.int32), spans_of([3, 1, 3]))
    after = token_layout.moved(layout, position=3, removed=1, added=2)
    assert after.gone == (1, 2)
    assert after.positions.tolist() == [[0, 3], [3, 3], [5, 8]]
    again = token_layout.moved(after, position=8, removed=0, added=1)
    assert again.gone == (1, 2)
    again = token_layout.moved(after, position=1, removed=0, added=1)
    assert again.gone == (0, 2)
    assert again.positions.tolist() == [[1, 1], [4, 4], [6, 9]]


def test_tokens_of_a_real_table_tile_the_document() -> None:
    text = "the lowest 😀\r\nवी newest"
    layout = lay_out(small_tokenizer(), text)
    assert layout.bytes[0, 0] == 0
    assert layout.bytes[-1, 1] == layout.byte_count == len(text.encode())
    assert (layout.bytes[1:, 0] == layout.bytes[:-1, 1]).all()
    assert layout.at_position(0) == 0


@given(text=st.text("ab\né你😀", max_size=30), data=st.data())
def test_it_is_placed_in_parts_as_at_once(text: str, data: st.DataObject) -> None:
    size = len(text.encode())
    cuts = sorted(data.draw(st.sets(st.integers(0, size), max_size=20)) | {0, size})
    spans = np.array(list(zip(cuts, cuts[1:], strict=False)), np.int64).reshape(-1, 2)
    ids = np.arange(len(spans), dtype=np.int32)
    whole = place_tokens(text, ids, spans)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(token_layout, "_TOKENS_AT_ONCE", data.draw(st.integers(1, 4)))
        parts = place_tokens(text, ids, spans)
    for name in ("bytes", "characters", "positions", "partial", "inside", "hues"):
        assert getattr(parts, name).tolist() == getattr(whole, name).tolist()
    newlines = [place for place, byte in enumerate(text.encode()) if byte == 0x0A]
    lines = [sum(place < begin for place in newlines) for begin, _ in spans.tolist()]
    in_line = [lines[:row].count(line) for row, line in enumerate(lines)]
    assert whole.hues.tolist() == [place % token_layout.HUES for place in in_line]

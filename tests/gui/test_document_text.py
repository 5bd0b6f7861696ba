"""A text that is kept up with edits is the text that was edited."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.gui.models.document_text import DocumentText

TEXTS = st.text(st.sampled_from("aé你😀🇩\n"), max_size=20)


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


@given(TEXTS, st.data())
def test_edits_are_taken_over(text: str, data: st.DataObject) -> None:
    document = DocumentText(text)
    for _ in range(3):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, len(text)))
        added = data.draw(TEXTS)
        assert document.edit(units(text[:start]), units(text[start:end]), added)
        text = text[:start] + added + text[end:]
        assert document.text == text
        assert document.length == units(text)
        for place in range(len(text) + 1):
            unit = units(text[:place])
            assert document.unit_at(place) == unit
            assert document.character_at(unit) == place
            if place < len(text) and text[place] > "\uffff":
                assert document.character_at(unit + 1) == place


def test_a_character_is_not_cut_in_two() -> None:
    document = DocumentText("a😀b")
    assert not document.edit(2, 0, "x")
    assert not document.edit(0, 2, "x")
    assert document.text == "a😀b"

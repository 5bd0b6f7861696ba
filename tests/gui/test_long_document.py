"""Rows of a long text are the lines of its document."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.gui.models import long_document, token_layout
from bpe_studio.gui.models.long_document import LongDocument, is_long, read_document
from tests.gui.test_stepwise import drained

TEXTS = st.text(st.sampled_from("aé你😀\n\r\u2028\u202e"), max_size=30)


def made(text: str) -> LongDocument:
    return drained(read_document(text))[1]


@given(TEXTS)
def test_rows_are_the_lines(text: str) -> None:
    document = made(text)
    lines = token_layout.show_text(text).document.split("\n")
    assert [document.row_text(row) for row in range(len(document))] == lines
    for row in range(len(document)):
        begin, end = document.span(row)
        assert document.row_at(begin) == document.row_at(end) == row
    characters = np.arange(len(text) + 1)
    positions = document.positions_of(characters)
    assert [document.character_at(int(position)) for position in positions] == characters.tolist()
    assert positions[-1] == document.length


def test_positions_pass_over_the_breaks_of_a_long_line() -> None:
    text = "😀" + "x" * 60_000 + "\nend"
    document = made(text)
    assert len(document) > 60
    characters = np.array([0, 1, 999, 1000, 1001, 45_000, len(text) - 1])
    for character, position in zip(characters, document.positions_of(characters), strict=True):
        assert document.character_at(int(position)) == character
        row = document.row_at(int(position))
        units = document.row_text(row).encode("utf-16-le")
        inside = 2 * (int(position) - document.span(row)[0])
        assert units[inside:].decode("utf-16-le")[0] == text[character]


@pytest.mark.parametrize(("text", "long"), [("x" * 20, False), ("x" * 21, True), ("\n" * 6, True)])
def test_what_is_long(monkeypatch: pytest.MonkeyPatch, text: str, long: bool) -> None:
    monkeypatch.setattr(long_document, "MOST_CHARACTERS", 20)
    monkeypatch.setattr(long_document, "MOST_LINES", 5)
    assert is_long(text) == long

"""What is found is what Python's own search finds."""

from __future__ import annotations

import re
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.bpe.decoder import readable
from bpe_studio.gui.models import text_search
from bpe_studio.gui.models.text_search import (
    NO_TOKEN,
    NOT_YET,
    Question,
    character_of_byte,
    find_text,
    ids_written,
    search,
)
from bpe_studio.gui.models.token_layout import lay_out
from tests.gui.small_tables import small_tokenizer
from tests.gui.test_stepwise import drained

LETTERS = st.text(st.sampled_from("aAbBéÉ你😀\n"), max_size=40)


@given(LETTERS, LETTERS.filter(lambda text: 0 < len(text) < 4), st.booleans(), st.integers(1, 9))
def test_texts_are_found(text: str, wanted: str, any_case: bool, size: int) -> None:
    flags = re.IGNORECASE | re.ASCII if any_case else 0
    expected = [m.start() for m in re.finditer(f"{re.escape(wanted)}", text, flags)]
    with (
        patch.object(text_search, "SLICE", size),
        patch.object(text_search, "OVERLAPPING", 2),
    ):
        assert drained(find_text(text, wanted, any_case=any_case))[1].tolist() == (
            expected if wanted else []
        )


def test_overlapping_places_count_once() -> None:
    assert drained(find_text("aaaaa", "aa"))[1].tolist() == [0, 2]


def test_other_scripts_keep_their_case() -> None:
    assert drained(find_text("É é E e", "é", any_case=True))[1].tolist() == [2]


def test_tokens_are_found_as_they_are_written() -> None:
    tokenizer = small_tokenizer()
    low = tokenizer.table.find(b" low")
    for written in ("␠low", "␣low", " low"):
        assert ids_written(tokenizer, written) == [low]
    assert ids_written(tokenizer, "<bos>")[0] == tokenizer.special_ids["<bos>"]
    assert ids_written(tokenizer, "⟨E2⟩") == [3 + 0xE2]
    assert ids_written(tokenizer, "no such token") == []


@pytest.mark.parametrize(("kind", "wanted"), [("Token", "␠low"), ("Id", None)])
def test_tokens_are_found_in_a_text(kind: str, wanted: str | None) -> None:
    tokenizer = small_tokenizer()
    text = "low low 你 lowest low"
    layout = lay_out(tokenizer, text)
    low = tokenizer.table.find(b" low")
    _, hits = drained(search(Question(kind, wanted or f"#{low}"), text, layout, tokenizer))
    assert hits.tokens.tolist() == [i for i, token in enumerate(layout.ids) if token == low]
    assert all(text[a:b] == " low" for a, b in hits.spans.tolist())
    assert len(hits) >= 2


@pytest.mark.parametrize(
    ("kind", "wanted", "sentence"),
    [
        ("Id", "low", "whole number, not 'low'"),
        ("Id", "99999", NO_TOKEN),
        ("Token", "lowlow", NO_TOKEN),
        ("Character", "9", "The text has 3 characters"),
        ("Byte", "9", "The text has 5 bytes"),
    ],
)
def test_what_cannot_be_found_is_told(kind: str, wanted: str, sentence: str) -> None:
    tokenizer, text = small_tokenizer(), "a你b"
    with pytest.raises(ValueError, match=sentence):
        drained(search(Question(kind, wanted), text, lay_out(tokenizer, text), tokenizer))


@pytest.mark.parametrize("kind", ["Token", "Id"])
def test_a_token_that_comes_later_is_told_apart(kind: str) -> None:
    whole, text = small_tokenizer(), "low"
    early, last = whole.prefix(2), int(whole.table.merges[-1, 2])
    written = str(last) if kind == "Id" else readable(whole.token_bytes(last))
    layout = lay_out(early, text)
    with pytest.raises(ValueError, match=NOT_YET):
        drained(search(Question(kind, written), text, layout, early, whole=whole))
    with pytest.raises(ValueError, match=NO_TOKEN):
        drained(search(Question(kind, "99999"), text, layout, early, whole=whole))


def test_without_tokens_only_text_is_found() -> None:
    with pytest.raises(ValueError, match="no tokens here"):
        drained(search(Question("Id", "5"), "text", None, None))
    assert len(drained(search(Question("Text", "t"), "text", None, None))[1]) == 2


@given(LETTERS)
def test_bytes_are_in_characters(text: str) -> None:
    data = text.encode()
    for byte in range(len(data) + 1):
        place = character_of_byte(text, byte)
        assert len(text[:place].encode()) <= byte
        assert place == len(text) or byte < len(text[: place + 1].encode())

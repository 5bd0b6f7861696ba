"""The alphabet is that of GPT-2, both ways."""

from __future__ import annotations

import doctest

from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.formats.ranks import byte_alphabet
from bpe_studio.formats.ranks.byte_alphabet import LETTERS, to_bytes, to_text


def test_the_alphabet_as_is_known() -> None:
    assert len(set(LETTERS)) == 256
    assert to_text(b" \n\t\r\x00\x7f\xad\xff!~") == "ĠĊĉčĀġŃÿ!~"
    assert LETTERS[0x21:0x7F] == bytes(range(0x21, 0x7F)).decode()
    assert sorted(LETTERS)[188:] == [chr(0x100 + number) for number in range(68)]
    assert not doctest.testmod(byte_alphabet).failed


@given(st.binary())
def test_there_and_back(data: bytes) -> None:
    assert to_bytes(to_text(data)) == data


@given(st.text())
def test_other_characters_are_none(text: str) -> None:
    data = to_bytes(text)
    assert (data is None) == (not set(text) <= set(LETTERS))
    assert data is None or to_text(data) == text

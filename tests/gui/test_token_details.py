"""What is said about a token."""

from __future__ import annotations

from dataclasses import replace

from bpe_studio.gui.models.token_details import MOST_BYTES, describe, is_partial, shorten, tooltip
from tests.gui.small_tables import small_tokenizer


def test_a_token_is_described() -> None:
    tokenizer = small_tokenizer()
    token = int(tokenizer.table.merges[0, 2])
    details = describe(tokenizer, token)
    assert details.data == tokenizer.token_bytes(token)
    assert details.made == "rank 0"
    assert describe(tokenizer, 0).made == "special token"
    assert describe(tokenizer, 3 + 65).made == "base symbol"
    assert replace(describe(tokenizer, 3 + 65), data=b"AB").made == "no merge"
    assert replace(describe(tokenizer, 3 + 65), data="é".encode()).made == "base symbol"


def test_half_characters_are_partial_and_say_so() -> None:
    details = describe(small_tokenizer(), 3 + 0xE4)
    assert details.partial and details.readable == "⟨E4⟩"
    assert "not whole characters" in tooltip(details)
    assert is_partial(b"\xe4\xbd") and not is_partial("你".encode())


def test_long_tokens_are_cut_for_display() -> None:
    assert len(shorten("x" * 500)) == 64
    tokenizer = small_tokenizer("a" * 64 + " ", 8)
    long = max(tokenizer.table.ids.tolist(), key=lambda i: len(tokenizer.token_bytes(i)))
    details = describe(tokenizer, long)
    assert len(details.data) <= MOST_BYTES or details.hex.endswith("more")


def test_tooltips_escape_tokens() -> None:
    details = describe(small_tokenizer(), 3 + ord("<"))
    assert "<b>&lt;</b>" in tooltip(details, span=(3, 4))
    assert "bytes 3 to 4" in tooltip(details, span=(3, 4))

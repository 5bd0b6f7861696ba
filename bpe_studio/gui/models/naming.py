"""Tokens as they stand in lines of text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from bpe_studio.bpe.decoder import readable

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer


def name(tokenizer: Tokenizer, token: int) -> str:
    """Return how a token reads."""
    return readable(tokenizer.token_bytes(token))


def pair_text(tokenizer: Tokenizer, left: int, right: int) -> str:
    """Return a pair as `left + right`, readable."""
    return f"{name(tokenizer, left)} + {name(tokenizer, right)}"


def row_text(tokenizer: Tokenizer, ids: Iterable[int]) -> str:
    """Return tokens in a row, each with its id."""
    return " ".join(f"{name(tokenizer, token)}({token})" for token in ids)

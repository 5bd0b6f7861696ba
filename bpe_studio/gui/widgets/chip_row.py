"""Rows of chips as panels use them most: tokens one after another, cut after a while."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bpe_studio.gui.widgets.token_chips import Chip, TokenChips, token_chips

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

MOST_TOKENS = 32


def chip_row(chips: Sequence[Chip]) -> TokenChips:
    """A row with these chips."""
    row = TokenChips()
    row.set_chips(chips)
    return row


def token_row(
    tokenizer: Tokenizer, ids: Sequence[int], *, total: int | None = None, most: int = MOST_TOKENS
) -> TokenChips:
    """A row of tokens, and how many more there are of `total`."""
    chips = token_chips(tokenizer, ids[:most])
    more = (len(ids) if total is None else total) - len(chips)
    if more > 0:
        chips.append(Chip(f"and {more:,} more"))
    return chip_row(chips)

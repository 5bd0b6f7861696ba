"""What the Compare panel is asked, to tell answers that still hold from those that do not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bpe_studio.gui.state.open_tables import OpenTable

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be compared: two open tables as they are now, and a text."""

    table_a: OpenTable
    table_b: OpenTable
    a: Tokenizer
    b: Tokenizer
    text: str


def same_matter(one: Question | None, other: Question | None) -> bool:
    """Whether two questions are about the same tables and text.

    A table that learns has another tokenizer by then; that makes no other matter of it.
    """
    if one is None or other is None:
        return False
    same = one.table_a is other.table_a and one.table_b is other.table_b
    return same and one.text == other.text

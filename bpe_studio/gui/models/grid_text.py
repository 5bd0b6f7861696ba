"""The letters of a span as lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bpe_studio.analysis.letters import Grid
from bpe_studio.gui.models.letter_groups import group_letters, letters_lines, shown_letter
from bpe_studio.gui.models.naming import row_text

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer


def grid_lines(tokenizer: Tokenizer, grid: Grid) -> Iterator[str]:
    """Each token with its letters, then what stands under the grid.

    ``s t r: str(496)``
    """
    for group in group_letters(grid):
        letters = " ".join(shown_letter(grid.letters[number]) for number in group.letters)
        tokens = row_text(tokenizer, (grid.tokens[number].id for number in group.tokens))
        yield f"{letters}: {tokens or 'in no token'}"
    yield from letters_lines(grid)

"""One text under two tables, as arrays for the Compare panel; made in a job."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.compare_lines import LineComparison, iter_compare_lines
from bpe_studio.analysis.compare_text import TextComparison, iter_compare_ends
from bpe_studio.bpe.encoder import Encoding
from bpe_studio.bpe.generators import retold
from bpe_studio.gui.models.stepwise import encode_in_steps
from bpe_studio.gui.models.token_layout import TokenLayout, lay_out_encoding

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

MOST_SHOWN = 500_000
"""Characters of a text that are laid out under both tables."""


@dataclass(frozen=True, slots=True)
class TextPair:
    """A text under both tables: the tokens of each, how they differ, and the figures.

    Of a long text only the beginning is laid out, to a place where both cut; the figures are those
    of the whole.
    """

    text: str
    a: TokenLayout
    b: TokenLayout
    marked_a: NDArray[np.int8]
    marked_b: NDArray[np.int8]
    comparison: TextComparison
    lines: LineComparison


def compare_texts(
    a: Tokenizer,
    b: Tokenizer,
    text: str,
    *,
    most: int = MOST_SHOWN,
) -> Generator[float, None, TextPair]:
    """Set one text under both tables; yields the share that is done."""
    one = yield from encode_in_steps(a, text, shares=(0.0, 0.5))
    other = yield from encode_in_steps(b, text, shares=(0.5, 1.0))
    ends = (np.ascontiguousarray(each.offsets[:, 1]) for each in (one, other))
    found = yield from retold(iter_compare_ends(text, *ends), lambda _: 1.0)
    begins = (np.ascontiguousarray(each.offsets[:, 0]) for each in (one, other))
    lines = yield from retold(iter_compare_lines(text, *begins, found), lambda _: 1.0)
    shown = _beginning(text, one, other, most)
    laid_out = [_laid_out(*each, shown) for each in ((a, one), (b, other))]
    return TextPair(text, *laid_out, *(marks(layout, found) for layout in laid_out), found, lines)


def _beginning(text: str, one: Encoding, other: Encoding, most: int) -> str:
    """The text up to the last place within `most` characters where both cut."""
    if len(text) <= most:
        return text
    data = text[:most].encode()
    there = []
    for each in (one, other):
        ends = each.offsets[:, 1]
        ends = ends[: np.searchsorted(ends, len(data), side="right")]
        there.append(np.zeros(len(data) + 1, np.bool_))
        there[-1][ends] = True
    for size in np.flatnonzero(there[0] & there[1])[::-1].tolist():
        if size == len(data) or data[size] & 0xC0 != 0x80:  # a character begins there
            return data[:size].decode()
    return text


def _laid_out(tokenizer: Tokenizer, encoding: Encoding, shown: str) -> TokenLayout:
    """The tokens of the beginning of a text that was encoded."""
    count = int(np.searchsorted(encoding.offsets[:, 1], len(shown.encode()), side="right"))
    part = Encoding(encoding.ids[:count].copy(), encoding.offsets[:count].copy())
    return lay_out_encoding(tokenizer, shown, part)


def marks(layout: TokenLayout, found: TextComparison) -> NDArray[np.int8]:
    """Return the class of the span that each token lies in, as `DIFFERENCES` numbers them."""
    if not len(found):
        return np.zeros(len(layout), np.int8)
    spans = np.searchsorted(found.starts, layout.characters[:, 0], side="right") - 1
    return found.kinds[spans]

"""One text under two tokenizers, line by line: what each line costs in both."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.compare_text import TextComparison
from bpe_studio.bpe.generators import result_of
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["LineComparison", "compare_lines", "compare_lines_of", "iter_compare_lines"]

_BLOCK_CHARS: Final = 1 << 18


@dataclass(frozen=True, eq=False)
class LineComparison:
    r"""The lines of a text: only \n ends one, and belongs to it.

    A token counts for the line in which it begins, be it the end of that line and all of the next.

    Attributes
    ----------
    starts : int64 array, shape (n + 1,)
        The character with which each line begins, and the end of the text.
    tokens_a, tokens_b : int64 arrays, shape (n,)
    differences : int64 array, shape (n,)
        Spans that begin there and are cut differently.
    """

    starts: NDArray[np.int64]
    tokens_a: NDArray[np.int64]
    tokens_b: NDArray[np.int64]
    differences: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.tokens_a)

    @property
    def characters(self) -> NDArray[np.int64]:
        r"""Characters of each line, with its \n."""
        return np.diff(self.starts)

    @property
    def extra(self) -> NDArray[np.int64]:
        """How many tokens more B needs for each line."""
        return self.tokens_b - self.tokens_a

    @property
    def characters_per_token_a(self) -> NDArray[np.float64]:
        """NaN for a line in which no token begins."""
        return _per_token(self.characters, self.tokens_a)

    @property
    def characters_per_token_b(self) -> NDArray[np.float64]:
        return _per_token(self.characters, self.tokens_b)

    def line_at(self, character: int) -> int:
        """The line that holds a character."""
        return min(int(np.searchsorted(self.starts, character, side="right")), len(self)) - 1


def compare_lines_of(
    a: Tokenizer, b: Tokenizer, text: str, comparison: TextComparison
) -> LineComparison:
    """As `compare_lines`, of tokenizers."""
    ours, theirs = (each.encode_with_offsets(text).offsets[:, 0] for each in (a, b))
    return compare_lines(text, ours, theirs, comparison)


def compare_lines(
    text: str,
    begins_a: NDArray[np.integer[Any]],
    begins_b: NDArray[np.integer[Any]],
    comparison: TextComparison,
) -> LineComparison:
    """The lines of a text, from where the tokens of both begin (bytes, ascending)."""
    return result_of(iter_compare_lines(text, begins_a, begins_b, comparison))


def iter_compare_lines(
    text: str,
    begins_a: NDArray[np.integer[Any]],
    begins_b: NDArray[np.integer[Any]],
    comparison: TextComparison,
    *,
    block: int = _BLOCK_CHARS,
) -> Generator[None, None, LineComparison]:
    """As `compare_lines`, in slices of so many characters."""
    starts, edges = [np.zeros(1, np.int64)], [np.zeros(1, np.int64)]
    first_byte = 0
    for first in range(0, len(text), block):
        data = text[first : first + block].encode("utf-8", "surrogatepass")
        raw = np.frombuffer(data, dtype=np.uint8)
        after = np.flatnonzero(raw == 0x0A) + 1
        inner = np.flatnonzero((raw & 0xC0) == 0x80)
        edges.append(after + first_byte)
        starts.append(after - np.searchsorted(inner, after) + first)
        first_byte += len(data)
        yield
    bytes_, characters = (_closed(parts, end) for parts, end in
                          ((edges, first_byte), (starts, len(text))))  # fmt: skip
    tokens_a, tokens_b = (_counted(bytes_, tokens) for tokens in (begins_a, begins_b))
    yield
    places = comparison.starts[comparison.kinds != 0]
    return LineComparison(characters, tokens_a, tokens_b, _counted(characters, places))


def _closed(parts: list[NDArray[np.int64]], end: int) -> NDArray[np.int64]:
    """Where lines begin, and the end of the text: nothing after the last line's end is no line."""
    begins = np.concatenate(parts)
    return np.append(begins[begins < end], end)


def _counted(edges: NDArray[np.int64], places: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """How many places lie in each [edge, next edge); what is at the very end is in the last."""
    if len(edges) < 2:
        return np.zeros(0, dtype=np.int64)
    before = np.searchsorted(places, edges, side="left")
    before[-1] = len(places)
    return np.diff(before).astype(np.int64)


def _per_token(characters: NDArray[np.int64], tokens: NDArray[np.int64]) -> NDArray[np.float64]:
    found = np.full(len(tokens), np.nan)
    np.divide(characters, tokens, out=found, where=tokens > 0)
    return found

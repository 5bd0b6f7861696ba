"""A text at every vocabulary size, ready to be laid out within a frame."""

from __future__ import annotations

from collections.abc import Generator
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.compression import Curve, vocab_sizes
from bpe_studio.bpe.traced_text import TracedText, iter_trace_text
from bpe_studio.gui.models.token_layout import (
    HUES,
    TextPlaces,
    TokenLayout,
    place_in,
    unit_of_position,
)

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

_REACH = 256  # symbols, doubled until the token that holds a place is found


class TextAtSizes:
    """The tokens of one text under the first k merges of a tokenizer, for every k.

    All of it, or only what is visible: then the time does not grow with the text. Of memory it
    takes 60 to 80 times the bytes of the text.
    """

    def __init__(self, traced: TracedText, text: str) -> None:
        self.tokenizer = traced.tokenizer
        self.text = text
        self.exact_from = traced.exact_from
        self._trace = traced.trace
        spans = traced.symbol_spans().astype(np.int32)
        self._begins, self._ends = (np.ascontiguousarray(spans[:, side]) for side in (0, 1))
        self._places = TextPlaces.of(text)
        self._specials = np.fromiter(self.tokenizer.special_ids.values(), np.int64)
        self.counts: NDArray[np.int64] = traced.counts()
        self._trace.ids_at(np.zeros(min(1, len(self._begins)), np.int64), 0)  # makes its index

    @property
    def merges(self) -> int:
        """How many merges the table has."""
        return len(self.counts) - 1

    @cached_property
    def curve(self) -> Curve:
        """Tokens of the text at every size."""
        sizes = vocab_sizes(self.tokenizer)
        return Curve(sizes, self.counts, len(self.text), len(self._places.bytes.data))

    def ids(self, merges: int, most: int) -> NDArray[np.int32]:
        """The first ids of the text."""
        begins = self._trace.begins(merges, 0, self._next(merges, most * _REACH))[:most]
        return self._trace.ids_at(begins, merges)

    def lay_out(self, merges: int) -> TokenLayout:
        """The layout under the first `merges` merges, as `lay_out(prefix, text)` makes it."""
        return self._part(merges, 0, len(self._begins), before=0)

    def lay_out_part(self, merges: int, start: int, stop: int) -> TokenLayout:
        """Only the tokens between two positions of the document, and what is in their lines."""
        places, begins = self._places, self._begins
        byte = byte_at(places, start)
        bounds = (line_start(places, byte), byte, byte_at(places, stop + 1))
        # Of another type than the array they would have it copied first.
        symbols = np.searchsorted(begins, np.array(bounds, np.int32))
        line, first, last = symbols.tolist()
        first = self._previous(merges, first)
        last = self._next(merges, last + 1)
        line = min(line, first)
        before = len(self._trace.begins(merges, line, first)) % HUES
        return self._part(merges, first, last, before=before)

    def _part(self, merges: int, first: int, last: int, *, before: int) -> TokenLayout:
        """The tokens of some symbols, which begin and end with tokens."""
        begins = self._trace.begins(merges, first, last)
        ends = np.append(begins[1:], last)[: len(begins)] - 1
        ids = self._trace.ids_at(begins, merges)
        spans = np.stack([self._begins[begins], self._ends[ends]], axis=1)
        special = np.isin(ids, self._specials)
        return place_in(self._places, ids, spans, special=special, before=before)

    def _previous(self, merges: int, symbol: int) -> int:
        """Where the token begins that holds a symbol."""
        reach = _REACH
        while symbol > 0:
            first = max(0, symbol + 1 - reach)
            found = self._trace.begins(merges, first, symbol + 1)
            if len(found):
                return int(found[-1])
            if first == 0:
                break
            reach *= 2
        return 0

    def _next(self, merges: int, symbol: int) -> int:
        """The first symbol from this one on that begins a token, or the end."""
        reach = _REACH
        while symbol < len(self._begins):
            found = self._trace.begins(merges, symbol, symbol + reach)
            if len(found):
                return int(found[0])
            symbol += reach
            reach *= 2
        return len(self._begins)


def byte_at(places: TextPlaces, position: int) -> int:
    """The byte at which the character at a position of the document begins."""
    unit = unit_of_position(places.breaks, position)
    astral_units = places.astral + np.arange(len(places.astral))
    return places.bytes.byte_of(unit - int(np.searchsorted(astral_units, unit)))


def line_start(places: TextPlaces, byte: int) -> int:
    """The byte at which the line of a byte begins."""
    line = int(np.searchsorted(places.newlines, byte))
    return int(places.newlines[line - 1]) + 1 if line else 0


def iter_text_at_sizes(tokenizer: Tokenizer, text: str) -> Generator[None, None, TextAtSizes]:
    """Trace a text, in slices.

    Raises
    ------
    ValueError
        When the table cannot encode the text, or has no merges to follow.
    """
    traced = yield from iter_trace_text(tokenizer, text)
    yield
    return TextAtSizes(traced, text)

"""Where any byte of one text lies in its document, looked up at once.

The tokens of a text change with every step of the vocabulary slider, its characters do not. What
`place_tokens` finds by searching is found here by looking it up, so that a text of 100 kB can be
laid out anew for every frame.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bpe_studio.gui.models.token_layout import (
    BEGINS_INSIDE,
    ENDS_INSIDE,
    HUES,
    TokenLayout,
    show_text,
)

Spans = NDArray[np.int32]


class TextPlaces:
    """The places of the bytes of a text; about 20 bytes of memory for each.

    `newlines` are the bytes that end lines.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        data = np.frombuffer(text.encode(), np.uint8)
        self.byte_count = len(data)
        begins = np.append((data & 0xC0) != 0x80, True)
        first_byte = np.flatnonzero(begins)
        self._bounds = first_byte.astype(np.int32)  # of characters, and the end
        # Character that holds a byte, and the first that begins at it or after it.
        self._inside = (np.cumsum(begins, dtype=np.int32) - 1).astype(np.int32)
        self._after = self._inside + ~begins
        units = np.zeros(len(first_byte), np.int64)
        np.cumsum(1 + (data[first_byte[:-1]] >= 0xF0), out=units[1:])
        self.breaks = show_text(text).breaks
        # Where a line is broken for display, a token begins after the break or ends before it.
        self._begin_at = self._broken(units, "right")
        self._end_at = self._broken(units, "left")
        self.newlines = np.flatnonzero(data == 0x0A)

    def _broken(self, units: NDArray[np.int64], side: str) -> NDArray[np.int32]:
        if not self.breaks.size:
            return units.astype(np.int32)
        return (units + np.searchsorted(self.breaks, units, side=side)).astype(np.int32)

    def byte_at(self, position: int) -> int:
        """The byte at which the character at a document position begins."""
        character = int(np.searchsorted(self._begin_at, position, side="right")) - 1
        return int(self._bounds[max(character, 0)])

    def line_start(self, byte: int) -> int:
        """The byte at which the line of a byte begins."""
        line = int(np.searchsorted(self.newlines, byte, side="left"))
        return int(self.newlines[line - 1]) + 1 if line else 0

    def lay_out(
        self,
        ids: NDArray[np.int32],
        spans: Spans,
        *,
        special: NDArray[np.bool_],
        before: int = 0,
    ) -> TokenLayout:
        """Place tokens with their byte spans (n, 2), as `place_tokens` does.

        `before` tokens stand in the line of the first before it.
        """
        begin, end = spans[:, 0], spans[:, 1]
        characters = np.stack([self._inside[begin], self._after[end]], axis=1)
        start, stop = characters[:, 0], characters[:, 1]
        partial = (self._bounds[start] != begin) * np.uint8(BEGINS_INSIDE)
        partial |= (self._bounds[stop] != end) * np.uint8(ENDS_INSIDE)
        return TokenLayout(
            text=self.text,
            ids=ids,
            bytes=spans,
            characters=characters,
            positions=np.stack([self._begin_at[start], self._end_at[stop]], axis=1),
            partial=partial,
            inside=self._fractions(spans, characters, partial),
            special=special,
            hues=self._hues(begin, before),
            byte_count=self.byte_count,
            breaks=self.breaks,
        )

    def _fractions(
        self, spans: Spans, characters: Spans, partial: NDArray[np.uint8]
    ) -> NDArray[np.float32]:
        """How far into its first and last character a token begins and ends: few do inside."""
        inside = np.empty((len(spans), 2), np.float32)
        inside[:] = (0, 1)
        rows = np.flatnonzero(partial | (spans[:, 0] == spans[:, 1]))
        if len(rows):
            bounds, (start, end) = self._bounds, characters[rows].T
            last, following = np.maximum(end - 1, 0), np.minimum(start + 1, len(bounds) - 1)
            first_size = np.maximum(bounds[following] - bounds[start], 1)
            last_size = np.maximum(bounds[end] - bounds[last], 1)
            inside[rows, 0] = (spans[rows, 0] - bounds[start]) / first_size
            inside[rows, 1] = (spans[rows, 1] - bounds[last]) / last_size
        return inside

    def _hues(self, begin: NDArray[np.int32], before: int) -> NDArray[np.uint8]:
        """Number the tokens of each line from 0 to HUES - 1, over and over."""
        count = len(begin)
        if not count:
            return np.empty(0, np.uint8)
        low, high = np.searchsorted(self.newlines, (begin[0], begin[-1]))
        firsts = np.searchsorted(begin, self.newlines[low:high], side="right")
        numbers = np.arange(before, before + count)
        starts = np.zeros(count, np.int64)
        firsts = firsts[firsts < count]
        starts[firsts] = firsts + before
        return ((numbers - np.maximum.accumulate(starts)) % HUES).astype(np.uint8)

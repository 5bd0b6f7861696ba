"""From bytes of a UTF-8 text to its characters, for many places at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LONGEST = 4  # bytes of a character
TWO_UNITS = 0xF0  # the least first byte of a character that is two UTF-16 units


@dataclass(frozen=True, slots=True)
class BytePlaces:
    """A text as bytes; `before` counts the characters that begin before each byte, and in all.

    `before` is None where every byte is a character.
    """

    data: NDArray[np.uint8]
    before: NDArray[np.int32] | None

    @classmethod
    def of(cls, text: str) -> BytePlaces:
        """Read a text."""
        data = np.frombuffer(text.encode(), np.uint8)
        if text.isascii():
            return cls(data, None)
        before = np.zeros(len(data) + 1, np.int32)
        np.cumsum((data & 0xC0) != 0x80, dtype=np.int32, out=before[1:])
        return cls(data, before)

    def starts(self, places: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the character that each byte is in; after the last byte, their number."""
        if self.before is None:
            return places
        return self.before[places] - self._is_inside(places)

    def ends(self, places: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the first character that begins at each byte or after it."""
        return places if self.before is None else self.before[places]

    def byte_of(self, character: int) -> int:
        """Return the byte at which a character begins; all bytes end where the last one does."""
        if self.before is None:
            return min(character, len(self.data))
        return int(np.searchsorted(self.before, np.int32(character + 1))) - 1

    def are_inside(self, places: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Return which bytes are not the first of their character."""
        if self.before is None:
            return np.zeros(len(places), np.bool_)
        return self._is_inside(places)

    def shares(self, places: NDArray[np.int32]) -> NDArray[np.float32]:
        """Return how far into its character each byte is, from 0 to 1."""
        first = places.copy()
        for _ in range(LONGEST - 1):
            first -= self._is_inside(first)
        lead = self.data[np.minimum(first, len(self.data) - 1)]
        size = 1 + (lead >= 0xC0) + (lead >= 0xE0) + (lead >= 0xF0)
        return ((places - first) / size).astype(np.float32)

    def astral(self) -> NDArray[np.int32]:
        """Return the characters that are two UTF-16 units, in order."""
        if self.before is None:
            return np.empty(0, np.int32)
        return self.before[np.flatnonzero(self.data >= TWO_UNITS)]

    def _is_inside(self, places: NDArray[np.int32]) -> NDArray[np.bool_]:
        last = len(self.data) - 1
        if last < 0:
            return np.zeros(len(places), np.bool_)
        inside = (self.data[np.minimum(places, last)] & 0xC0) == 0x80
        return inside & (places <= last)

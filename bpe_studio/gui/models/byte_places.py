"""From bytes of a UTF-8 text to its characters, for many places at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LONGEST = 4  # bytes of a character
TWO_UNITS = 0xF0  # the least first byte of a character that is two UTF-16 units


@dataclass(frozen=True, slots=True)
class BytePlaces:
    """A text as bytes; `inside` are those that are not the first of their character, in order.

    Most texts have few of them, so that they cost less than a count for every byte.
    """

    data: NDArray[np.uint8]
    inside: NDArray[np.int32]

    @classmethod
    def of(cls, text: str) -> BytePlaces:
        """Read a text."""
        data = np.frombuffer(text.encode(), np.uint8)
        if text.isascii():
            return cls(data, np.empty(0, np.int32))
        return cls(data, np.flatnonzero((data & 0xC0) == 0x80).astype(np.int32))

    def ends(self, places: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the first character that begins at each byte or after it."""
        if not self.inside.size:
            return places
        return places - counted_before(self.inside, places)

    def starts(
        self, places: NDArray[np.int32], inside: NDArray[np.bool_] | None = None
    ) -> NDArray[np.int32]:
        """Return the character that each byte is in; after the last byte, their number.

        Parameters
        ----------
        inside : what `are_inside` returns, where it is known
        """
        if not self.inside.size:
            return places
        return self.ends(places) - (self.are_inside(places) if inside is None else inside)

    def byte_of(self, character: int) -> int:
        """Return the byte at which a character begins; all bytes end where the last one does."""
        # How many characters begin before each of those bytes.
        begun = self.inside - np.arange(len(self.inside), dtype=np.int32)
        byte = character + int(np.searchsorted(begun, np.int32(character), side="right"))
        return min(byte, len(self.data))

    def are_inside(self, places: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Return which bytes are not the first of their character."""
        last = len(self.data) - 1
        if not self.inside.size:
            return np.zeros(len(places), np.bool_)
        inside = (self.data[np.minimum(places, last)] & 0xC0) == 0x80
        inside &= places <= last
        return inside

    def shares(self, places: NDArray[np.int32]) -> NDArray[np.float32]:
        """Return how far into its character each byte is, from 0 to 1."""
        first = places.copy()
        for _ in range(LONGEST - 1):
            first -= self.are_inside(first)
        lead = self.data[np.minimum(first, len(self.data) - 1)]
        size = 1 + (lead >= 0xC0) + (lead >= 0xE0) + (lead >= 0xF0)
        return ((places - first) / size).astype(np.float32)

    def astral(self) -> NDArray[np.int32]:
        """Return the characters that are two UTF-16 units, in order."""
        if not self.inside.size:
            return np.empty(0, np.int32)
        return self.ends(np.flatnonzero(self.data >= TWO_UNITS).astype(np.int32))


def counted_before(few: NDArray[np.int32], places: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return how many of some sorted numbers are less than each of others, mostly sorted ones."""
    if not (places[1:] >= places[:-1]).all():
        return np.searchsorted(few, places, side="left").astype(np.int32)
    first = last = 0
    if len(places):
        first, last = np.searchsorted(few, (places[0], places[-1])).tolist()
    if last - first > len(places):
        return np.searchsorted(few[first:last], places, side="left").astype(np.int32) + first
    ends = np.searchsorted(places, few[first:last], side="right")
    lengths = np.diff(ends, prepend=0, append=len(places))
    return np.repeat(np.arange(first, last + 1, dtype=np.int32), lengths)

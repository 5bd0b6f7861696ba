"""The text of an editor's document, kept up with its edits instead of being read again."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


class DocumentText:
    """A text, and the way between its characters and the UTF-16 units that Qt counts."""

    def __init__(self, text: str = "") -> None:
        self.text = text
        self._astral = astral_places(text)

    @property
    def length(self) -> int:
        """The length in UTF-16 units."""
        return len(self.text) + len(self._astral)

    def character_at(self, unit: int) -> int:
        """Return the character at a UTF-16 position; inside a pair, that of the pair."""
        return unit - int(np.searchsorted(self._units(), unit, side="left"))

    def unit_at(self, character: int) -> int:
        """Return the UTF-16 position of a character."""
        return character + int(np.searchsorted(self._astral, character, side="left"))

    def units_at(self, characters: NDArray[np.int64]) -> NDArray[np.int64]:
        """As `unit_at` of many."""
        return characters + np.searchsorted(self._astral, characters, side="left")

    def edit(self, unit: int, removed: int, added: str) -> bool:
        """Take over an edit: at a UTF-16 position, `removed` units became `added`.

        False, and nothing is done, where it would cut a character in two.
        """
        start, end = self.character_at(unit), self.character_at(unit + removed)
        if (self.unit_at(start), self.unit_at(end)) != (unit, unit + removed):
            return False
        self.text = self.text[:start] + added + self.text[end:]
        fresh = astral_places(added)
        if len(fresh) or len(self._astral):
            first, last = np.searchsorted(self._astral, (start, end))
            later = self._astral[last:] + (len(added) - (end - start))
            self._astral = np.concatenate((self._astral[:first], fresh + start, later))
        return True

    def _units(self) -> NDArray[np.int64]:
        return self._astral + np.arange(len(self._astral))


def astral_places(text: str) -> NDArray[np.int64]:
    """Return the characters of a text that are two UTF-16 units each."""
    if text.isascii():
        return np.empty(0, np.int64)
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    return np.flatnonzero(codes > 0xFFFF)

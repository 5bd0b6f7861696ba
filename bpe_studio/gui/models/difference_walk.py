"""The places where two tables cut a text differently, to be walked one after another."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.compare_text import DIFFERENCES, Difference, TextComparison

EVERY: frozenset[Difference] = frozenset(kind for kind in DIFFERENCES if kind != "same")


class DifferenceWalk:
    """Which difference is chosen, and which one comes next of the classes that are wanted."""

    def __init__(
        self, found: TextComparison, shown: int, kinds: Collection[Difference] = EVERY
    ) -> None:
        """`shown` is how many characters of the text are on screen: beyond nobody can go."""
        self._found, self._shown = found, shown
        self.row = -1
        self.want(kinds)

    def want(self, kinds: Collection[Difference]) -> None:
        """Walk these classes only; what is chosen stays chosen."""
        numbers = [DIFFERENCES.index(kind) for kind in kinds]
        there = np.isin(self._found.kinds, numbers) & (self._found.starts < self._shown)
        self.rows: NDArray[np.int64] = np.flatnonzero(there & (self._found.kinds != 0))

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def number(self) -> int:
        """Which one of them is chosen, from 0; -1 for none of them."""
        place = int(np.searchsorted(self.rows, self.row))
        known = self.row >= 0 and place < len(self.rows) and self.rows[place] == self.row
        return place if known else -1

    def step(self, by: int) -> int:
        """Choose the next one (1) or the one before (-1), round the ends; -1 where there is none.

        From one that is not among them, or from none, the nearest in that direction is taken.
        """
        if not len(self.rows):
            return -1
        if self.row < 0:
            place = 0 if by > 0 else -1
        elif by > 0:
            place = int(np.searchsorted(self.rows, self.row, side="right"))
        else:
            place = int(np.searchsorted(self.rows, self.row, side="left")) - 1
        self.row = int(self.rows[place % len(self.rows)])
        return self.row

    def choose_at(self, character: int) -> int:
        """Choose the difference that holds a character; -1 where both cut alike there."""
        found = self._found
        row = int(np.searchsorted(found.starts, character, side="right")) - 1
        self.row = row if row >= 0 and found.kinds[row] else -1
        return self.row

    def choose_in(self, start: int, end: int) -> int:
        """Choose the one that holds the first of some characters, or the first that begins there.

        -1 where there is none.
        """
        if self.choose_at(start) >= 0:
            return self.row
        first, last = np.searchsorted(self._found.starts, (start, end)).tolist()
        differs = np.flatnonzero(self._found.kinds[first:last])
        self.row = first + int(differs[0]) if len(differs) else -1
        return self.row

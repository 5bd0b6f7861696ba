"""The tokens that are made of a token: what is around it there may be around it in a text too."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.alone import Alone
from bpe_studio.bpe.table import MergeTable

__all__ = ["LongerTokens"]

_MOST: Final = 24
_OTHERS: Final = (("7", "q", "Q"), ("9", "z", "Z"))
"""For digits, small letters and capitals: the same to a pattern, and rarely merged."""


class LongerTokens:
    """Finds neighbours for a token in the tokens that hold it.

    A pattern may take a token only as a part of something, as a year in a date; merges show of
    what.
    """

    def __init__(self, table: MergeTable) -> None:
        self.table = table

    def around(self, alone: Alone) -> Iterator[tuple[str, str]]:
        """What is on the left and right of a token in longer ones; then others of its kind."""
        if alone.text is None:
            return
        seen: set[tuple[str, str]] = set()
        for text in self._texts(alone):
            place = text.find(alone.text)
            left, right = text[:place], text[place + len(alone.text) :]
            pairs = [(left, right), *((_other(left, o), _other(right, o)) for o in _OTHERS)]
            for pair in pairs:
                if place >= 0 and pair not in seen:
                    seen.add(pair)
                    yield pair

    def _texts(self, alone: Alone) -> Iterator[str]:
        """The longer tokens that are texts, nearest first."""
        waiting = [self.table.index_of(alone.token)]
        known = set(waiting)
        for token in waiting:
            for longer in self._made_of(token):
                if longer in known or len(known) > _MOST:
                    continue
                known.add(longer)
                waiting.append(longer)
                try:
                    yield self.table.token_list[longer].decode()
                except UnicodeDecodeError:
                    continue

    def _made_of(self, token: int) -> list[int]:
        """The tokens of which one is a part, in dense numbers; few where there are many."""
        found: list[int] = []
        for rows, parts in self._by_part:
            first, last = (int(parts.searchsorted(np.int32(token), s)) for s in ("left", "right"))
            found += self.table.dense_merges[rows[first : min(last, first + _MOST)], 2].tolist()
        return found

    @cached_property
    def _by_part(self) -> list[tuple[NDArray[np.int64], NDArray[np.int32]]]:
        """The rows of merges in the order of their left parts, and of their right ones."""
        merges = self.table.dense_merges
        orders = [np.argsort(merges[:, side], kind="stable") for side in (0, 1)]
        return [(rows, merges[rows, side]) for side, rows in enumerate(orders)]


def _other(text: str, others: tuple[str, str, str]) -> str:
    """Other characters of the same kinds."""
    digit, small, capital = others
    return "".join(
        digit
        if char.isdigit()
        else small
        if char.islower()
        else capital
        if char.isupper()
        else char
        for char in text
    )

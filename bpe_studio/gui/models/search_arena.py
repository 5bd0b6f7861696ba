"""Texts of many rows as one array of bytes, searched by numpy: 200,000 rows at every key."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

BORDER = b"\xff"  # no UTF-8 text holds it, so nothing is found across two rows


@dataclass(frozen=True, slots=True, eq=False)
class SearchArena:
    """Row `i` is `data[starts[i] : starts[i + 1]]`, in lower case, and ends in a border.

    `counts` is how often each byte value occurs: a search begins with the rarest of its bytes.
    """

    data: NDArray[np.uint8]
    starts: NDArray[np.int64]
    counts: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.starts) - 1

    @classmethod
    def of(cls, rows: Iterable[bytes]) -> SearchArena:
        """Put rows one after another; they are to be in lower case.

        >>> SearchArena.of([b"low", b"lower"]).containing("WER").tolist()
        [False, True]
        """
        texts = list(rows)
        starts = np.zeros(len(texts) + 1, np.int64)
        np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)) + 1, out=starts[1:])
        texts.append(b"")  # the last row has a border too
        data = np.frombuffer(BORDER.join(texts), np.uint8)
        return cls(data, starts, np.bincount(data, minlength=256))

    def containing(self, text: str) -> NDArray[np.bool_]:
        """bool (rows,): which rows hold a text, in whatever case."""
        wanted = np.frombuffer(text.lower().encode("utf-8", "replace"), np.uint8)
        if not len(wanted):
            return np.ones(len(self), np.bool_)
        rarest, *others = np.argsort(self.counts[wanted], kind="stable").tolist()
        places = np.flatnonzero(self.data == wanted[rarest]) - rarest
        places = places[(places >= 0) & (places <= len(self.data) - len(wanted))]
        for offset in others:
            places = places[self.data[places + offset] == wanted[offset]]
        before = np.searchsorted(places, self.starts)
        return np.diff(before) > 0

"""Texts of many rows as one array of bytes, searched by numpy: 200,000 rows at every key."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.generators import result_of

SLICE_ROWS = 4_096
BORDER = b"\xff"  # no UTF-8 text holds it, so nothing is found across two rows


@dataclass(frozen=True, slots=True, eq=False)
class SearchArena:
    """Row `i` is `data[starts[i] : starts[i + 1]]`, in lower case, and ends in a border.

    `counts` is how often each byte value occurs: a search begins with the rarest of its bytes.
    `holding` has a bit for each byte value and row: whether it occurs there, for a search of one
    byte, which would find millions of places.
    """

    data: NDArray[np.uint8]
    starts: NDArray[np.int64]
    counts: NDArray[np.int64]
    holding: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.starts) - 1

    @classmethod
    def of(cls, rows: Iterable[bytes]) -> SearchArena:
        """Put rows one after another; they are to be in lower case.

        >>> SearchArena.of([b"low", b"lower"]).containing("WER").tolist()
        [False, True]
        """
        return result_of(cls.iter_of(rows))

    @classmethod
    def iter_of(cls, rows: Iterable[bytes]) -> Generator[None, None, SearchArena]:
        """As `of`, in slices."""
        texts = list(rows)
        starts = np.zeros(len(texts) + 1, np.int64)
        np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)) + 1, out=starts[1:])
        texts.append(b"")  # the last row has a border too
        yield
        data = np.frombuffer(BORDER.join(texts), np.uint8)
        yield
        holding = np.zeros((32, len(texts) - 1), np.uint8)
        counts = np.zeros(256, np.int64)
        for first in range(0, len(texts) - 1, SLICE_ROWS):
            borders = starts[first : first + SLICE_ROWS + 1]
            part = data[borders[0] : borders[-1]]
            sizes = np.diff(borders)
            held = np.zeros((len(sizes), 256), np.bool_)
            held[np.repeat(np.arange(len(sizes)), sizes), part] = True
            holding[:, first : first + len(sizes)] = np.packbits(held, axis=1).T
            counts += np.bincount(part, minlength=256)
            yield
        return cls(data, starts, counts, holding)

    def containing(self, text: str) -> NDArray[np.bool_]:
        """bool (rows,): which rows hold a text, in whatever case."""
        wanted = np.frombuffer(text.lower().encode("utf-8", "replace"), np.uint8)
        if not len(wanted):
            return np.ones(len(self), np.bool_)
        if len(wanted) == 1:
            byte, bit = divmod(int(wanted[0]), 8)
            return (self.holding[byte] & (0x80 >> bit)) > 0
        rarest, *others = np.argsort(self.counts[wanted], kind="stable").tolist()
        places = np.flatnonzero(self.data == wanted[rarest]) - rarest
        places = places[(places >= 0) & (places <= len(self.data) - len(wanted))]
        for offset in others:
            places = places[self.data[places + offset] == wanted[offset]]
        before = np.searchsorted(places, self.starts)
        return np.diff(before) > 0

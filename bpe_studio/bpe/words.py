"""The distinct pieces of a corpus with their frequencies: what learning merges starts from."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class DocumentLists(NamedTuple):
    """In which documents rare pieces are.

    Attributes
    ----------
    floor : int
        A piece that so many documents have, or more, has no list.
    offsets : int64 array, shape (n + 1,)
    documents : uint32 array
        Those of piece p are ``documents[offsets[p] : offsets[p + 1]]``: all that have it, by
        numbers of their own, from 1; the same one may be there twice.
    """

    floor: int
    offsets: NDArray[np.int64]
    documents: NDArray[np.uint32]


@dataclass(frozen=True, eq=False)
class WordCounts:
    """The distinct pieces of a corpus in first-seen order, and how often each was seen.

    Attributes
    ----------
    data : uint8 array
        The pieces' bytes, one after another.
    offsets : int64 array, shape (n + 1,)
    counts : int64 array, shape (n,)
    documents, characters, bytes, pieces : int
        Totals of the corpus; bytes as UTF-8.
    cut_pieces : int
        Pieces over 1 MiB, which were cut for training.
    rare_in : DocumentLists or None
        In which documents rare pieces are, where it was asked for.
    """

    data: NDArray[np.uint8]
    offsets: NDArray[np.int64]
    counts: NDArray[np.int64]
    documents: int
    characters: int
    bytes: int
    pieces: int
    cut_pieces: int = 0
    rare_in: DocumentLists | None = None

    def __len__(self) -> int:
        """The number of distinct pieces."""
        return len(self.counts)

    def piece(self, index: int) -> builtins.bytes:
        return self.data[self.offsets[index] : self.offsets[index + 1]].tobytes()

    def slices(self, size: int = 1 << 18) -> Iterator[tuple[int, int]]:
        """Ranges of pieces, first and last + 1, of about `size` bytes."""
        first = 0
        while first < len(self):
            last = int(np.searchsorted(self.offsets, self.offsets[first] + size, side="right"))
            last = min(max(last, first + 1), len(self))
            yield first, last
            first = last

    def alphabet(self) -> set[str]:
        """The distinct characters, found in slices that give other threads a turn."""
        found: set[str] = set()
        for first, last in self.slices():
            data = self.data[self.offsets[first] : self.offsets[last]]
            found.update(data.tobytes().decode())
        return found

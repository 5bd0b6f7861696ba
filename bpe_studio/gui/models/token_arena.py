"""Many tokens as one array of bytes: sorted and searched by numpy, which lets other threads run.

Sorting 400,000 `bytes` objects holds the interpreter for half a second; sorting their first 16
bytes as numbers does not, and only the few that are equal so far are looked at one by one.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.row_filter import containing
from bpe_studio.bpe.generators import result_of

KEY_BYTES = 16
RUNS_A_STEP = 500


@dataclass(frozen=True, slots=True)
class TokenArena:
    """Tokens one after another: token `i` is `data[ends[i - 1] : ends[i]]`."""

    data: NDArray[np.uint8]
    ends: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.ends)

    @classmethod
    def of(cls, tokens: Sequence[bytes]) -> TokenArena:
        """Put tokens one after another."""
        sizes = np.fromiter(map(len, tokens), np.int64, len(tokens))
        return cls(np.frombuffer(b"".join(tokens), np.uint8), np.cumsum(sizes))

    def containing(self, text: bytes) -> NDArray[np.bool_]:
        """Return which tokens hold these bytes, ASCII letters in either case."""
        return containing(self, text.lower(), any_case=True)

    def places(self) -> NDArray[np.int32]:
        """Return the place of each token in the order of bytes; equal ones in their own order.

        >>> TokenArena.of([b"b", b"a", b"ab"]).places().tolist()
        [2, 0, 1]
        """
        return result_of(self.iter_places())

    def iter_places(self) -> Generator[None, None, NDArray[np.int32]]:
        """As `places`, in steps of some milliseconds."""
        starts = self.ends - np.diff(self.ends, prepend=0)
        sizes = self.ends - starts
        high, low = self._keys(starts, sizes)
        yield
        order = np.argsort(np.minimum(sizes, KEY_BYTES + 1).astype(np.uint8), kind="stable")
        for key in (low, high):
            yield
            order = order[np.argsort(key[order], kind="stable")]
        yield
        same = (high[order][1:] == high[order][:-1]) & (low[order][1:] == low[order][:-1])
        long = sizes[order] > KEY_BYTES
        yield from self._sort_long(order, np.flatnonzero(same & long[1:] & long[:-1]), starts)
        places = np.empty(len(order), np.int32)
        places[order] = np.arange(len(order), dtype=np.int32)
        return places

    def _keys(
        self, starts: NDArray[np.int64], sizes: NDArray[np.int64]
    ) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        padded = np.concatenate((self.data, np.zeros(KEY_BYTES, np.uint8)))
        keys = np.zeros((len(self), KEY_BYTES), np.uint8)
        for place in range(KEY_BYTES):
            keys[:, place] = np.where(sizes > place, padded[starts + place], 0)
        numbers = keys.view(">u8")
        return numbers[:, 0].astype(np.uint64), numbers[:, 1].astype(np.uint64)

    def _sort_long(
        self, order: NDArray[np.int64], unsure: NDArray[np.int64], starts: NDArray[np.int64]
    ) -> Generator[None, None, None]:
        """Sort runs of tokens whose first bytes are equal by all of their bytes."""
        if not len(unsure):
            return
        cuts = np.flatnonzero(np.diff(unsure) > 1) + 1
        for number, run in enumerate(np.split(unsure, cuts), start=1):
            if number % RUNS_A_STEP == 0:
                yield
            rows = order[run[0] : run[-1] + 2].tolist()
            text = {row: self.data[starts[row] : self.ends[row]].tobytes() for row in rows}
            order[run[0] : run[-1] + 2] = sorted(rows, key=lambda row: (text[row], row))

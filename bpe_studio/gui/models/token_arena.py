"""Many tokens as one array of bytes: sorted and searched by numpy, which lets other threads run.

Sorting 400,000 `bytes` objects holds the interpreter for half a second; sorting their first bytes
as numbers does not.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.byte_order import iter_byte_order
from bpe_studio.analysis.row_filter import containing
from bpe_studio.bpe.generators import result_of


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
        sizes = np.diff(self.ends, prepend=0)
        found = yield from iter_byte_order(self.data, self.ends - sizes, sizes)
        places = np.empty(len(self), np.int32)
        places[found.order] = np.arange(len(self), dtype=np.int32)
        return places

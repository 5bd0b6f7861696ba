"""The tokens of two tables, each once: in which row the tokens of either are."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.byte_order import iter_byte_order
from bpe_studio.bpe.generators import retold
from bpe_studio.bpe.table import MergeTable

__all__ = ["TokenRows", "iter_token_rows"]


@dataclass(frozen=True, slots=True, eq=False)
class TokenRows:
    """Different tokens, A's in the order of its ids, then what only B has in the order of its.

    Attributes
    ----------
    data : uint8 array
        Their bytes, one after another.
    ends : int64 array, shape (rows,)
    places : int32 array, shape (rows,)
        The place of each in the order of bytes.
    rows_a, rows_b : int32 arrays
        The row of every token of each table, in the order of its ids.
    """

    data: NDArray[np.uint8]
    ends: NDArray[np.int64]
    places: NDArray[np.int32]
    rows_a: NDArray[np.int32]
    rows_b: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.ends)

    def token(self, row: int) -> bytes:
        start = int(self.ends[row - 1]) if row else 0
        return self.data[start : int(self.ends[row])].tobytes()


def iter_token_rows(a: MergeTable, b: MergeTable) -> Generator[int, None, TokenRows]:
    """Matches the tokens of two tables by their bytes; yields the tokens done.

    Both are sorted as one: then equal tokens are neighbours.
    """
    count = len(a) + len(b)
    data = np.concatenate((a.token_data, b.token_data))
    starts = np.concatenate((a.token_offsets[:-1], b.token_offsets[:-1] + len(a.token_data)))
    sizes = np.diff(np.append(starts, len(data)))
    yield 0
    found = yield from retold(iter_byte_order(data, starts, sizes), lambda _: 0)
    firsts = found.order[found.is_new]
    is_first = np.zeros(count, dtype=np.bool_)
    is_first[firsts] = True
    row_of_first = np.cumsum(is_first, dtype=np.int32) - np.int32(1)
    row_of_place = row_of_first[firsts]
    yield count
    rows = np.empty(count, dtype=np.int32)
    rows[found.order] = row_of_place[np.cumsum(found.is_new) - 1]
    places = np.empty(len(firsts), dtype=np.int32)
    places[row_of_place] = np.arange(len(firsts), dtype=np.int32)
    yield count
    kept = data[np.repeat(is_first, sizes)]
    ends = np.cumsum(sizes[is_first], dtype=np.int64)
    return TokenRows(kept, ends, places, rows[: len(a)], rows[len(a) :])

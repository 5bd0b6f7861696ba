"""The tokens of two tables, each once: in which row the tokens of either are."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.merge_rows import text_order
from bpe_studio.bpe.table import MergeTable

__all__ = ["TokenRows", "iter_token_rows"]

_TOKENS_A_SLICE: Final = 20_000


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
    """Matches the tokens of two tables by their bytes; yields the tokens done."""
    rows: dict[bytes, int] = {}
    rows_a = yield from _number(a, rows)
    rows_b = yield from _number(b, rows)
    sizes = np.fromiter(map(len, rows), dtype=np.int64, count=len(rows))
    ends = np.cumsum(sizes, dtype=np.int64)
    data = np.frombuffer(b"".join(rows), dtype=np.uint8)
    yield len(rows)
    places = np.empty(len(rows), dtype=np.int32)
    places[text_order(data, ends - sizes, sizes)] = np.arange(len(rows), dtype=np.int32)
    return TokenRows(data, ends, places, rows_a, rows_b)


def _number(table: MergeTable, rows: dict[bytes, int]) -> Generator[int, None, NDArray[np.int32]]:
    """Gives every token of a table that has none yet the next row; returns the row of each."""
    found: list[int] = []
    for first in range(0, len(table), _TOKENS_A_SLICE):
        for data in table.token_list[first : first + _TOKENS_A_SLICE]:
            found.append(rows.setdefault(data, len(rows)))
        yield len(rows)
    return np.array(found, dtype=np.int32)

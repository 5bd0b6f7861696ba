"""Two tables side by side: which tokens they share, and where they first part.

Tokens are the same when their bytes are, whatever their ids.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.compare_text import DifferenceSpan, TextComparison, compare_text
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = [
    "DifferenceSpan",
    "FirstDifference",
    "TableComparison",
    "TextComparison",
    "compare_tables",
    "compare_text",
    "iter_compare_tables",
]

NONE: Final = -1
"""Stands for no id and no rank in the arrays."""
_TOKENS_A_SLICE: Final = 20_000

Parts = tuple[bytes, bytes]


@dataclass(frozen=True, slots=True)
class FirstDifference:
    """The lowest rank at which two tables merge different bytes.

    `a` and `b` are the parts that each merges, or None where its merges have ended.
    """

    rank: int
    a: Parts | None
    b: Parts | None


@dataclass(frozen=True, eq=False)
class TableComparison:
    """Every token of two tables, one row a token.

    Rows come in the order of A's ids, then what only B has in the order of its ids.

    Attributes
    ----------
    data : object array of bytes, shape (n,)
    id_a, id_b : int64 arrays, shape (n,)
        -1 where the table lacks the token.
    rank_a, rank_b : int64 arrays, shape (n,)
        The lowest rank that makes the token; -1 for a base symbol and where the table lacks it.
    shift : int64 array, shape (n,)
        rank_b - rank_a; 0 where one of them has no rank, see `has_shift`.
    first_difference : FirstDifference or None
        None when both have the same merges.
    specials_shared, specials_only_a, specials_only_b : tuple of str
    """

    data: NDArray[np.object_]
    id_a: NDArray[np.int64]
    id_b: NDArray[np.int64]
    rank_a: NDArray[np.int64]
    rank_b: NDArray[np.int64]
    shift: NDArray[np.int64]
    first_difference: FirstDifference | None
    specials_shared: tuple[str, ...]
    specials_only_a: tuple[str, ...]
    specials_only_b: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.data)

    @property
    def in_both(self) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = (self.id_a != NONE) & (self.id_b != NONE)
        return found

    @property
    def has_shift(self) -> NDArray[np.bool_]:
        """Rows with a rank on both sides."""
        found: NDArray[np.bool_] = (self.rank_a != NONE) & (self.rank_b != NONE)
        return found

    @property
    def shared(self) -> int:
        return int(np.count_nonzero(self.in_both))

    @property
    def only_a(self) -> int:
        return int(np.count_nonzero(self.id_b == NONE))

    @property
    def only_b(self) -> int:
        return int(np.count_nonzero(self.id_a == NONE))

    @property
    def jaccard(self) -> float:
        """Shared tokens as a part of all, from 0 to 1; 1 for two empty tables."""
        return self.shared / len(self) if len(self) else 1.0

    @property
    def ids_moved(self) -> int:
        """Shared tokens with another id in B."""
        return int(np.count_nonzero(self.in_both & (self.id_a != self.id_b)))

    @property
    def ranks_moved(self) -> int:
        """Shared tokens with another rank in B."""
        return int(np.count_nonzero(self.has_shift & (self.shift != 0)))

    @property
    def same(self) -> bool:
        """Whether tokens, merges and ids are all the same."""
        return self.shared == len(self) and not self.ids_moved and self.first_difference is None


def compare_tables(a: Tokenizer, b: Tokenizer) -> TableComparison:
    """Sets two tables side by side; specials are compared by name."""
    last = None
    for progress in iter_compare_tables(a, b):
        last = progress
    assert isinstance(last, TableComparison)
    return last


def iter_compare_tables(a: Tokenizer, b: Tokenizer) -> Generator[int | TableComparison, None, None]:
    """As `compare_tables`, in slices: yields tokens done, and at last the comparison."""
    rows: dict[bytes, int] = {}
    places_a = yield from _number(a.table, rows)
    places_b = yield from _number(b.table, rows)
    data = np.empty(len(rows), dtype=object)
    data[:] = list(rows)
    id_a, rank_a = _columns(a.table, places_a, len(rows))
    id_b, rank_b = _columns(b.table, places_b, len(rows))
    yield len(rows)
    difference = yield from _first_difference(a.table, b.table)
    has_shift = (rank_a != NONE) & (rank_b != NONE)
    names_a, names_b = set(a.specials), set(b.specials)
    yield TableComparison(
        data=data,
        id_a=id_a,
        id_b=id_b,
        rank_a=rank_a,
        rank_b=rank_b,
        shift=np.where(has_shift, rank_b - rank_a, 0),
        first_difference=difference,
        specials_shared=tuple(name for name in a.specials if name in names_b),
        specials_only_a=tuple(name for name in a.specials if name not in names_b),
        specials_only_b=tuple(name for name in b.specials if name not in names_a),
    )


def _number(table: MergeTable, rows: dict[bytes, int]) -> Generator[int, None, NDArray[np.int64]]:
    """Gives every token of a table that has none yet the next row; returns the row of each."""
    places: list[int] = []
    for first in range(0, len(table), _TOKENS_A_SLICE):
        for data in table.token_list[first : first + _TOKENS_A_SLICE]:
            places.append(rows.setdefault(data, len(rows)))
        yield len(rows)
    return np.array(places, dtype=np.int64)


def _columns(
    table: MergeTable, places: NDArray[np.int64], length: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The ids and ranks of a table by row."""
    ids = np.full(length, NONE, dtype=np.int64)
    ranks = np.full(length, NONE, dtype=np.int64)
    # Of two tokens with the same bytes the first stands for both, as when encoding.
    ids[places[::-1]] = table.ids[::-1]
    ranks[places[::-1]] = lowest_ranks(table)[::-1]
    return ids, ranks


def lowest_ranks(table: MergeTable) -> NDArray[np.int64]:
    """int64, by place among ``table.ids``: the lowest rank that makes a token, -1 for none."""
    ranks = np.full(len(table), NONE, dtype=np.int64)
    made, first = np.unique(table.merges[:, 2], return_index=True)
    ranks[np.searchsorted(table.ids, made)] = first
    return ranks


def _first_difference(a: MergeTable, b: MergeTable) -> Generator[int, None, FirstDifference | None]:
    """The lowest rank at which the tables merge different bytes, or at which one has ended."""
    rows_a, rows_b = a.dense_merges.tolist(), b.dense_merges.tolist()
    shorter = min(len(rows_a), len(rows_b))
    for rank in range(shorter):
        parts_a, parts_b = _parts(a, rows_a[rank]), _parts(b, rows_b[rank])
        if parts_a != parts_b:
            return FirstDifference(rank, parts_a, parts_b)
        if rank % _TOKENS_A_SLICE == 0:
            yield rank
    if len(rows_a) == len(rows_b):
        return None
    return FirstDifference(
        shorter,
        _parts(a, rows_a[shorter]) if shorter < len(rows_a) else None,
        _parts(b, rows_b[shorter]) if shorter < len(rows_b) else None,
    )


def _parts(table: MergeTable, row: list[int]) -> Parts:
    return table.token_list[row[0]], table.token_list[row[1]]

"""Two tables side by side: which tokens they share, and where they first part.

Tokens are the same when their bytes are, whatever their ids.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.compare_text import DifferenceSpan, TextComparison, compare_text
from bpe_studio.analysis.pair_ties import Side, is_tie
from bpe_studio.analysis.rank_correlation import correlation
from bpe_studio.analysis.table_comparison import (
    NONE,
    FirstDifference,
    OverlapCurve,
    Parts,
    TableColumns,
    TableComparison,
)
from bpe_studio.analysis.token_rows import TokenRows, iter_token_rows
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = [
    "DifferenceSpan",
    "FirstDifference",
    "OverlapCurve",
    "TableColumns",
    "TableComparison",
    "TextComparison",
    "compare_tables",
    "compare_text",
    "iter_compare_tables",
]

_MERGES_A_SLICE: Final = 1 << 16


def compare_tables(a: Tokenizer, b: Tokenizer) -> TableComparison:
    """Sets two tables side by side; specials are compared by name."""
    last = None
    for progress in iter_compare_tables(a, b):
        last = progress
    assert isinstance(last, TableComparison)
    return last


def iter_compare_tables(a: Tokenizer, b: Tokenizer) -> Generator[int | TableComparison, None, None]:
    """As `compare_tables`, in slices: yields tokens done, and at last the comparison."""
    rows = yield from iter_token_rows(a.table, b.table)
    joins, sides = [], []
    for table, token_rows in ((a.table, rows.rows_a), (b.table, rows.rows_b)):
        joined = token_rows[table.dense_merges[:, :2]]
        yield len(rows)
        joins.append(joined)
        sides.append(_columns(table, token_rows, joined, len(rows)))
        yield len(rows)
    merges = (joins[0], joins[1])
    shares_merge = yield from _shares_merge(merges, a.table.dense_merges[:, 2], rows)
    distinct = (sides[0].duplicates == 0, sides[1].duplicates == 0)
    difference = _first_difference(a, b, merges, distinct, rows)
    yield len(rows)
    names_a, names_b = set(a.specials), set(b.specials)
    yield TableComparison(
        token_data=rows.data,
        token_ends=rows.ends,
        places=rows.places,
        a=sides[0],
        b=sides[1],
        shares_merge=shares_merge,
        ids_same=_ids_same(a.table, b.table, rows),
        first_difference=difference,
        rank_correlation=_rank_correlation(*sides),
        specials_shared=tuple(name for name in a.specials if name in names_b),
        specials_only_a=tuple(name for name in a.specials if name not in names_b),
        specials_only_b=tuple(name for name in b.specials if name not in names_a),
    )


def _columns(
    table: MergeTable, token_rows: NDArray[np.int32], joined: NDArray[np.int32], length: int
) -> TableColumns:
    """What a table has in every row; `joined` are the rows of the parts of each merge."""
    ids = np.full(length, NONE, dtype=np.int64)
    ranks = np.full(length, NONE, dtype=np.int64)
    parts = np.full((2, length), NONE, dtype=np.int32)
    # Of several writes the last one stays: so the lowest id does, but for base symbols.
    ids[token_rows[::-1]] = table.ids[::-1]
    symbols = np.array([*table.byte_ids[table.byte_ids >= 0], *table.char_ids.values()], np.int32)
    ids[token_rows[np.searchsorted(table.ids, symbols)]] = symbols
    makers = np.full(length, NONE, dtype=np.int64)
    made = token_rows[table.dense_merges[::-1, 2]]
    makers[made] = np.arange(len(made) - 1, -1, -1)
    has_merge = np.flatnonzero(makers != NONE)
    ranks[has_merge] = table.ranks_at(makers[has_merge])
    parts[:, has_merge] = joined[makers[has_merge]].T
    return TableColumns(ids, ranks, parts[0], parts[1], table.ids, token_rows)


def _shares_merge(
    merges: tuple[NDArray[np.int32], NDArray[np.int32]], made: NDArray[np.int32], rows: TokenRows
) -> Generator[int, None, NDArray[np.bool_]]:
    """Which rows a merge of the same parts makes in both tables; yields the tokens done.

    Parameters
    ----------
    merges : the rows of the parts that each table's merges join
    made : what those of A make, by place among its tokens
    """
    in_a, in_b = (pairs[:, 0].astype(np.int64) * len(rows) + pairs[:, 1] for pairs in merges)
    in_b.sort()
    found = np.zeros(len(rows), dtype=np.bool_)
    for first in range(0, len(in_a) if len(in_b) else 0, _MERGES_A_SLICE):
        yield len(rows)
        some = in_a[first : first + _MERGES_A_SLICE]
        places = np.searchsorted(in_b, some).clip(max=len(in_b) - 1)
        there = np.flatnonzero(in_b[places] == some) + first
        found[rows.rows_a[made[there]]] = True
    return found


def _rank_correlation(a: TableColumns, b: TableColumns) -> float:
    """Spearman's, of the tokens that merges make in both; NaN of fewer than two."""
    both = (a.rank != NONE) & (b.rank != NONE)
    places = []
    for ranks in (a.rank[both], b.rank[both]):
        # No two tokens have one rank, so no sorting is needed to number them.
        is_rank = np.zeros(int(ranks.max(initial=NONE)) + 1, dtype=np.int64)
        is_rank[ranks] = 1
        places.append(np.cumsum(is_rank)[ranks].astype(np.float64))
    return correlation(*places)


def _first_difference(
    a: Tokenizer,
    b: Tokenizer,
    merges: tuple[NDArray[np.int32], NDArray[np.int32]],
    distinct: tuple[bool, bool],
    rows: TokenRows,
) -> FirstDifference | None:
    """The lowest rank at which the tables merge different bytes, or which only one has.

    `merges` are the rows of the parts that each joins, by rank.
    """
    in_a, in_b = merges
    ranks = [tok.table.ranks_at(np.arange(len(tok.table.merges))) for tok in (a, b)]
    shorter = min(len(in_a), len(in_b))
    differ = (in_a[:shorter] != in_b[:shorter]).any(axis=1)
    differ |= ranks[0][:shorter] != ranks[1][:shorter]
    row = int(differ.argmax()) if differ.any() else shorter
    if row == len(in_a) == len(in_b):
        return None
    there = [int(known[row]) if row < len(known) else None for known in ranks]
    rank = min(number for number in there if number is not None)
    one, other = (
        Side(tok, joined, row, alone) if number == rank else None
        for tok, joined, number, alone in zip((a, b), merges, there, distinct, strict=True)
    )
    return FirstDifference(
        rank,
        None if one is None else _parts(one, rows),
        None if other is None else _parts(other, rows),
        None if one is None else one.count,
        None if other is None else other.count,
        is_tie(one, other) if one is not None and other is not None else None,
    )


def _parts(side: Side, rows: TokenRows) -> Parts:
    left, right = side.pair
    return rows.token(left), rows.token(right)


def _ids_same(a: MergeTable, b: MergeTable, rows: TokenRows) -> bool:
    """Whether every id stands for the same bytes in both, and in the merges for the same id.

    Where no two tokens have the same bytes, the merges add nothing to that.
    """
    if not (np.array_equal(a.ids, b.ids) and np.array_equal(rows.rows_a, rows.rows_b)):
        return False
    unlike = len(rows) < len(a)
    return not unlike or np.array_equal(a.merges, b.merges)

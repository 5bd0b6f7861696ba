"""Two tables side by side, as a value: one row a token, arrays for columns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["NONE", "FirstDifference", "OverlapCurve", "Parts", "TableColumns", "TableComparison"]

NONE: Final = -1
"""Stands for no id, no rank and no row in the arrays."""

Parts = tuple[bytes, bytes]


@dataclass(frozen=True, slots=True)
class FirstDifference:
    """The lowest rank at which two tables merge different bytes.

    Attributes
    ----------
    rank : int
    a, b : (bytes, bytes) or None
        The parts that each merges; None where it has no such merge, mostly because they have ended.
    count_a, count_b : int or None
        How often each pair was there when it was merged, by the record of its own table; None where
        no record tells it.
    tie : bool or None
        Whether both pairs were equally frequent there, as far as the training records can tell: see
        `pair_ties`. None where they cannot.
    """

    rank: int
    a: Parts | None
    b: Parts | None
    count_a: int | None = None
    count_b: int | None = None
    tie: bool | None = None


@dataclass(frozen=True, eq=False)
class OverlapCurve:
    """How much of the first k tokens that merges make is the same in two tables.

    Attributes
    ----------
    k : int64 array, shape (n,)
        1, 2, 3, … up to the number of tokens that the merges of the smaller table make.
    shared : int64 array, shape (n,)
        How many tokens are among the first k of both.
    """

    k: NDArray[np.int64]
    shared: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.k)

    @property
    def overlap(self) -> NDArray[np.float64]:
        """The shared ones as a part of k, from 0 to 1."""
        share: NDArray[np.float64] = self.shared / self.k
        return share


@dataclass(frozen=True, eq=False)
class TableColumns:
    """What one table has in every row.

    Attributes
    ----------
    id, rank : int64 arrays, shape (rows,)
        The id that has these bytes, and the lowest rank that makes them; -1 for none. Of several
        ids it is the one that encoding knows: that of a base symbol, else the lowest.
    left, right : int32 arrays, shape (rows,)
        The rows of the parts that this merge joins; -1 where there is none.
    token_ids, token_rows : int32 arrays, shape (tokens,)
        Every token of the table, ascending, and its row: several tokens may have the same bytes.
    """

    id: NDArray[np.int64]
    rank: NDArray[np.int64]
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    token_ids: NDArray[np.int32]
    token_rows: NDArray[np.int32]

    @property
    def copies(self) -> NDArray[np.int64]:
        """int64 (rows,): how many ids have the bytes of the row; 0 where the table lacks them."""
        return np.bincount(self.token_rows, minlength=len(self.id)).astype(np.int64)

    @property
    def duplicates(self) -> int:
        """How many tokens have the bytes of another one, whose id the row has."""
        return len(self.token_rows) - int(np.count_nonzero(self.id != NONE))

    @cached_property
    def order(self) -> NDArray[np.int64]:
        """int64 (rows,): the place of a token among those that merges make, by rank; -1 for none.

        It is the rank where every merge makes another token.
        """
        made = np.flatnonzero(self.rank != NONE)
        places = np.full(len(self.rank), NONE, dtype=np.int64)
        places[made[np.argsort(self.rank[made], kind="stable")]] = np.arange(len(made))
        return places


@dataclass(frozen=True, eq=False)
class TableComparison:
    """Every token of two tables, one row a token: tokens are the same when their bytes are.

    Rows come in the order of A's ids, then what only B has in the order of its ids. Bytes are
    those of the tables: a space is a space also where a file writes ``▁`` or ``Ġ``, but marks of
    word parts, as in ``##ing`` or ``low</w>``, belong to a token; `table_rules` tells them.

    Attributes
    ----------
    token_data : uint8 array
        The bytes of the rows, one after another.
    token_ends : int64 array, shape (n,)
        Where the bytes of each row end.
    places : int32 array, shape (n,)
        The place of each row in the order of bytes.
    a, b : TableColumns
    shares_merge : bool array, shape (n,)
        Whether a merge of the same two parts makes the row in both.
    ids_same : bool
        Whether every id stands for the same bytes in both, in the merges too.
    first_difference : FirstDifference or None
        None when both have the same merges.
    rank_correlation : float
        Spearman's, of the tokens that merges make in both; NaN of fewer than two.
    specials_shared, specials_only_a, specials_only_b : tuple of str
    """

    token_data: NDArray[np.uint8]
    token_ends: NDArray[np.int64]
    places: NDArray[np.int32]
    a: TableColumns
    b: TableColumns
    shares_merge: NDArray[np.bool_]
    ids_same: bool
    first_difference: FirstDifference | None
    rank_correlation: float
    specials_shared: tuple[str, ...]
    specials_only_a: tuple[str, ...]
    specials_only_b: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.token_ends)

    # One row

    def token(self, row: int) -> bytes:
        """The bytes of a row."""
        start = int(self.token_ends[row - 1]) if row else 0
        return self.token_data[start : int(self.token_ends[row])].tobytes()

    def parts_a(self, row: int) -> Parts | None:
        """The parts of which A's merge of lowest rank makes a row; None where none does."""
        return self._parts(self.a, row)

    def parts_b(self, row: int) -> Parts | None:
        """As `parts_a`, of B."""
        return self._parts(self.b, row)

    def _parts(self, side: TableColumns, row: int) -> Parts | None:
        left, right = int(side.left[row]), int(side.right[row])
        return None if left == NONE else (self.token(left), self.token(right))

    # Columns

    @cached_property
    def data(self) -> NDArray[np.object_]:
        """object (n,): the bytes of all rows; `token` is the quick way to a few."""
        starts = [0, *self.token_ends.tolist()]
        data = self.token_data.tobytes()
        found = np.empty(len(self), dtype=object)
        found[:] = [data[a:b] for a, b in zip(starts, starts[1:], strict=False)]
        return found

    @property
    def id_a(self) -> NDArray[np.int64]:
        """int64 (n,): -1 where the table lacks the token."""
        return self.a.id

    @property
    def id_b(self) -> NDArray[np.int64]:
        return self.b.id

    @property
    def rank_a(self) -> NDArray[np.int64]:
        """int64 (n,): the lowest rank that makes the token; -1 where no merge does."""
        return self.a.rank

    @property
    def rank_b(self) -> NDArray[np.int64]:
        return self.b.rank

    @cached_property
    def shift(self) -> NDArray[np.int64]:
        """int64 (n,): rank_b - rank_a; 0 where one of them has no rank, see `has_shift`."""
        return np.where(self.has_shift, self.rank_b - self.rank_a, 0)

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
    def other_merge(self) -> NDArray[np.bool_]:
        """Rows that merges make in both, of other parts: no merge of A joins the same as one of B.

        Some tables have several merges for a token; `parts_a` tells the first of them.
        """
        found: NDArray[np.bool_] = self.has_shift & ~self.shares_merge
        return found

    @property
    def other_id(self) -> NDArray[np.bool_]:
        """Shared rows with another id in B."""
        found: NDArray[np.bool_] = self.in_both & (self.id_a != self.id_b)
        return found

    # Figures

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
        return int(np.count_nonzero(self.other_id))

    @property
    def ranks_moved(self) -> int:
        """Shared tokens with another rank in B."""
        return int(np.count_nonzero(self.has_shift & (self.shift != 0)))

    @property
    def same(self) -> bool:
        """Whether tokens, merges and ids are all the same.

        What else a tokenizer has (specials, pattern, engine, …) is told by `table_rules`.
        """
        return self.same_but_ids and self.ids_same

    @property
    def same_but_ids(self) -> bool:
        """Whether tokens and merges are the same, and the ids may be others."""
        return (
            self.shared == len(self)
            and self.first_difference is None
            and bool((self.a.copies == self.b.copies).all())
        )

    def overlap(self) -> OverlapCurve:
        """How many of the first k tokens that merges make are the same, for every k."""
        a, b = self.a.order, self.b.order
        length = min(int(a.max(initial=NONE)), int(b.max(initial=NONE))) + 1
        later = np.maximum(a, b)[(a != NONE) & (b != NONE)]
        new = np.bincount(later[later < length], minlength=length)
        return OverlapCurve(np.arange(1, length + 1), np.cumsum(new, dtype=np.int64))

"""Merges as columns of arrays, which grow while a training learns, and can be sorted and searched.

A row is a rank. Everything works on whole arrays: 200,000 rows sort and filter in well under a
tenth of a second.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.byte_order import iter_byte_order
from bpe_studio.bpe.generators import result_of

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

COLUMNS: Final = ("rank", "left", "right", "token", "id", "count", "applied", "bytes")
_AT_ONCE: Final = 1 << 15


Scalar = TypeVar("Scalar", bound=np.generic)


class Growing(Generic[Scalar]):
    """An array that grows at its end, with room to spare.

    >>> column = Growing(np.int32); column.extend(np.array([1, 2])); column.values
    array([1, 2], dtype=int32)
    """

    def __init__(self, dtype: type[Scalar]) -> None:
        self._room: NDArray[Scalar] = np.empty(64, dtype=dtype)
        self.size = 0

    @property
    def values(self) -> NDArray[Scalar]:
        """What is there so far; a view that is good until the next `extend`."""
        return self._room[: self.size]

    def extend(self, more: NDArray[Scalar]) -> None:
        """Append values."""
        size = self.size + len(more)
        if size > len(self._room):
            room = np.empty(max(size, 2 * len(self._room)), dtype=self._room.dtype)
            room[: self.size] = self.values
            self._room = room
        self._room[self.size : size] = more
        self.size = size


class MergeRows:
    """The merges of one table by rank.

    Attributes
    ----------
    left, right, new : int32 arrays, shape (rows,)
        Ids.
    counts, applied : int64 arrays, shape (rows,)
        -1 where the table does not know them.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._token_bytes = tokenizer.token_bytes
        self._learned: dict[int, bytes] = {}
        self._ids = {name: Growing(np.int32) for name in ("left", "right", "new")}
        self._counts = {name: Growing(np.int64) for name in ("counts", "applied")}
        self._left_bytes = Growing(np.int32)
        self._ends = Growing(np.int64)
        self._data = Growing(np.uint8)
        self._add_table(tokenizer)

    def __len__(self) -> int:
        return self._ids["new"].size

    @property
    def left(self) -> NDArray[np.int32]:
        return self._ids["left"].values

    @property
    def right(self) -> NDArray[np.int32]:
        return self._ids["right"].values

    @property
    def new(self) -> NDArray[np.int32]:
        return self._ids["new"].values

    @property
    def counts(self) -> NDArray[np.int64]:
        return self._counts["counts"].values

    @property
    def applied(self) -> NDArray[np.int64]:
        return self._counts["applied"].values

    @property
    def starts(self) -> NDArray[np.int64]:
        """int64 (rows,): where the bytes of each row's token begin in `data`."""
        ends = self.ends
        return np.concatenate((np.zeros(1, dtype=np.int64), ends[:-1])) if len(ends) else ends

    @property
    def ends(self) -> NDArray[np.int64]:
        """int64 (rows,): where they end."""
        self.settle()
        return self._ends.values

    @property
    def data(self) -> NDArray[np.uint8]:
        """The bytes of all rows' tokens, one after another."""
        self.settle()
        return self._data.values

    def settle(self, rows: int | None = None) -> None:
        """Work out the bytes of the tokens of the first rows, or of all; done once for a row.

        While a training learns tens of thousands of merges a second, those that nobody looks at
        can wait.
        """
        first, last = self._ends.size, len(self) if rows is None else rows
        if first >= last:
            return
        part = slice(first, last)
        learned, bytes_of = self._learned, self._bytes_of
        tokens, cuts = [], []
        for left, right, new in zip(
            self.left[part].tolist(),
            self.right[part].tolist(),
            self.new[part].tolist(),
            strict=True,
        ):
            beginning = bytes_of(left)
            learned[new] = token = beginning + bytes_of(right)
            cuts.append(len(beginning))
            tokens.append(token)
        sizes = np.fromiter(map(len, tokens), dtype=np.int64, count=len(tokens))
        data = np.frombuffer(b"".join(tokens), dtype=np.uint8)
        self._add_bytes(np.array(cuts, dtype=np.int32), sizes, data)

    def token(self, row: int) -> bytes:
        """The bytes of the token that a merge makes."""
        self.settle(row + 1)
        ends = self._ends.values
        start = int(ends[row - 1]) if row else 0
        return self._data.values[start : int(ends[row])].tobytes()

    def parts(self, row: int) -> tuple[bytes, bytes]:
        """The bytes of the two parts that a merge joins."""
        token, cut = self.token(row), int(self._left_bytes.values[row])
        return token[:cut], token[cut:]

    def rank_of(self, token_id: int) -> int | None:
        """The first rank that makes a token, or None."""
        found = np.flatnonzero(self.new == token_id)
        return int(found[0]) if len(found) else None

    def append(
        self, merges: NDArray[np.int32], counts: NDArray[np.int64], applied: NDArray[np.int64]
    ) -> None:
        """Add merges (rows of left, right, new) that were learned after those that are here."""
        for place, name in enumerate(("left", "right", "new")):
            self._ids[name].extend(merges[:, place])
        self._counts["counts"].extend(counts)
        self._counts["applied"].extend(applied)

    def value(self, row: int, column: str) -> int | None:
        """The number in a cell; None where it is not known."""
        if column == "rank":
            return row
        if column == "bytes":
            return len(self.token(row))
        number = int(self._column(column)[row])
        return None if column in ("count", "applied") and number < 0 else number

    def order(self, column: str, *, descending: bool = False) -> NDArray[np.int64]:
        """int64 (rows,): the ranks sorted by a column; equal ones by rank."""
        if column in ("left", "right", "token"):
            return self._text_order(column, descending)
        keys = self._numbers(column)
        return np.argsort(-keys if descending else keys, kind="stable")

    def _numbers(self, column: str) -> NDArray[np.int64]:
        if column == "bytes":
            return self.ends - self.starts
        if column == "rank":
            return np.arange(len(self), dtype=np.int64)
        return self._column(column).astype(np.int64)

    def _column(self, column: str) -> NDArray[Any]:
        """The array behind "id", "count" or "applied"; not a copy."""
        if column == "id":
            return self.new
        return self.counts if column == "count" else self.applied

    def _text_order(self, column: str, descending: bool) -> NDArray[np.int64]:
        """The ranks by the bytes of a part."""
        starts, ends = self.starts, self.ends
        if column == "token":
            return text_order(self.data, starts, ends - starts, descending=descending)
        cut = starts + self._left_bytes.values
        starts, ends = (starts, cut) if column == "left" else (cut, ends)
        ids = self.left if column == "left" else self.right
        # The same parts come again and again, so only different ones are compared.
        _, first, which = np.unique(ids, return_index=True, return_inverse=True)
        sizes = ends[first] - starts[first]
        place = np.empty(len(first), dtype=np.int64)
        in_order = text_order(self.data, starts[first], sizes, descending=descending)
        place[in_order] = np.arange(len(first))
        return np.argsort(place[which], kind="stable")

    def _bytes_of(self, token_id: int) -> bytes:
        known = self._learned.get(token_id)
        if known is None:
            known = self._learned[token_id] = self._token_bytes(token_id)
        return known

    def _add_table(self, tokenizer: Tokenizer) -> None:
        table, record = tokenizer.table, tokenizer.training
        unknown = np.full(len(table.merges), -1, dtype=np.int64)
        if record is not None and len(record.counts) == len(table.merges):
            self.append(table.merges, record.counts, record.applied)
        else:
            self.append(table.merges, unknown, unknown)
        places = table.dense_merges
        sizes = np.diff(table.token_offsets)
        made = sizes[places[:, 2]]
        data = gathered(table.token_data, table.token_offsets[places[:, 2]], made)
        self._add_bytes(sizes[places[:, 0]].astype(np.int32), made, data)

    def _add_bytes(
        self, left_bytes: NDArray[np.int32], sizes: NDArray[np.int64], data: NDArray[np.uint8]
    ) -> None:
        before = self._data.size
        self._left_bytes.extend(left_bytes)
        self._data.extend(data)
        self._ends.extend(before + np.cumsum(sizes, dtype=np.int64))


def gathered(
    data: NDArray[np.uint8], starts: NDArray[np.int64], sizes: NDArray[np.int64]
) -> NDArray[np.uint8]:
    """The stretches `data[start : start + size]`, one after another.

    In parts, because numpy lets no other thread run meanwhile, and a window may wait.
    """
    parts = [data[:0]]
    for first in range(0, len(sizes), _AT_ONCE):
        some = sizes[first : first + _AT_ONCE]
        ends = np.cumsum(some)
        begin = np.repeat(starts[first : first + _AT_ONCE] - ends + some, some)
        parts.append(data[np.arange(int(ends[-1])) + begin])
    return np.concatenate(parts)


def text_order(
    data: NDArray[np.uint8],
    starts: NDArray[np.int64],
    sizes: NDArray[np.int64],
    *,
    descending: bool = False,
) -> NDArray[np.int64]:
    """The places of stretches of bytes in the order of their bytes; equal ones as they come."""
    found = result_of(iter_byte_order(data, starts, sizes))
    return found.descending() if descending else found.order

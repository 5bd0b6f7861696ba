"""The merge table: which bytes every token stands for, and the merges by rank.

Rank and id are different things: a rank is the place of a merge in the order of learning, an id is
the number of a token. A token may have no merge (a base symbol), one, or several.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.arrays import read_only
from bpe_studio.bpe.built_tokens import bytes_of_tokens

Base = Literal["bytes", "chars"]
_AT_ONCE: Final = 1 << 15
_LARGEST_ID: Final = 2**31 - 1


class MissingByteError(ValueError):
    """The table has no token for a byte of the text."""

    def __init__(self, byte: int, text: str = "", symbols: Container[str] = ()) -> None:
        self.byte = byte
        places = (i for i, c in enumerate(text) if c not in symbols and byte in c.encode())
        self.position = next(places, None)
        where = "" if self.position is None else f" (character {self.position:,} of the text)"
        super().__init__(f"The table has no token for the byte 0x{byte:02X}{where}.")


def gpt2_byte_order() -> tuple[int, ...]:
    """The 256 bytes in the order of the GPT-2 byte alphabet: printable ones first.

    >>> gpt2_byte_order()[:3], gpt2_byte_order()[188]
    ((33, 34, 35), 0)
    """
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    return (*printable, *(byte for byte in range(256) if byte not in set(printable)))


@dataclass(frozen=True, slots=True, eq=False)
class CutFrom:
    """The table whose first merges a prefix has.

    Attributes
    ----------
    table : MergeTable
    ranks : int64 array, shape (m,), or None
        The rank there of each merge of the prefix; None where it is its place in the prefix too.
    """

    table: MergeTable
    ranks: NDArray[np.int64] | None = None


class MergeTable:
    """Token bytes and merges; immutable.

    Parameters
    ----------
    base : "bytes" or "chars"
    byte_ids : int32 array, shape (256,)
        The id of every byte; -1 where the table lacks the byte.
    char_ids : mapping from character to id
        The further base symbols of a chars base; empty for a bytes base.
    merges : int32 array, shape (m, 3)
        Rows (left id, right id, new id) by rank.
    token_ids : int32 array, shape (n,)
        Every token's id, ascending, without specials.
    token_data : uint8 array, and token_offsets : int64 array, shape (n + 1,)
        The bytes of the tokens, one after another in the order of `token_ids`.
    cut_from : CutFrom, optional
        The table that this is a prefix of: its ranks hold here too, also where merges are left out
        on the way.
    """

    __slots__ = (
        "__dict__",
        "base",
        "byte_ids",
        "char_ids",
        "cut_from",
        "ids",
        "merges",
        "token_data",
        "token_offsets",
    )

    def __init__(
        self,
        *,
        base: Base,
        byte_ids: NDArray[np.int32],
        char_ids: Mapping[str, int],
        merges: NDArray[np.int32],
        token_ids: NDArray[np.int32],
        token_data: NDArray[np.uint8],
        token_offsets: NDArray[np.int64],
        cut_from: CutFrom | None = None,
    ) -> None:
        self.base: Base = base
        self.byte_ids = read_only(byte_ids)
        self.char_ids: dict[str, int] = dict(char_ids)
        self.merges = read_only(merges)
        self.ids = read_only(token_ids)
        self.token_data = read_only(token_data)
        self.token_offsets = read_only(token_offsets)
        self.cut_from = cut_from

    @classmethod
    def build(
        cls,
        *,
        base: Base = "bytes",
        byte_ids: Iterable[int],
        char_ids: Mapping[str, int] | None = None,
        merges: Iterable[tuple[int, int, int]] | NDArray[np.int32] = (),
        tokens: Mapping[int, bytes] | None = None,
    ) -> MergeTable:
        """A table from base symbols and merges; the bytes of merged tokens follow from the merges.

        Merges may use a part that only a later rank makes, as some imported tables do.

        Parameters
        ----------
        byte_ids : 256 ids, -1 for a byte that the table lacks
        tokens : mapping from id to bytes, optional
            Tokens that no merge makes.

        Raises
        ------
        ValueError
            Two tokens on one id, an id out of range, a part that does not exist, or a merge whose
            result is not its left part followed by its right part; with the rank.
        """
        bytes_array = np.fromiter(byte_ids, dtype=np.int64)
        rows = merges.tolist() if isinstance(merges, np.ndarray) else [tuple(m) for m in merges]
        known = bytes_of_tokens(bytes_array.tolist(), char_ids or {}, tokens or {}, rows)
        ids = np.array(sorted(known), dtype=np.int32)
        pieces = [known[i] for i in ids.tolist()]
        return cls(
            base=base,
            byte_ids=bytes_array.astype(np.int32),
            char_ids=char_ids or {},
            merges=np.array(rows, dtype=np.int32).reshape(len(rows), 3),
            token_ids=ids,
            token_data=np.frombuffer(b"".join(pieces), dtype=np.uint8),
            token_offsets=np.concatenate(
                ([0], np.cumsum([len(p) for p in pieces], dtype=np.int64))
            ).astype(np.int64),
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickling and copying: what it was made of, without what was computed on use."""
        return partial(MergeTable, **self._made_of), ()

    @property
    def _made_of(self) -> dict[str, Any]:
        return {
            "base": self.base,
            "byte_ids": self.byte_ids,
            "char_ids": self.char_ids,
            "merges": self.merges,
            "token_ids": self.ids,
            "token_data": self.token_data,
            "token_offsets": self.token_offsets,
            "cut_from": self.cut_from,
        }

    def _with(self, **others: Any) -> MergeTable:
        """The same but for these arguments."""
        return MergeTable(**{**self._made_of, **others})

    def __len__(self) -> int:
        """The number of tokens, without specials."""
        return len(self.ids)

    def __contains__(self, token_id: object) -> bool:
        return isinstance(token_id, int) and self.index_of(token_id) >= 0

    def __repr__(self) -> str:
        return f"<MergeTable {self.base}: {len(self):,} tokens, {len(self.merges):,} merges>"

    def index_of(self, token_id: int) -> int:
        """The place of an id among the ascending ids, or -1."""
        if not 0 <= token_id <= _LARGEST_ID:
            return -1
        # Asked for a number of another type, numpy copies the whole array.
        index = int(self.ids.searchsorted(np.int32(token_id)))
        return index if index < len(self.ids) and self.ids[index] == token_id else -1

    def token_bytes(self, token_id: int) -> bytes:
        """The bytes of a token.

        Raises
        ------
        ValueError
            No token has this id.
        """
        index = self.index_of(token_id)
        if index < 0:
            raise ValueError(f"There is no token with the id {token_id}.")
        start, end = self.token_offsets[index : index + 2]
        return self.token_data[start:end].tobytes()

    @cached_property
    def token_list(self) -> list[bytes]:
        """The bytes of every token, in the order of `ids`."""
        data, offsets = self.token_data.tobytes(), self.token_offsets.tolist()
        return [data[a:b] for a, b in pairwise(offsets)]

    @cached_property
    def _id_of_bytes(self) -> dict[bytes, int]:
        # Of equal tokens a base symbol wins, else the first, so read them backwards.
        found = dict(zip(reversed(self.token_list), reversed(self.ids.tolist()), strict=True))
        found.update((char.encode(), number) for char, number in self.char_ids.items())
        symbols = enumerate(self.byte_ids.tolist())
        found.update((bytes([byte]), number) for byte, number in symbols if number >= 0)
        return found

    @cached_property
    def merge_ranks(self) -> dict[tuple[int, int], tuple[int, int]]:
        """``{(left, right): (rank, new id)}``; the first of two equal merges wins."""
        ranks: dict[tuple[int, int], tuple[int, int]] = {}
        numbers = self.ranks_at(np.arange(len(self.merges))).tolist()
        for rank, (left, right, new) in zip(numbers, self.merges.tolist(), strict=True):
            ranks.setdefault((left, right), (rank, new))
        return ranks

    @cached_property
    def _ranks_by_id(self) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The ids that merges make, ascending, and the rank of each."""
        made = self.merges[:, 2]
        ranks = np.argsort(made, kind="stable")
        return made[ranks], self.ranks_at(ranks)

    def ranks_at(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The ranks of rows of `merges`: the same numbers, but for some prefixes."""
        ranks = None if self.cut_from is None else self.cut_from.ranks
        return rows if ranks is None else ranks[rows]

    def rows_of(self, ranks: NDArray[np.int64]) -> NDArray[np.int64]:
        """The rows of `merges` that have these ranks."""
        known = None if self.cut_from is None else self.cut_from.ranks
        return ranks if known is None else known.searchsorted(ranks).astype(np.int64)

    def merge_of(self, rank: int) -> tuple[int, int, int]:
        """``(left id, right id, new id)`` of a rank."""
        left, right, new = self.merges[int(self.rows_of(np.array(rank)))].tolist()
        return left, right, new

    def find(self, data: bytes) -> int | None:
        """The id of the token with these bytes, or None."""
        return self._id_of_bytes.get(data)

    def ranks_of(self, token_id: int) -> tuple[int, ...]:
        """The ranks of the merges that make a token, ascending; empty for a base symbol."""
        if not 0 <= token_id <= _LARGEST_ID:
            return ()
        made, ranks = self._ranks_by_id
        wanted = np.int32(token_id)  # as in `index_of`
        first, last = (made.searchsorted(wanted, side) for side in ("left", "right"))
        return tuple(ranks[first:last].tolist())

    def rank_of_pair(self, left: int, right: int) -> int | None:
        found = self.merge_ranks.get((left, right))
        return None if found is None else found[0]

    def symbols(self, piece: bytes) -> tuple[int, ...]:
        """The base symbols of a piece: its bytes, or characters where a chars base has them.

        Raises
        ------
        MissingByteError
            The table lacks a byte of the piece.
        """
        ids: list[int] = []
        for part in self._parts(piece):
            symbol = self.char_ids.get(part.decode("utf-8", "replace")) if len(part) > 1 else None
            ids += [symbol] if symbol is not None else [int(self.byte_ids[b]) for b in part]
        if -1 in ids:
            missing = next(b for b in piece if self.byte_ids[b] == -1)
            raise MissingByteError(missing)
        return tuple(ids)

    def _parts(self, piece: bytes) -> list[bytes]:
        if not self.char_ids:
            return [piece]
        try:
            return [char.encode() for char in piece.decode()]
        except UnicodeDecodeError:
            text = piece.decode("utf-8", "surrogateescape")
            return [char.encode("utf-8", "surrogateescape") for char in text]

    def prefix(self, merges: int) -> MergeTable:
        """The table of the first `merges` merges: what an earlier stop would have given.

        Of those, merges are left out that nothing could come to: a part of theirs is made later.
        All keep the ranks that they have here.
        """
        if not 0 <= merges <= len(self.merges):
            raise ValueError(f"The table has {len(self.merges):,} merges, not {merges:,}.")
        keep = self.made_at <= merges
        # A part may be made by a later merge only: until then a merge that needs it never happens.
        has_parts = keep[self.dense_merges[:merges, :2]].all(axis=1)
        rows = np.flatnonzero(has_parts)
        ranks = self.ranks_at(rows)
        lengths = np.diff(self.token_offsets)
        return self._with(
            merges=self.merges[:merges] if len(rows) == merges else self.merges[rows],
            token_ids=self.ids[keep],
            token_data=self.token_data[np.repeat(keep, lengths)],
            token_offsets=np.concatenate(([0], np.cumsum(lengths[keep]))).astype(np.int64),
            cut_from=CutFrom(
                self if self.cut_from is None else self.cut_from.table,
                None if not len(rows) or ranks[-1] == len(rows) - 1 else ranks,
            ),
        )

    def alone(self) -> MergeTable:
        """The same as a table of its own, whose merges are numbered from the first to the last."""
        if self.cut_from is None:
            return self
        return self._with(cut_from=None)

    @cached_property
    def made_at(self) -> NDArray[np.int64]:
        """int64 (n,), in the order of `ids`: of how many first merges each token needs to be.

        0 for base symbols and for tokens that no merge makes, else its first rank + 1.
        """
        needed = np.zeros(len(self.ids), dtype=np.int64)
        made, first = np.unique(self.merges[:, 2], return_index=True)
        needed[np.searchsorted(self.ids, made)] = first + 1
        symbols = np.array([*self.char_ids.values(), *self.byte_ids[self.byte_ids >= 0].tolist()])
        needed[np.searchsorted(self.ids, symbols.astype(np.int32))] = 0
        return read_only(needed)

    def extended(self, merges: NDArray[np.int32]) -> MergeTable:
        """The table with further merges (k, 3) that make new tokens, of ascending ids above all."""
        if not len(merges):
            return self
        from bpe_studio.kernels.tokens import bytes_of_merged, offsets_of_merged

        ids = np.concatenate((self.ids, merges[:, 2])).astype(np.int32)
        parts = np.searchsorted(ids, merges[:, :2])
        offsets = np.empty(len(ids) + 1, dtype=np.int64)
        offsets[: len(self) + 1] = self.token_offsets
        offsets_of_merged(parts, offsets, len(self))
        data = np.empty(int(offsets[-1]), dtype=np.uint8)
        data[: len(self.token_data)] = self.token_data
        bytes_of_merged(parts, offsets, len(self), data)
        return self._with(
            cut_from=None,
            merges=np.concatenate((self.merges, merges)),
            token_ids=ids,
            token_data=data,
            token_offsets=offsets,
        )

    # The kernels number tokens 0 … n-1 by their place among the ascending ids, so that sparse ids
    # cost nothing.

    @cached_property
    def dense_bytes(self) -> NDArray[np.int32]:
        """int32 (256,): the dense number of every byte, or -1."""
        dense = self._dense(self.byte_ids)
        dense[self.byte_ids < 0] = -1
        return dense

    @cached_property
    def dense_chars(self) -> NDArray[np.int32]:
        """int32, indexed by code point: the dense number of a character, or -1; empty for bytes."""
        points = [ord(char) for char in self.char_ids]
        dense = np.full(max(points, default=-1) + 1, -1, dtype=np.int32)
        dense[points] = np.searchsorted(self.ids, list(self.char_ids.values()))
        return dense

    @cached_property
    def dense_merges(self) -> NDArray[np.int32]:
        """int32 (m, 3): the merges in dense numbers."""
        return self._dense(self.merges)

    def _dense(self, ids: NDArray[np.int32]) -> NDArray[np.int32]:
        """The places of ids of ours among all; of any other, any number."""
        if len(self.ids) and int(self.ids[-1]) - int(self.ids[0]) == len(self.ids) - 1:
            # No id is left out between them, and this is ten times as fast.
            places: NDArray[np.int32] = ids - self.ids[0]
            return places
        # In parts, because numpy lets no other thread run meanwhile, and a window may wait.
        found = np.empty(ids.shape, dtype=np.int32)
        for first in range(0, len(ids), _AT_ONCE):
            found[first : first + _AT_ONCE] = np.searchsorted(
                self.ids, ids[first : first + _AT_ONCE]
            )
        return found

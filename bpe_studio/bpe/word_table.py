"""The table in which one thread counts, and its growth."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.runs import Run
from bpe_studio.bpe.scanner import PADDING

if TYPE_CHECKING:
    from bpe_studio.kernels.scan import Rules

__all__ = ["BATCH", "MAX_PIECE_BYTES", "WordTable"]

MAX_PIECE_BYTES: Final = 1 << 20
"""A longer piece is cut for training."""

BATCH: Final = 4096
"""Pieces between scanning and counting, so few that they stay in the cache."""

_BUDGET: Final = 1 << 20  # bytes that the kernel takes at a time, within some 10 ms
_FIRST_BITS: Final = 14
_MOST_BITS: Final = 32
_REHASHED_AT_ONCE: Final = 1 << 18
_MOST_NEW_BYTES: Final = 1 << 24


class WordTable:
    """Distinct pieces with their counts, in the order in which they came.

    Attributes
    ----------
    table : kernels.count.Table

    Parameters
    ----------
    document_floor : int
        Which documents have a piece is kept for pieces of fewer documents; for none with 1.
    """

    def __init__(self, *, document_floor: int = 1) -> None:
        from bpe_studio.kernels import count

        self.kernel: Any = count
        entries = 1 << (_FIRST_BITS - 1)
        self.table: Any = count.Table(
            slots=np.zeros(1 << _FIRST_BITS, dtype=np.uint32),
            bits=_FIRST_BITS,
            entries=np.zeros(count.ENTRY_WORDS * entries, dtype=np.uint64),
            arena=np.zeros(1 << 18, dtype=np.uint8),
            seen_in=np.zeros(2 * entries if document_floor > 1 else 0, dtype=np.uint32),
            floor=document_floor,
            met=np.zeros(0, dtype=np.uint64),
            used=np.zeros(count.USED_FIELDS, dtype=np.int64),
        )
        self.scratch = np.empty(count.SCRATCH_WORDS, dtype=np.uint64)
        self.ends = np.empty(BATCH, dtype=np.int64)

    def __len__(self) -> int:
        """The number of distinct pieces."""
        return int(self.table.used[self.kernel.ENTRIES])

    @property
    def pieces(self) -> int:
        """The pieces counted."""
        return int(self.table.used[self.kernel.PIECES])

    @property
    def cut_pieces(self) -> int:
        return int(self.table.used[self.kernel.CUT_PIECES])

    @property
    def met(self) -> int:
        """How many pairs of a piece and a document that has it are kept."""
        return int(self.table.used[self.kernel.MET])

    @property
    def characters(self) -> int:
        return int(self.table.used[self.kernel.CHARACTERS])

    def add_characters(self, number: int) -> None:
        """Takes note of text whose pieces are added."""
        self.table.used[self.kernel.CHARACTERS] += number

    def count_run(self, run: Run, rules: Rules, go_on: Callable[[], bool]) -> None:
        """Scans and counts a run, as long as `go_on` says so."""
        kernel = self.kernel
        self.add_characters(kernel.count_characters(run.data, 0, run.documents[-1]))
        state = np.zeros(2, dtype=np.int64)
        said = kernel.MORE
        while said != kernel.DONE and go_on():
            said = kernel.count_documents(
                run.data, run.documents, state, rules, self.ends, MAX_PIECE_BYTES,
                run.first_document + 1, _BUDGET, self.table, self.scratch,
            )  # fmt: skip
            if said == kernel.NEEDS_ROOM:
                self.grow(go_on)

    def add(
        self, data: NDArray[np.uint8], begin: int, ends: NDArray[np.int64], document: int
    ) -> None:
        """Counts the pieces of a document that end at `ends`; its number is from 0."""
        n, size = len(ends), int(ends[-1]) - begin
        while not self.kernel.has_room(self.table, n, size, MAX_PIECE_BYTES):
            self.grow()
        self.kernel.count_pieces(
            data, begin, ends, n, MAX_PIECE_BYTES, document + 1, self.table, self.scratch
        )

    def pieces_from(self, first: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """The bytes of the pieces from this number on, padded, and where each begins and ends."""
        from bpe_studio.kernels import join

        count, size = join.measure(self.table, first, len(self))
        data = np.zeros(size + PADDING, dtype=np.uint8)
        offsets = np.zeros(count + 1, dtype=np.int64)
        counts = np.empty(count, dtype=np.int64)
        join.write(self.table, first, len(self), data, offsets, counts, 0)
        return data, offsets

    def grow(self, go_on: Callable[[], bool] = lambda: True) -> None:
        """Makes the room that the kernel has asked for, as long as `go_on` says so."""
        kernel, table = self.kernel, self.table
        entries = int(table.used[kernel.WANTED_ENTRIES])
        _enlarge(table.entries, kernel.ENTRY_WORDS * entries)
        _enlarge(table.arena, int(table.used[kernel.WANTED_ARENA]))
        if len(table.seen_in):
            _enlarge(table.seen_in, 2 * (len(table.entries) // kernel.ENTRY_WORDS))
            more = entries - int(table.used[kernel.ENTRIES])
            _enlarge(table.met, self.met + more)
        bits = table.bits
        while (1 << (bits - 1)) <= entries:
            bits += 1
        if bits > _MOST_BITS:
            raise ValueError("The corpus has over 2 billion distinct pieces; train on a part.")
        if bits > table.bits:
            self._make_slots(bits, go_on)

    def _make_slots(self, bits: int, go_on: Callable[[], bool]) -> None:
        # The old ones are let go first: entries hold all that is needed.
        self.table = self.table._replace(slots=np.zeros(0, dtype=np.uint32))
        slots = np.zeros(1 << bits, dtype=np.uint32)
        for first in range(0, len(self), _REHASHED_AT_ONCE):
            if not go_on():
                return
            last = min(first + _REHASHED_AT_ONCE, len(self))
            self.kernel.rehash(self.table.entries, first, last, slots, bits)
        self.table = self.table._replace(slots=slots, bits=bits)


def _enlarge(array: NDArray[Any], wanted: int) -> None:
    """Gives an array `wanted` items or some more, in its place.

    The system moves large arrays without copying them, so the steps need not double, and no
    second copy is ever held.
    """
    if len(array) >= wanted:
        return
    most = len(array) + _MOST_NEW_BYTES // array.itemsize
    array.resize(max(wanted, min(2 * len(array), most)), refcheck=False)

"""The stretches of text in which two tables have not equally many tokens, added up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.arrays import longer, read_only
from bpe_studio.bpe.scanner import PADDING
from bpe_studio.bpe.word_table import WordTable

if TYPE_CHECKING:
    from bpe_studio.kernels.chunks import Costs

__all__ = ["StretchCosts"]


class StretchCosts:
    """Distinct stretches, for one thread, and their tokens under both tables."""

    def __init__(self) -> None:
        from bpe_studio.kernels import chunks, cuts

        self._chunks: Any = chunks
        self._cuts: Any = cuts
        self._words = WordTable()
        self._sums = np.zeros(0, dtype=chunks.COST)
        self._room: Costs = self._make_room(0)

    def __len__(self) -> int:
        return len(self._words)

    def room(self, size: int) -> Costs:
        """Room for the stretches of a text of so many bytes."""
        if len(self._room.ends) < size:
            self._room = self._make_room(size)
        return self._room

    def add(self, number: int) -> None:
        """Adds the first stretches that were written into the room."""
        found = self._number(read_only(self._room.data), self._room.ends[:number])
        self._chunks.add_costs(found, self._room.tokens, number, self._sums)

    def join(self, other: StretchCosts) -> None:
        """Adds what another thread has found."""
        data, offsets = other._words.pieces_from(0)
        found = self._number(data, offsets[1:])
        for name in self._chunks.COST.names:
            self._sums[name][found] += other._sums[name][: len(found)]

    def dearest(self, most: int, *, under_a: bool) -> list[tuple[bytes, int, int, int]]:
        """Stretches with most tokens more under one table: bytes, count, tokens of A and of B.

        Of those that cost the same, the first by their bytes.
        """
        sums = self._sums[: len(self)]
        lost = (sums["tokens_a"] - sums["tokens_b"]) * (1 if under_a else -1)
        dear = np.flatnonzero(lost > 0)
        if len(dear) > most:
            least = np.partition(lost[dear], -most)[-most]
            dear = dear[lost[dear] >= least]
        data, offsets = self._words.pieces_from(0)
        rows = [
            (-int(lost[i]), data[offsets[i] : offsets[i + 1]].tobytes(), sums[i].item())
            for i in dear.tolist()
        ]
        return [(stretch, *numbers) for _, stretch, numbers in sorted(rows)[:most]]

    def _number(self, data: NDArray[np.uint8], ends: NDArray[np.int64]) -> NDArray[np.int32]:
        numbers = np.empty(len(ends), dtype=np.int32)
        table = self._words
        while not self._cuts.number_pieces(
            data, ends, len(ends), table.table, table.scratch, numbers
        ):
            table.grow()
        self._sums = longer(self._sums, len(table))
        return numbers

    def _make_room(self, size: int) -> Costs:
        room: Costs = self._chunks.Costs(
            data=np.empty(size + PADDING, dtype=np.uint8),
            ends=np.empty(size, dtype=np.int64),
            tokens=np.empty((size, 2), dtype=np.int32),
        )
        return room

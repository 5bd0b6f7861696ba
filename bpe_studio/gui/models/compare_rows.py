"""Two tables as arrays for the Compare panel; made in a job."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.compare import TableComparison, iter_compare_tables
from bpe_studio.analysis.row_filter import plain
from bpe_studio.bpe.decoder import readable
from bpe_studio.gui.models.array_table import Column
from bpe_studio.gui.models.numbers import grouped, grouped_or_none
from bpe_studio.gui.models.token_arena import TokenArena
from bpe_studio.gui.models.token_details import shorten

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

SHOWN = ("all", "shared", "only A", "only B", "moved")
"""What the table can be narrowed to; moved tokens are shared ones with another rank."""


@dataclass(frozen=True, slots=True)
class CompareRows:
    """A comparison with what its table needs: all tokens as one array, and their sort places."""

    a: Tokenizer
    b: Tokenizer
    comparison: TableComparison
    places: NDArray[np.int32]
    arena: TokenArena

    def mask(self, *, shown: str, text: str) -> NDArray[np.bool_] | None:
        """Return the rows to show; None for all."""
        found = self.comparison
        masks = {
            "shared": lambda: found.in_both,
            "only A": lambda: found.id_b < 0,
            "only B": lambda: found.id_a < 0,
            "moved": lambda: found.has_shift & (found.shift != 0),
        }
        mask = masks[shown]() if shown in masks else None
        if not text:
            return mask
        with_text = self.arena.containing(plain(text))
        return with_text if mask is None else mask & with_text

    def columns(self) -> list[Column]:
        """Return the columns of the table."""
        found = self.comparison
        return [
            Column("Token", self._token, lambda: self.places, mono=True, sample=12 * "0", share=1),
            Column("In", self._where, lambda: self._sides, sample="B only",
                   hint="Which of the tables has it"),
            self._number("Rank A", found.rank_a, "Rank of the merge that makes it in A"),
            self._number("Rank B", found.rank_b, "Rank of the merge that makes it in B"),
            Column("Shift", self._shift, lambda: found.shift, right=True,
                   sample="+" + _widest(found.shift), hint="Rank in B minus rank in A"),
            self._number("Id A", found.id_a, "Id in A", spare=1),
            self._number("Id B", found.id_b, "Id in B", spare=1),
        ]  # fmt: skip

    @property
    def _sides(self) -> NDArray[np.int8]:
        found = self.comparison
        return np.where(found.in_both, 0, np.where(found.id_b < 0, 1, 2)).astype(np.int8)

    def _token(self, row: int) -> str:
        return shorten(readable(self.comparison.token(row)))

    def _where(self, row: int) -> str:
        found = self.comparison
        if found.id_b[row] < 0:
            return "A only"
        return "B only" if found.id_a[row] < 0 else "both"

    def _shift(self, row: int) -> str:
        found = self.comparison
        has = found.rank_a[row] >= 0 and found.rank_b[row] >= 0
        shift = int(found.shift[row])
        return "–" if not has else f"+{grouped(shift)}" if shift > 0 else grouped(shift)

    @staticmethod
    def _number(title: str, values: NDArray[np.int64], hint: str, *, spare: int = 0) -> Column:
        return Column(
            title,
            lambda row: grouped_or_none(values[row]),
            lambda: np.where(values < 0, np.iinfo(np.int64).max, values),  # none comes last
            right=True,
            hint=hint,
            sample=_widest(values),
            spare=spare,
        )


def _widest(values: NDArray[np.int64]) -> str:
    return grouped(np.abs(values).max(initial=0))


def compare_rows(a: Tokenizer, b: Tokenizer) -> Generator[int, None, CompareRows]:
    """Compare two tables; yields the tokens seen so far."""
    comparison: TableComparison | None = None
    for step in iter_compare_tables(a, b):
        if isinstance(step, TableComparison):
            comparison = step
        else:
            yield step
    if comparison is None:
        raise ValueError("The comparison ended without an answer.")
    arena = TokenArena(comparison.token_data, comparison.token_ends)
    return CompareRows(a, b, comparison, comparison.places, arena)

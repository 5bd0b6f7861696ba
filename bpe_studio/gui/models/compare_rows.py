"""Two tables as arrays for the Compare panel; made in a job."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.compare import OverlapCurve, TableComparison, iter_compare_tables
from bpe_studio.analysis.row_filter import plain
from bpe_studio.analysis.table_rules import Rule, rules_beside
from bpe_studio.bpe.decoder import readable
from bpe_studio.gui.models.numbers import grouped
from bpe_studio.gui.models.rank_cloud import RankCloud, rank_cloud
from bpe_studio.gui.models.token_arena import TokenArena
from bpe_studio.gui.models.token_details import shorten

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

SHOWN = {
    "all": "All",
    "shared": "Shared",
    "only A": "Only A",
    "only B": "Only B",
    "rank": "Rank moved",
    "id": "Id moved",
    "merge": "Made otherwise",
    "picked": "Selected in the plot",
}
"""What the table can be narrowed to; all but the sides are shared tokens."""


@dataclass(frozen=True, eq=False)
class CompareRows:
    """A comparison with what its table and its plots need.

    `uses` are F1 of every row under A and under B on a corpus, where one was read.
    """

    a: Tokenizer
    b: Tokenizer
    comparison: TableComparison
    rules: tuple[Rule, ...]
    cloud: RankCloud
    overlap: OverlapCurve
    sides: NDArray[np.int8]  # 0 in both, 1 only in A, 2 only in B
    other_merge: NDArray[np.bool_]
    uses: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None

    def mask(
        self, *, shown: str, text: str, picked: NDArray[np.int64] | None = None
    ) -> NDArray[np.bool_] | None:
        """Return the rows to show; None for all."""
        mask = self._shown(shown, picked)
        if not text:
            return mask
        found = self.comparison
        arena = TokenArena(found.token_data, found.token_ends)
        with_text = arena.containing(plain(text))
        return with_text if mask is None else mask & with_text

    def _shown(self, shown: str, picked: NDArray[np.int64] | None) -> NDArray[np.bool_] | None:
        found = self.comparison
        if shown == "picked":
            mask = np.zeros(len(found), np.bool_)
            mask[picked if picked is not None else []] = True
            return mask
        masks = {
            "shared": lambda: self.sides == 0,
            "only A": lambda: self.sides == 1,
            "only B": lambda: self.sides == 2,
            "rank": lambda: found.has_shift & (found.shift != 0),
            "id": lambda: found.other_id,
            "merge": lambda: self.other_merge,
        }
        return masks[shown]() if shown in masks else None

    def token(self, row: int) -> str:
        """A token in readable bytes, shortened."""
        return shorten(readable(self.comparison.token(row)))

    def shift(self, row: int) -> str:
        """Rank in B minus rank in A, with its sign."""
        found = self.comparison
        if found.rank_a[row] < 0 or found.rank_b[row] < 0:
            return "–"
        shift = int(found.shift[row])
        return f"+{grouped(shift)}" if shift > 0 else grouped(shift)


def compare_rows(a: Tokenizer, b: Tokenizer) -> Generator[int, None, CompareRows]:
    """Compare two tables; yields the tokens seen so far."""
    found: TableComparison | None = None
    for step in iter_compare_tables(a, b):
        if isinstance(step, TableComparison):
            found = step
        else:
            yield step
    if found is None:
        raise ValueError("The comparison ended without an answer.")
    yield len(found)
    sides = np.where(found.in_both, 0, np.where(found.id_b < 0, 1, 2)).astype(np.int8)
    return CompareRows(
        a=a,
        b=b,
        comparison=found,
        rules=rules_beside((a, b)),
        cloud=rank_cloud(found),
        overlap=found.overlap(),
        sides=sides,
        other_merge=found.other_merge,
    )

"""What the plots of two tables say of themselves, and of what is pointed at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpe_studio.bpe.decoder import readable
from bpe_studio.gui.models.compare_rows import CompareRows
from bpe_studio.gui.models.legible import legible
from bpe_studio.gui.models.numbers import grouped
from bpe_studio.gui.models.token_details import shorten

if TYPE_CHECKING:
    from bpe_studio.analysis.compare import OverlapCurve


def ranks_title(rows: CompareRows) -> str:
    """What stands above rank against rank."""
    count = len(rows.cloud)
    what = "token that merges make" if count == 1 else "tokens that merges make"
    return f"{grouped(count)} {what} in both"


def overlap_words(curve: OverlapCurve, k: int) -> str:
    """How many of the first k that merges make are shared."""
    shared, share = int(curve.shared[k - 1]), 100 * float(curve.overlap[k - 1])
    return f"Overlap  ·  first {grouped(k)}: {grouped(shared)} shared, {share:.1f} %"


def point_words(rows: CompareRows, row: int) -> str:
    """What a token is: its text, its ranks and ids."""
    found = rows.comparison
    shown = shorten(readable(found.token(row)))
    rank_a, rank_b = grouped(int(found.rank_a[row])), grouped(int(found.rank_b[row]))
    ids = f"ids {grouped(int(found.id_a[row]))} and {grouped(int(found.id_b[row]))}"
    return legible(f"{shown}  ·  rank {rank_a} in A, {rank_b} in B  ·  {ids}")


def no_ranks(rows: CompareRows) -> str:
    """Why there is nothing to draw."""
    found = rows.comparison
    without = [
        side for side, ranks in (("A", found.rank_a), ("B", found.rank_b)) if not (ranks >= 0).any()
    ]
    if len(without) == 2:
        return "Neither of the tables has merges, so their tokens have no ranks to draw."
    if without:
        return f"{without[0]} has no merges, so its tokens have no ranks to set against the others."
    return "No token is made by merges in both tables, so there are no ranks to draw."

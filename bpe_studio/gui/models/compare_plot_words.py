"""What the plots of two tables say of themselves, and of what is pointed at."""

from __future__ import annotations

import math
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
    found = rows.comparison
    count = len(rows.cloud)
    what = "token that merges make" if count == 1 else "tokens that merges make"
    known = not math.isnan(found.rank_correlation)
    correlation = f"  ·  rank correlation {found.rank_correlation:.3f}" if known else ""
    return f"{grouped(count)} {what} in both{correlation}"


def overlap_title(rows: CompareRows) -> str:
    """What stands above the curve of what is shared."""
    return f"Overlap  ·  {overlap_words(rows.overlap, len(rows.overlap))}"


def overlap_words(curve: OverlapCurve, k: int) -> str:
    """How many of the first k are shared."""
    shared, share = int(curve.shared[k - 1]), 100 * float(curve.overlap[k - 1])
    return f"first {grouped(k)}: {grouped(shared)} shared, {share:.1f} %"


def point_words(rows: CompareRows, row: int) -> str:
    """What a token is, in two lines: its text and ids, its ranks."""
    found = rows.comparison
    shown = shorten(readable(found.token(row)))
    ids = f"id {grouped(int(found.id_a[row]))} in A, {grouped(int(found.id_b[row]))} in B"
    ranks = f"rank {grouped(int(found.rank_a[row]))} in A, {grouped(int(found.rank_b[row]))} in B"
    return legible(f"{shown}  ·  {ids}\n{ranks}")


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

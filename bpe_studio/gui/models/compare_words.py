"""What Compare says of two tables."""

from __future__ import annotations

import math

from bpe_studio.analysis.compare import FirstDifference
from bpe_studio.analysis.table_outcome import outcome
from bpe_studio.bpe.decoder import readable
from bpe_studio.gui.models.compare_rows import CompareRows
from bpe_studio.gui.models.numbers import grouped
from bpe_studio.gui.models.token_details import shorten

PART = 32  # characters of a part of a merge
FIGURES = (
    "Jaccard: the shared tokens as a part of all, from 0 to 1. Rank correlation: Spearman's, of "
    "the tokens that merges make in both."
)


def figures(rows: CompareRows) -> str:
    """Return the figures of two tables in one line."""
    found = rows.comparison
    known = not math.isnan(found.rank_correlation)
    ranked = len(rows.cloud) > 0
    other = int(rows.other_merge.sum())
    parts = [
        f"{grouped(found.shared)} shared",
        f"{grouped(found.only_a)} only in A",
        f"{grouped(found.only_b)} only in B",
        f"Jaccard {found.jaccard:.3f}",
        f"{grouped(found.ids_moved)} ids moved",
        *([f"{grouped(found.ranks_moved)} ranks moved"] if ranked else []),
        *([f"rank correlation {found.rank_correlation:.3f}"] if known else []),
        *([f"{grouped(other)} made otherwise"] if ranked else []),
    ]
    return "  ·  ".join(parts)


def remarks(rows: CompareRows) -> str:
    """Return in words what the comparison comes to, and where the merges part."""
    found = rows.comparison
    told = [outcome(found, rows.rules)] if found.shared == len(found) else []
    if found.first_difference is not None:
        told.append(first_words(found.first_difference))
    elif not told:
        told.append("The merges are the same.")
    return " ".join(told)


def first_words(first: FirstDifference) -> str:
    """Return what each table merges where they part, and whether that was a tie."""
    for side, parts in (("A", first.a), ("B", first.b)):
        if parts is None and first.rank == 0:
            return f"{side} has no merges, so there is no rank to part at."
    a, b = _pair(first.a, first.count_a), _pair(first.b, first.count_b)
    said = f"They part at rank {grouped(first.rank)}: A merges {a}, B {b}."
    ties = {True: " Both pairs were equally frequent there: a tie.", False: " It was no tie."}
    return said + ties.get(first.tie, "")


def rules_title(rows: CompareRows) -> str:
    """Return what stands over the rules."""
    differ = sum(not rule.same for rule in rows.rules)
    return f"Rules: {differ} of {len(rows.rules)} differ" if differ else "Rules: none differ"


def _pair(parts: tuple[bytes, bytes] | None, count: int | None) -> str:
    if parts is None:
        return "nothing more"
    left, right = (shorten(readable(part), PART) for part in parts)
    times = "" if count is None else f" (count {grouped(count)})"
    return f"{left} + {right}{times}"

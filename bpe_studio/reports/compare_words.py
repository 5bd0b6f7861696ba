"""What two tables have in common and what not, in words: the same in reports and on a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bpe_studio.analysis.naming import quoted
from bpe_studio.analysis.table_comparison import FirstDifference, OverlapCurve, TableComparison
from bpe_studio.reports.page import NOTHING
from bpe_studio.reports.words import percent, plural

__all__ = [
    "DIFFERENCE_WORDS",
    "extra_words",
    "merge_words",
    "moved_words",
    "overlap_points",
    "overlap_words",
    "shared_words",
    "signed_percent",
]

DIFFERENCE_WORDS: Final = {
    "same": "cut alike",
    "a-splits": "A splits what B keeps",
    "b-splits": "B splits what A keeps",
    "different-cuts": "each cuts where the other does not",
}


def shared_words(tables: TableComparison) -> str:
    """``5 tokens shared (83.3 % of all), 1 only in A, 0 only in B``"""
    return (
        f"{plural(tables.shared, 'token')} shared ({percent(tables.jaccard)} of all), "
        f"{tables.only_a:,} only in A, {tables.only_b:,} only in B"
    )


def moved_words(tables: TableComparison) -> str:
    """How shared tokens differ all the same."""
    otherwise = int(tables.other_merge.sum())
    return (
        f"{tables.ids_moved:,} of those shared with another id in B, {tables.ranks_moved:,} with "
        f"another rank, {otherwise:,} made of other parts"
    )


def overlap_words(curve: OverlapCurve) -> str:
    """``of the first 100 tokens that merges make 97.0 % are shared, of 1,000 88.2 %``"""
    told = [f"{k:,} {percent(share)}" for k, share in overlap_points(curve)]
    return f"Of the first {', of the first '.join(told)} are shared" if told else ""


def overlap_points(curve: OverlapCurve) -> Iterator[tuple[int, float]]:
    """The overlap at 100, 1,000, 10,000 … and at the end."""
    k = 100
    while k < len(curve):
        yield k, float(curve.overlap[k - 1])
        k *= 10
    if len(curve):
        yield len(curve), float(curve.overlap[-1])


def merge_words(first: FirstDifference | None) -> str:
    """Where the merges part, or that they do not."""
    if first is None:
        return "the merges are the same"
    for side, parts in (("A", first.a), ("B", first.b)):
        if parts is None and first.rank == 0:
            return f"{side} has no merges, so there is no rank to part at"
    sides = [
        f"{side} {_merge(parts, count)}"
        for side, parts, count in (("A", first.a, first.count_a), ("B", first.b, first.count_b))
    ]
    tie = ""
    if first.tie is not None:
        tie = "; both pairs were equally frequent there: a tie" if first.tie else "; it was no tie"
    return f"the merges part at rank {first.rank:,}: {', '.join(sides)}{tie}"


def _merge(parts: tuple[bytes, bytes] | None, count: int | None) -> str:
    if parts is None:
        return "has no more merges"
    seen = "" if count is None else f" (seen {count:,} times)"
    return f"merges {quoted(parts[0])} + {quoted(parts[1])}{seen}"


def signed_percent(a: int, b: int) -> str:
    """How many per cent more b is than a.

    >>> signed_percent(100, 103), signed_percent(100, 90), signed_percent(7, 7)
    ('+3.00 %', '−10.00 %', '0.00 %')
    """
    if not a:
        return NOTHING
    sign = "+" if b > a else "−" if b < a else ""
    return f"{sign}{100 * abs(b - a) / a:,.2f} %"


def extra_words(a: int, b: int) -> str:
    """How many tokens more B needs.

    >>> extra_words(100, 103), extra_words(100, 90), extra_words(7, 7)
    ('3.00 % more', '10.00 % fewer', 'as many')
    """
    if a == b:
        return "as many"
    if not a:
        return f"{b:,} more"
    return f"{100 * abs(b - a) / a:,.2f} % {'more' if b > a else 'fewer'}"

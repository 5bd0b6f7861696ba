"""What two tables have in common and what not, in words: the same in reports and on a terminal."""

from __future__ import annotations

from typing import Final

from bpe_studio.analysis.compare import FirstDifference, TableComparison
from bpe_studio.analysis.naming import quoted
from bpe_studio.reports.words import percent, plural

__all__ = [
    "DIFFERENCE_WORDS",
    "extra_words",
    "merge_words",
    "moved_words",
    "shared_words",
    "verdict",
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
    return (
        f"{tables.ids_moved:,} of those shared with another id in B, "
        f"{tables.ranks_moved:,} with another rank"
    )


def merge_words(first: FirstDifference | None) -> str:
    """Where the merges part, or that they do not."""
    if first is None:
        return "the merges are the same"
    return f"the merges part at rank {first.rank:,}: A {_merge(first.a)}, B {_merge(first.b)}"


def _merge(parts: tuple[bytes, bytes] | None) -> str:
    if parts is None:
        return "has no more merges"
    return f"merges {quoted(parts[0])} + {quoted(parts[1])}"


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


def verdict(tables: TableComparison) -> str:
    """Where little or nothing differs: so in words; else empty."""
    if tables.shared < len(tables) or tables.first_difference is not None:
        return ""
    if tables.specials_only_a or tables.specials_only_b:
        return ""
    if tables.ids_moved:
        return (
            f"Only ids differ: {tables.ids_moved:,} of {tables.shared:,} tokens have another in B"
        )
    return "Nothing differs: tokens, merges and ids are the same"

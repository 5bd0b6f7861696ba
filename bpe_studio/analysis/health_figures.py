"""The figures of a report on tokens: a number each, with the words for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from bpe_studio.analysis.health import HealthReport

__all__ = ["Figure", "Unit", "figures"]

Unit = Literal["count", "share", "ratio"]
"""Whole numbers; parts of 1, shown in percent; other numbers, shown with three digits."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of a report.

    Attributes
    ----------
    name : str
        Stable, for programs.
    title : str
        For people.
    value : int or float
    unit : Unit
    """

    name: str
    title: str
    value: int | float
    unit: Unit = "count"


_HALF_CHARACTERS: Final = (
    ("partial_ends", "Half characters: end inside", "ends"),
    ("partial_begins", "Half characters: begin inside", "begins"),
    ("partial_both", "Half characters: begin and end inside", "both"),
)


_OF_INTEGRITY: Final = (
    ("vocab_size", "Ids"),
    ("id_bound", "Rows that an embedding matrix needs"),
    ("gaps", "Ids that nothing has"),
    ("missing_bytes", "Bytes without a token"),
    ("merges", "Merges"),
    ("several_merges", "Tokens of several merges"),
    ("late_parts", "Merges with a part that comes later"),
    ("repeated_merges", "Merges that repeat an earlier one"),
    ("unmade", "Tokens that no merge makes"),
    ("unbuilt", "Tokens whose parts merges never come to"),
)


def figures(report: HealthReport) -> tuple[Figure, ...]:
    """What can be told of a report in numbers: the table first, then its use in a corpus."""
    whole = report.integrity
    found = [Figure(name, title, getattr(whole, name)) for name, title in _OF_INTEGRITY]
    found += [
        Figure("tokens", "Tokens looked at", report.tokens),
        Figure("flagged", "Tokens with a flag", report.flagged),
    ]
    found += [
        Figure(name, title, getattr(report.partial, side)) for name, title, side in _HALF_CHARACTERS
    ]
    use = report.use
    if use is not None:
        per_token = use.characters / use.tokens if use.tokens else 0.0
        found.append(Figure("corpus_tokens", "Tokens of the corpus", use.tokens))
        found.append(Figure("characters_per_token", "Characters per token", per_token, "ratio"))
        share = use.used / report.tokens if report.tokens else 0.0
        found.append(Figure("used", "Tokens in use", use.used))
        found.append(Figure("used_share", "Share of the vocabulary in use", share, "share"))
    return tuple(found)

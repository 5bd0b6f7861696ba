"""Why two tokenizers cut a text differently, counted by kind of reason."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from bpe_studio.analysis.compare_text import TextComparison
from bpe_studio.analysis.difference_reason import CUT_KINDS, DifferenceReason, Side
from bpe_studio.analysis.difference_reasons import DifferenceReasons
from bpe_studio.bpe.generators import result_of, retold
from bpe_studio.bpe.specials import AllowedSpecial
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["ReasonGroup", "ReasonSummary", "grouped_reasons", "iter_reason_summary", "summary_of"]

MOST_ASKED: Final = 2_000
_MOST_TOLD: Final = 4


@dataclass(frozen=True, slots=True)
class ReasonGroup:
    """The differences of one kind that lie with one table.

    Attributes
    ----------
    side : "A" or "B"
    kind : str
        A key of `CUT_KINDS`.
    count : int
        Differences.
    tokens_a, tokens_b : int
        What both need for them.
    example : DifferenceReason
        The one of them with the reason that is most frequent, or the first such.
    """

    side: Side
    kind: str
    count: int
    tokens_a: int
    tokens_b: int
    example: DifferenceReason

    @property
    def words(self) -> str:
        """``A has no token for the stretch``"""
        return CUT_KINDS[self.kind].format(self.side)


@dataclass(frozen=True, slots=True)
class ReasonSummary:
    """Why two tables differ on a text.

    Attributes
    ----------
    differences : int
        Spans of the text that are cut differently.
    asked : int
        How many of them were asked for their reason: of many, some that are spread evenly.
    groups : tuple of ReasonGroup
        The largest first.
    """

    differences: int
    asked: int
    groups: tuple[ReasonGroup, ...]

    @property
    def sentence(self) -> str:
        """``Of 352 differences, 312 because A has no token for the stretch, 40 because …``"""
        if not self.differences:
            return "Both cut the text alike."
        told = [f"{g.count:,} because {g.words}" for g in self.groups[:_MOST_TOLD]]
        rest = self.asked - sum(group.count for group in self.groups[:_MOST_TOLD])
        told += [f"{rest:,} for other reasons"] if rest else []
        counted = f"{self.differences:,} difference{'s'[: self.differences != 1]}"
        if self.asked < self.differences:
            return f"Of {counted}, {self.asked:,} were asked, spread evenly: {', '.join(told)}."
        return f"Of {counted}, {', '.join(told)}."


def summary_of(
    a: Tokenizer, b: Tokenizer, text: str, comparison: TextComparison, *, most: int = MOST_ASKED
) -> ReasonSummary:
    """As `iter_reason_summary`, at once."""
    return result_of(iter_reason_summary(a, b, text, comparison, most=most))


def iter_reason_summary(
    a: Tokenizer,
    b: Tokenizer,
    text: str,
    comparison: TextComparison,
    *,
    most: int = MOST_ASKED,
    allowed_special: AllowedSpecial = None,
) -> Generator[float, None, ReasonSummary]:
    """Asks for the reasons of at most so many differences; yields the share that is done."""
    rows = np.flatnonzero(comparison.kinds)
    if len(rows) > most:
        rows_asked = rows[np.linspace(0, len(rows) - 1, most).astype(np.int64)]
    else:
        rows_asked = rows
    reasons = DifferenceReasons(a, b, text, allowed_special=allowed_special)
    found: list[DifferenceReason] = []
    for row in rows_asked.tolist():
        steps = reasons.iter_reason(comparison.span(row))
        found.append((yield from retold(steps, lambda _: len(found) / len(rows_asked))))
    return ReasonSummary(len(rows), len(found), grouped_reasons(found))


def grouped_reasons(reasons: Iterable[DifferenceReason]) -> tuple[ReasonGroup, ...]:
    """Reasons by side and kind, the largest group first."""
    groups: dict[tuple[Side, str], list[DifferenceReason]] = {}
    for reason in reasons:
        groups.setdefault((reason.side, reason.kind), []).append(reason)
    made = [_group(side, kind, members) for (side, kind), members in groups.items()]
    return tuple(sorted(made, key=lambda group: -group.count))


def _group(side: Side, kind: str, members: list[DifferenceReason]) -> ReasonGroup:
    counts: dict[str, int] = {}
    for reason in members:
        counts[reason.sentence] = counts.get(reason.sentence, 0) + 1
    example = max(members, key=lambda reason: counts[reason.sentence])
    spans = [reason.span for reason in members]
    tokens = sum(span.tokens_a for span in spans), sum(span.tokens_b for span in spans)
    return ReasonGroup(side, kind, len(members), *tokens, example)

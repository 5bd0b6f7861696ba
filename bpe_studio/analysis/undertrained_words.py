"""What is said of under-trained tokens: how far to believe it, and why a token is one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from bpe_studio.analysis.indicators import LEAST_CORRELATION, TITLES, Agreement
from bpe_studio.analysis.naming import listed

if TYPE_CHECKING:
    from bpe_studio.analysis.undertrained import UnderTrained

__all__ = ["LEAST_ALIGNMENT", "confidence", "evidence", "reference_words"]

LEAST_ALIGNMENT: Final = 0.5
"""Reference rows that point in directions that differ more than this say little together."""


def confidence(agreed: tuple[Agreement, ...], alignment: float, known: int) -> str:
    """``The indicators agree: the ranks of each two correlate by 0.83 or more.``"""
    if not known:
        return (
            "Low confidence: no reference rows are known, so there is only the norm; choose rows "
            "of tokens that no text has."
        )
    if alignment < LEAST_ALIGNMENT:
        return (
            f"Low confidence: the reference rows point in different directions (alignment "
            f"{alignment:.2f} of 1), so nearness to their mean says little; choose rows of one "
            "sort."
        )
    low = [pair for pair in agreed if pair.low]
    if low:
        worst = min(low, key=lambda pair: np.nan_to_num(pair.correlation, nan=-2.0))
        both = listed([TITLES[worst.first], TITLES[worst.second]])
        if np.isnan(worst.correlation):
            return f"Low confidence: of {both} one is the same for all tokens."
        return (
            f"Low confidence: the ranks by {both} correlate by only {worst.correlation:.2f} "
            f"(below {LEAST_CORRELATION})."
        )
    least = min(pair.correlation for pair in agreed)
    return f"The indicators agree: the ranks of each two correlate by {least:.2f} or more."


def evidence(found: UnderTrained, token: int) -> str:
    """``Its input norm 0.31 is in the lowest 0.4 %; 3 of 4 indicators agree (not distance).``"""
    place = found.index(token)
    assert place is not None
    lowest = min(found.indicators, key=lambda indicator: float(indicator.shares[place]))
    share = 100 * float(lowest.shares[place])
    value = f"{lowest.title} {lowest.values[place]:.3g}"
    sentence = f"Its {value} is in the lowest {share:.2g} %"
    total = len(found.indicators)
    if total == 1:
        return f"{sentence}; no other indicator is known."
    against = [i.title for i in found.indicators if not i.points_to(place)]
    but = f" (not {listed(against, 'nor')})" if against else ""
    return f"{sentence}; {total - len(against)} of {total} indicators agree{but}."


def reference_words(found: UnderTrained) -> str:
    """``compared with 269 reference rows: 256 rows beyond the vocabulary, 13 bytes …``"""
    sorts = found.reference
    if not sorts:
        return "no reference rows"
    rows = f"compared with {found.reference_rows:,} reference rows"
    if len(sorts) == 1:
        return f"{rows}: {sorts[0].title}"
    return f"{rows}: {listed([f'{len(sort.rows):,} {sort.title}' for sort in sorts])}"

"""Why two tokenizers cut a text differently, span by span.

At the first cut that one table has and the other has not, the other one's token that lies across
the cut is looked at: why is it not one token in the table that cuts? The answer is that of
*why is this not one token?* (why), told of both tables.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.compare_text import DifferenceSpan, TextComparison
from bpe_studio.analysis.cut_asking import Asked, CutAsking
from bpe_studio.analysis.difference_reason import (
    CUT_KINDS,
    CutReason,
    DifferenceReason,
    Side,
)
from bpe_studio.analysis.shared_ends import only_in
from bpe_studio.analysis.text_blocks import TextBlocks
from bpe_studio.bpe.generators import result_of
from bpe_studio.bpe.specials import AllowedSpecial
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["DifferenceReasons", "difference_reasons", "iter_reasons"]

_SIDES: Final[tuple[Side, Side]] = ("A", "B")
_STRENGTH: Final = {kind: number for number, kind in enumerate(CUT_KINDS)}
_MOST_TOKENS: Final = 100


def difference_reasons(
    a: Tokenizer, b: Tokenizer, text: str, comparison: TextComparison, numbers: Sequence[int]
) -> tuple[DifferenceReason, ...]:
    """As `iter_reasons`, at once."""
    return result_of(iter_reasons(a, b, text, comparison, numbers))


def iter_reasons(
    a: Tokenizer,
    b: Tokenizer,
    text: str,
    comparison: TextComparison,
    numbers: Sequence[int],
    *,
    allowed_special: AllowedSpecial = None,
) -> Generator[None, None, tuple[DifferenceReason, ...]]:
    """The reasons of some spans of a comparison, in slices; the generator returns them.

    Parameters
    ----------
    numbers : rows of the comparison, of spans that differ

    Raises
    ------
    ValueError
        A span is cut alike by both.
    """
    reasons = DifferenceReasons(a, b, text, allowed_special=allowed_special)
    found = []
    for number in numbers:
        found.append((yield from reasons.iter_reason(comparison.span(number))))
        yield
    return tuple(found)


class DifferenceReasons:
    """Answers for one text under two tokenizers; what it has learned of the text it keeps."""

    def __init__(
        self, a: Tokenizer, b: Tokenizer, text: str, *, allowed_special: AllowedSpecial = None
    ) -> None:
        self.text = text
        self._blocks = [TextBlocks(each, text, allowed_special=allowed_special) for each in (a, b)]
        self._asking = CutAsking((self._blocks[0], self._blocks[1]))

    def iter_reason(self, span: DifferenceSpan) -> Generator[None, None, DifferenceReason]:
        """Why the tables differ in a span, in slices.

        Raises
        ------
        ValueError
            Both cut the span alike.
        """
        tokens = []
        for blocks in self._blocks:
            tokens.append((yield from blocks.iter_tokens(span.start, span.end)))
        found: list[CutReason] = []
        for number, cutter in enumerate(_SIDES):
            asked = _first_cut(cutter, span, tokens[number], tokens[1 - number])
            if asked is not None:
                found.append((yield from self._asking.iter_reason(asked)))
        if not found:
            raise ValueError(f"Both cut characters {span.start:,} to {span.end:,} alike.")
        found.sort(key=lambda reason: (_STRENGTH[reason.kind], reason.border))
        made = [
            tuple(blocks.tokenizer.token_bytes(token) for token in ids[:_MOST_TOKENS].tolist())
            for blocks, (ids, _) in zip(self._blocks, tokens, strict=True)
        ]
        return DifferenceReason(span, found[0], found[1] if len(found) > 1 else None, *made)


def _first_cut(
    cutter: Side,
    span: DifferenceSpan,
    ours: tuple[NDArray[np.int32], NDArray[np.int64]],
    theirs: tuple[NDArray[np.int32], NDArray[np.int64]],
) -> Asked | None:
    """The first end of the cutter's that the other has not, and the other's token across it."""
    (ids, spans), (other_ids, other_spans) = ours, theirs
    extra = only_in(spans[:, 1], other_spans[:, 1])
    if not len(extra):
        return None
    border = int(spans[extra[0], 1])
    here = np.flatnonzero(spans[:, 1] == border)
    empty = here[spans[here, 0] == border]
    across = int(np.searchsorted(other_spans[:, 1], border))
    kept = across if across < len(other_ids) and other_spans[across, 0] <= border else None
    if kept is not None and other_spans[kept, 0] == border < other_spans[kept, 1]:
        kept = None
    if kept is None:
        before = int(other_spans[across - 1, 1]) if across else 0
        after = int(other_spans[across, 0]) if across < len(other_ids) else int(spans[-1, 1])
        stretch = (before, max(after, before))
    else:
        stretch = (int(other_spans[kept, 0]), int(other_spans[kept, 1]))
    touching = (spans[:, 0] < stretch[1]) & (spans[:, 1] > stretch[0])
    return Asked(
        cutter=cutter,
        span_start=span.start,
        span_end=span.end,
        border=border,
        stretch=stretch,
        kept=None if kept is None else int(other_ids[kept]),
        put_in=int(ids[empty[0]]) if len(empty) else None,
        made=tuple(ids[touching][:_MOST_TOKENS].tolist()),
    )

"""A text → how its tokens came to be: each piece's story, and why a span is not one token."""

from __future__ import annotations

from collections.abc import Generator

from bpe_studio.analysis.finding import find_parts
from bpe_studio.analysis.merging import LastMerging
from bpe_studio.analysis.parts import check_explainable, check_text
from bpe_studio.analysis.reason import Reason
from bpe_studio.analysis.repeated import RepeatedStories
from bpe_studio.analysis.story import (
    Explanation,
    PieceStory,
    TokenSpan,
    tell_bytes,
    tell_piece,
    tell_special,
)
from bpe_studio.analysis.variants import Variant, variants, variants_of
from bpe_studio.analysis.why import iter_why, why_not_one_token
from bpe_studio.bpe.generators import result_of
from bpe_studio.bpe.specials import AllowedSpecial
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = [
    "Explanation",
    "PieceStory",
    "Reason",
    "TokenSpan",
    "Variant",
    "explain",
    "iter_explain",
    "iter_why",
    "tell_bytes",
    "variants",
    "variants_of",
    "why_not_one_token",
]


def explain(
    tokenizer: Tokenizer,
    text: str,
    *,
    start: int = 0,
    end: int | None = None,
    allowed_special: AllowedSpecial = None,
) -> Explanation:
    """The story of every piece that overlaps ``text[start:end]``.

    Of a piece of more than some hundred symbols, a window around the span is told.

    Raises
    ------
    ValueError
        A span outside the text, a lone surrogate, a byte that the table lacks.
    """
    return result_of(iter_explain(tokenizer, text, start, end, allowed_special=allowed_special))


def iter_explain(
    tokenizer: Tokenizer,
    text: str,
    start: int = 0,
    end: int | None = None,
    *,
    allowed_special: AllowedSpecial = None,
    last: LastMerging | None = None,
) -> Generator[PieceStory, None, Explanation]:
    """As `explain`, one piece at a time; the whole is what the generator returns."""
    stop = len(text) if end is None else end
    if not 0 <= start <= stop <= len(text):
        raise ValueError(
            f"The span {start}:{stop} is not in the text, which has {len(text):,} characters."
        )
    check_text(text)
    check_explainable(tokenizer)
    stories, repeated = [], RepeatedStories()
    for part in find_parts(tokenizer, text, start, stop, allowed_special=allowed_special):
        if part.special is not None:
            story = tell_special(part)
        elif (known := repeated.find(part)) is not None:
            story = known
        else:
            story = tell_piece(tokenizer, part, part.bytes_of(start, stop), last=last)
            repeated.keep(part, story)
        stories.append(story)
        yield story
    return Explanation(tuple(stories))

"""The answer to *why is this not one token?*"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bpe_studio.analysis.span import Span
from bpe_studio.analysis.story import TokenSpan

KINDS: Final = (
    "one-token", "special", "normalized", "pattern-cut", "no-such-token", "whole-piece",
    "no-merge", "absorbed", "taken", "inner-merge",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reason:
    """The answer for one span.

    Attributes
    ----------
    kind : str
        One of `KINDS`.
    sentence : str
        The answer in words.
    start, end : int
        The span, in characters; `text` is what it holds.
    token : int or None
        The token with the bytes of the span, if the table has one.
    tokens : tuple of TokenSpan
        What the span is instead: every token that overlaps it, of a long span the first ones.
    rank : int or None
        The merge that absorbed it, took a part of it, or won inside it.
    own_rank : int or None
        The merge that made it or would have made it.
    ids : tuple of int
        The tokens that the sentence names: the special, or left, right and result of the merge.
    offset : int or None
        The character at which the merge joined, the pattern cut, or the special begins.
    cuts : tuple of int
        Every character at which the pattern cuts the span.
    alternatives : tuple of str
        The alternative of the pattern that made each piece of the span, of the first 200.
    """

    kind: str
    sentence: str
    start: int
    end: int
    text: str
    token: int | None = None
    tokens: tuple[TokenSpan, ...] = ()
    rank: int | None = None
    own_rank: int | None = None
    ids: tuple[int, ...] = ()
    offset: int | None = None
    cuts: tuple[int, ...] = ()
    alternatives: tuple[str, ...] = ()


def reason_of(
    span: Span,
    kind: str,
    sentence: str,
    *,
    rank: int | None = None,
    own_rank: int | None = None,
    ids: tuple[int, ...] = (),
    offset: int | None = None,
    cuts: tuple[int, ...] = (),
) -> Reason:
    """A reason for a span."""
    expressions = span.tokenizer.pattern.alternatives
    return Reason(
        kind, sentence, span.start, span.end, span.text, span.token, span.tokens, rank, own_rank,
        ids, offset, cuts,
        tuple(expressions[p.alternative] for p in span.parts if p.alternative is not None),
    )  # fmt: skip

"""Why is this span of a text not one token?

The reasons are tried in a fixed order and the first that holds is the answer, so every span has
exactly one:

1. ``one-token``: it is one token here.
2. ``special``: it overlaps a special, which is matched before anything else.
3. ``normalized``: the tokenizer changes these characters first, or leaves them out, or makes one of
   some of them and others.
4. ``pattern-cut``: the pattern cuts inside it.
5. ``no-such-token``: no token has these bytes;
   ``whole-piece``: the engine takes whole pieces first, and this is only a part of one;
   ``no-merge``: the token is there, but no chain of merges leads to it.
6. ``absorbed``: it did form, and a merge then joined it with its neighbour.
7. ``taken``: a merge of lower rank than its own, or of the same rank and further left, joined a
   symbol inside the span with one outside.
8. ``inner-merge``: inside the span another merge won, so its own parts never met.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from itertools import islice
from typing import Final

from bpe_studio.analysis.before_merging import (
    by_whole_pieces,
    no_merge,
    no_such_token,
    normalized,
    one_token,
    pattern_cut,
    plain_special,
    shared,
    special,
    whole_piece,
)
from bpe_studio.analysis.building import find_culprit
from bpe_studio.analysis.finding import find_parts
from bpe_studio.analysis.merging import Event, LastMerging
from bpe_studio.analysis.naming import opened, quoted
from bpe_studio.analysis.parts import Part, check_explainable, check_span, check_text
from bpe_studio.analysis.reason import KINDS, Reason, reason_of
from bpe_studio.analysis.span import MOST_PARTS, Span
from bpe_studio.bpe.generators import result_of
from bpe_studio.bpe.specials import AllowedSpecial
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["KINDS", "Reason", "iter_why", "why_not_one_token", "why_of_pieces"]

_PARTS_A_SLICE: Final = 4_000  # about 10 ms


def why_not_one_token(
    tokenizer: Tokenizer,
    text: str,
    start: int,
    end: int,
    *,
    allowed_special: AllowedSpecial = None,
) -> Reason:
    """The first reason that holds for ``text[start:end]``.

    Raises
    ------
    ValueError
        The span is empty or not in the text; a lone surrogate; a byte that the table lacks.
    """
    return result_of(iter_why(tokenizer, text, start, end, allowed_special=allowed_special))


def iter_why(
    tokenizer: Tokenizer,
    text: str,
    start: int,
    end: int,
    *,
    allowed_special: AllowedSpecial = None,
    last: LastMerging | None = None,
) -> Generator[None, None, Reason]:
    """As `why_not_one_token`, in slices; the reason is what the generator returns."""
    check_span(text, start, end)
    check_text(text)
    check_explainable(tokenizer)
    parts = yield from _parts(tokenizer, text, start, end, allowed_special)
    span = Span(tokenizer, text, start, end, parts)
    yield from span.prepare(last)
    answer = one_token(span) or special(span)
    if answer is None:
        answer = (yield from why_of_pieces(span)) if span.data else None
        answer = normalized(span, answer) or answer or shared(span)
    return replace(answer, sentence=answer.sentence + plain_special(span))


def _parts(
    tokenizer: Tokenizer, text: str, start: int, end: int, allowed_special: AllowedSpecial
) -> Generator[None, None, list[Part]]:
    """The parts of the text that overlap the span, in slices."""
    found: list[Part] = []
    parts = find_parts(
        tokenizer, text, start, end, allowed_special=allowed_special, made_by=MOST_PARTS
    )
    while some := list(islice(parts, _PARTS_A_SLICE)):
        found += some
        yield
    return found


def why_of_pieces(span: Span) -> Generator[None, None, Reason | None]:
    """4 to 8; None where what the tokenizer makes of a changed text is one token there."""
    answer = pattern_cut(span) or no_such_token(span) or whole_piece(span) or no_merge(span)
    if answer is None:
        happened = span.happened()
        yield
        answer = _absorbed(span, happened) or _taken(span, happened)
        answer = answer or _inner_merge(span) or _taken_late(span, happened)
    return answer


def _absorbed(span: Span, happened: list[Event]) -> Reason | None:
    """6. It did form, and a merge then joined it with its neighbour."""
    start, end = span.byte_start, span.byte_end
    formed = next((n for n, event in enumerate(happened) if event.covers(start, end)), None)
    if formed is None:
        return None
    event = happened[formed]
    later = next((e for e in happened[formed + 1 :] if e.start <= start and e.end >= end), None)
    if later is None:  # it is one token of what the tokenizer has made of the text
        return None
    how = "was a base symbol" if event.is_base else f"was formed by {span.merge(event.rank)}"
    sentence = (
        f"{span.name(event.id)} {how}, then absorbed by {span.merge(later.rank)}, which joined it "
        f"with its neighbour into {span.name(later.id)}."
    )
    return reason_of(
        span,
        "absorbed",
        sentence,
        rank=later.rank,
        own_rank=None if event.is_base else event.rank,
        ids=span.table.merge_of(later.rank),
        offset=span.character(later.middle),
    )


def _taken(span: Span, happened: list[Event]) -> Reason | None:
    """7. A merge that came before its own joined a symbol inside with one outside."""
    assert span.token is not None
    own = max(span.table.ranks_of(span.token), default=-1)
    for event in happened:
        if not _crosses(span, event):
            continue
        if event.rank < own:
            return _taken_reason(span, event, own)
        if event.rank == own and event.start < span.byte_start:
            return _further_left(span, event)
    return None


def _crosses(span: Span, event: Event) -> bool:
    """Whether the event joined a symbol inside the span with one outside."""
    if event.is_base:
        return False
    takes_first = event.middle == span.byte_start and event.end <= span.byte_end
    takes_last = event.middle == span.byte_end and event.start >= span.byte_start
    return takes_first or takes_last


def _taken_reason(span: Span, event: Event, own: int) -> Reason:
    assert span.token is not None
    left, right, new = span.table.merge_of(event.rank)
    place = span.character(event.middle)
    inside, outside = (right, left) if event.middle == span.byte_start else (left, right)
    sentence = (
        f"{opened(span.merge(event.rank))} came first: at character {place:,} it joined "
        f"{span.name(inside)} inside the span with {span.name(outside)} outside it, before "
        f"{span.merge(own)} could make {span.name(span.token)}."
    )
    return reason_of(
        span, "taken", sentence, rank=event.rank, own_rank=own, ids=(left, right, new), offset=place
    )


def _further_left(span: Span, event: Event) -> Reason:
    assert span.token is not None
    place = span.character(event.middle)
    sentence = (
        f"{opened(span.merge(event.rank))} makes {span.name(span.token)}, but merges run "
        f"left to right: it fired at character {span.character(event.start):,} first and took the "
        f"symbol at character {place:,}."
    )
    return reason_of(
        span,
        "taken",
        sentence,
        rank=event.rank,
        own_rank=event.rank,
        ids=span.table.merge_of(event.rank),
        offset=place,
    )


def _taken_late(span: Span, happened: list[Event]) -> Reason | None:
    """7, in a table where a token's parts come at higher ranks than the token itself."""
    assert span.token is not None
    event = next((e for e in happened if _crosses(span, e)), None)
    if event is None:
        return None
    own = max(span.table.ranks_of(span.token), default=-1)
    return _taken_reason(span, event, own)


def _inner_merge(span: Span) -> Reason | None:
    """8. Inside the span another merge won."""
    assert span.token is not None
    alone = span.alone()
    if any(event.covers(0, len(span.data)) for event in alone):
        return None
    culprit = find_culprit(span.tokenizer, alone, span.token, len(span.data))
    if culprit is None:
        sentence = (
            f"The characters of {quoted(span.data)} are symbols of their own in this table, so the "
            f"bytes that would make {span.name(span.token)} never stand alone."
        )
        return reason_of(span, "inner-merge", sentence + by_whole_pieces(span))
    own = culprit.own_rank
    place = span.character(span.byte_start + culprit.event.middle)
    left, right, new = span.table.merge_of(own)
    sentence = (
        f"Inside {quoted(span.data)}, {span.merge(culprit.event.rank)} won at character {place:,} "
        f"and made {span.name(culprit.event.id)}, so {quoted(span.tokenizer.token_bytes(left))} "
        f"and {quoted(span.tokenizer.token_bytes(right))} never met for {span.merge(own)}"
    )
    if new != span.token:
        sentence += f", which {span.name(span.token)} is made of"
    return reason_of(
        span,
        "inner-merge",
        f"{sentence}.{by_whole_pieces(span)}",
        rank=culprit.event.rank,
        own_rank=own,
        ids=span.table.merge_of(culprit.event.rank),
        offset=place,
    )

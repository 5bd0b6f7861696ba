"""The parts of a text that a tokenizer edits before it cuts and merges."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from bpe_studio.analysis.parts import Part
from bpe_studio.bpe.patterns import Pattern
from bpe_studio.bpe.preparing import Cut, Found
from bpe_studio.bpe.scanner import cut_blocks
from bpe_studio.bpe.specials import AllowedSpecial
from bpe_studio.bpe.stretch import Origin, Span, Stretch, byte_places
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["CutBy", "edited_parts"]

CutBy = tuple[Pattern, str, int, int]
"""A pattern, the text that it cut, and a piece of that: from character, to character."""


def edited_parts(
    tokenizer: Tokenizer, text: str, start: int, end: int, allowed_special: AllowedSpecial
) -> Iterator[tuple[Part, CutBy | None]]:
    """The parts that overlap a span, and how the pattern cut those that nothing else has cut.

    Of a tokenizer that edits neighbourhoods only what is near the span is looked at, else all.
    """
    places = byte_places(text)
    blocks: Iterator[Span] = iter([(0, len(text))])
    if tokenizer.may_cut(allowed_special):
        blocks = cut_blocks(tokenizer.pattern, text)
    for first, last in blocks:
        if first >= end:
            return
        if last <= start:
            continue
        for found in tokenizer.prepared(text[first:last], allowed_special):
            if isinstance(found, Found):
                begin, stop = first + found.begin, first + found.end
                if begin < end and stop > start:
                    shown = text[begin:stop]
                    yield Part(begin, stop, int(places[begin]), shown, found.id, None), None
                continue
            for part, cut in _pieces(tokenizer, found, first, start, end):
                is_edited = part.text != text[part.start : part.end]
                placed = replace(
                    part,
                    byte_start=int(places[part.start]),
                    edited=part.edited if is_edited else None,
                    places=places if is_edited else None,
                )
                yield placed, cut


def _pieces(
    tokenizer: Tokenizer, cut: Cut, shift: int, start: int, end: int
) -> Iterator[tuple[Part, CutBy | None]]:
    """The pieces of a cut text that overlap a span; it begins at the character `shift`."""
    stretch, unknown = cut.stretch, tokenizer.rules.unknown
    spans = tokenizer.piece_spans(cut)

    def stop_of(span: Span) -> int:
        return shift + stretch.original_span(*span)[1]

    near = bisect_left(spans, start + 1, key=stop_of)
    for number, (a, b) in enumerate(islice(spans, near, None), start=near):
        begin, stop = (shift + place for place in stretch.original_span(a, b))
        if begin >= end and stop > begin:
            return
        if begin >= end or stop <= start:
            continue
        out = cut.unknown is not None and cut.unknown[number]
        piece = _shifted(stretch.part(a, b), shift)
        part = Part(
            begin, stop, 0, piece.text,
            special=unknown.id if unknown is not None and out else None,
            alternative=None,
            edited=piece,
            unknown=out,
        )  # fmt: skip
        yield part, None if cut.spans is not None else (tokenizer.pattern, stretch.text, a, b)


def _shifted(stretch: Stretch, by: int) -> Stretch:
    """With places in a text that begins so many characters earlier."""
    origin = stretch.origin
    if origin is not None and by:
        origin = Origin(origin.starts + by, origin.stops + by, origin.same)
    return replace(stretch, begin=stretch.begin + by, origin=origin)

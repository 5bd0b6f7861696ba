"""A span of a text → the specials and pieces that it touches, with their places.

Only the neighbourhood of the span is scanned, so a word of a long text costs no more than a word
of a short one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bpe_studio.analysis.edited_parts import CutBy, edited_parts
from bpe_studio.analysis.parts import Part
from bpe_studio.bpe.scanner import alternative_of, cut_blocks, iter_pieces
from bpe_studio.bpe.specials import AllowedSpecial
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["CutBy", "find_parts", "parts_and_cuts"]


def find_parts(
    tokenizer: Tokenizer,
    text: str,
    start: int,
    end: int,
    *,
    allowed_special: AllowedSpecial = None,
    made_by: int | None = None,
) -> Iterator[Part]:
    """The parts of a text that overlap ``text[start:end]``, in order.

    Parameters
    ----------
    made_by : int, optional
        Of how many pieces it is wanted which alternative of the pattern made them; by default of
        all. Those after them have none.
    """
    parts = parts_and_cuts(tokenizer, text, start, end, allowed_special=allowed_special)
    for number, (part, cut) in enumerate(parts):
        asked = cut is not None and (made_by is None or number < made_by)
        yield replace(part, alternative=alternative_of(*cut)) if asked and cut else part


def parts_and_cuts(
    tokenizer: Tokenizer,
    text: str,
    start: int,
    end: int,
    *,
    allowed_special: AllowedSpecial = None,
) -> Iterator[tuple[Part, CutBy | None]]:
    """As `find_parts`, each with what tells which alternative made it, which takes a while."""
    if tokenizer.edits_text:
        return edited_parts(tokenizer, text, start, end, allowed_special)
    return _plain_parts(tokenizer, text, start, end, allowed_special)


def _plain_parts(
    tokenizer: Tokenizer, text: str, start: int, end: int, allowed_special: AllowedSpecial
) -> Iterator[tuple[Part, CutBy | None]]:
    pattern = tokenizer.pattern
    position = byte_position = 0
    for segment, special in tokenizer.segments(text, allowed_special):
        if position >= end:
            return
        after = position + len(segment)
        if after > start and special is not None:
            yield Part(position, after, byte_position, segment, special, None), None
        elif after > start:
            span = (start - position, end - position)
            for first, byte, piece in _pieces(tokenizer, segment, *span):
                begin, last = position + first, first + len(piece)
                part = Part(begin, position + last, byte_position + byte, piece, None, None)
                yield part, (pattern, segment, first, last)
        position = after
        byte_position += len(segment.encode())


def _pieces(
    tokenizer: Tokenizer, segment: str, start: int, end: int
) -> Iterator[tuple[int, int, str]]:
    """The pieces of a segment that overlap a span of it, and their places in it."""
    for position, byte_position, pieces in _blocks(tokenizer, segment, start, end):
        for piece in pieces:
            after = position + len(piece)
            if position >= end:
                return
            if after > start:
                yield position, byte_position, piece
            position = after
            byte_position += len(piece.encode())


def _blocks(
    tokenizer: Tokenizer, segment: str, start: int, end: int
) -> Iterator[tuple[int, int, list[str]]]:
    """Where a run of pieces begins, in characters and bytes, and the pieces."""
    pattern = tokenizer.pattern
    if pattern.compiled_safe_cut is None:
        position = byte_position = 0
        for pieces in iter_pieces(pattern, segment):
            yield position, byte_position, pieces
            position += sum(map(len, pieces))
            byte_position += sum(len(piece.encode()) for piece in pieces)
        return
    byte_position = 0
    for first, last in cut_blocks(pattern, segment):
        if first >= end:
            return
        block = segment[first:last]
        if last > start:
            yield first, byte_position, pattern.compiled.findall(block)
        byte_position += len(block.encode())

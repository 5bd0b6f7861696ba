"""A span of a text → the specials and pieces that it touches, with their places.

Only the neighbourhood of the span is scanned, so a word of a long text costs no more than a word
of a short one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.preparing import Cut, Found
from bpe_studio.bpe.scanner import alternative_of, cut_blocks, iter_pieces
from bpe_studio.bpe.specials import AllowedSpecial
from bpe_studio.bpe.stretch import Stretch, byte_places
from bpe_studio.bpe.tokenizer import Tokenizer


@dataclass(frozen=True, slots=True)
class Part:
    """A special, or a piece that the pattern made.

    Attributes
    ----------
    start, end : int
        Characters in the text.
    byte_start : int
        Bytes of the text before it.
    text : str
    special : int or None
        The id of a special; None for a piece.
    alternative : int or None
        Which of ``pattern.alternatives`` made the piece; None for a special, and for a piece that
        the rules of the tokenizer have made.
    edited : Stretch or None
        The text of the piece, which knows where it came from, where the tokenizer has changed it.
    places : int64 array or None
        Where each character of the whole text begins in bytes, for an edited piece.
    raw : bytes or None
        The bytes of a piece that is no text, for a token that is none.
    unknown : bool
        `special` is the token of text that the table cannot spell.
    """

    start: int
    end: int
    byte_start: int
    text: str
    special: int | None
    alternative: int | None
    edited: Stretch | None = None
    places: NDArray[np.int64] | None = None
    raw: bytes | None = None
    unknown: bool = False

    @property
    def data(self) -> bytes:
        return self.text.encode() if self.raw is None else self.raw

    def bytes_of(self, start: int, end: int) -> tuple[int, int]:
        """The bytes of the piece that characters start:end of the text became."""
        if self.edited is not None and self.edited.origin is not None:
            origin = self.edited.origin
            inside = np.flatnonzero((origin.starts < end) & (origin.stops > start))
            first, last = (int(inside[0]), int(inside[-1]) + 1) if len(inside) else (0, 0)
        else:
            first, last = max(start - self.start, 0), max(end - self.start, 0)
        begin = len(self.text[:first].encode())
        return begin, begin + len(self.text[first:last].encode())

    def character_at(self, byte: int) -> int:
        """The character of the text that stands at a byte of the piece."""
        inside = len(self.data[:byte].decode("utf-8", "ignore"))
        if self.edited is None:
            return self.start + inside
        return (
            self.edited.original_span(inside, inside + 1)[0]
            if inside < len(self.text)
            else self.end
        )


def check_span(text: str, start: int, end: int) -> None:
    """Refuses a span that is empty or not in the text.

    Raises
    ------
    ValueError
    """
    if start < 0 or end > len(text):
        raise ValueError(
            f"The span {start}:{end} is not in the text, which has {len(text):,} characters."
        )
    if start >= end:
        raise ValueError(
            f"The span {start}:{end} holds no character; its end must be after its start."
        )


def check_text(text: str) -> None:
    """Refuses a text that no UTF-8 can hold.

    Raises
    ------
    ValueError
        With the position of the lone surrogate.
    """
    if text.isascii():
        return
    try:
        text.encode()
    except UnicodeEncodeError as error:
        code = ord(text[error.start])
        raise ValueError(
            f"The text holds a lone surrogate (U+{code:04X}) at character {error.start:,}; "
            "replace it, for example with U+FFFD."
        ) from None


def check_explainable(tokenizer: Tokenizer) -> None:
    """Refuses a tokenizer whose merges cannot be followed.

    Raises
    ------
    ValueError
    """
    if tokenizer.view_only:
        raise ValueError(tokenizer.view_only)
    if tokenizer.outside is not None:
        raise ValueError(
            f"{tokenizer.outside.kind} has no merges to tell of; the library "
            f"{tokenizer.outside.library} cuts the text, and only its cuts are known."
        )


def find_parts(
    tokenizer: Tokenizer,
    text: str,
    start: int,
    end: int,
    *,
    allowed_special: AllowedSpecial = None,
) -> Iterator[Part]:
    """The parts of a text that overlap ``text[start:end]``, in order."""
    if tokenizer.edits_text:
        yield from _prepared(tokenizer, text, start, end, allowed_special)
        return
    position = byte_position = 0
    for segment, special in tokenizer.segments(text, allowed_special):
        if position >= end:
            return
        after = position + len(segment)
        if after > start and special is not None:
            yield Part(position, after, byte_position, segment, special, None)
        elif after > start:
            span = (start - position, end - position)
            for part in _pieces(tokenizer, segment, *span):
                yield Part(
                    position + part.start, position + part.end, byte_position + part.byte_start,
                    part.text, None, part.alternative,
                )  # fmt: skip
        position = after
        byte_position += len(segment.encode())


def _prepared(
    tokenizer: Tokenizer, text: str, start: int, end: int, allowed_special: AllowedSpecial
) -> Iterator[Part]:
    """As `find_parts`, of a tokenizer that edits texts: all of the text has to be looked at."""
    places = byte_places(text)
    for found in tokenizer.prepared(text, allowed_special):
        if isinstance(found, Found):
            begin, stop = found.begin, found.end
            if begin < end and stop > start:
                byte = int(places[begin])
                yield Part(begin, stop, byte, text[begin:stop], found.id, None)
            continue
        unknown = tokenizer.rules.unknown
        spans = tokenizer.piece_spans(found)
        for (a, b), out in zip(spans, found.unknown or repeat(False), strict=False):
            begin, stop = found.stretch.original_span(a, b)
            if begin < end and stop > start:
                piece = found.stretch.part(a, b)
                is_edited = piece.text != text[begin:stop]
                made = None if found.spans is not None else _made_by(tokenizer, found, a, b)
                yield Part(
                    begin, stop, int(places[begin]), piece.text,
                    special=unknown.id if unknown is not None and out else None,
                    alternative=made,
                    edited=piece if is_edited else None,
                    places=places if is_edited else None,
                    unknown=bool(out),
                )  # fmt: skip


def _made_by(tokenizer: Tokenizer, cut: Cut, first: int, last: int) -> int:
    """Which alternative of the pattern made a piece of a text that nothing else has cut."""
    return alternative_of(tokenizer.pattern, cut.stretch.text, first, last)


def _pieces(tokenizer: Tokenizer, segment: str, start: int, end: int) -> Iterator[Part]:
    """The pieces of a segment that overlap a span of it, with places in the segment."""
    pattern = tokenizer.pattern
    for position, byte_position, pieces in _blocks(tokenizer, segment, start, end):
        for piece in pieces:
            after = position + len(piece)
            if position >= end:
                return
            if after > start:
                alternative = alternative_of(pattern, segment, position, after)
                yield Part(position, after, byte_position, piece, None, alternative)
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
    for first, last in cut_blocks(pattern, segment):
        if last > start and first < end:
            pieces = pattern.compiled.findall(segment[first:last])
            yield first, len(segment[:first].encode()), pieces

"""What became of one piece: who cut it out, what merged, what lost, what remains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.merging import token_ends
from bpe_studio.analysis.parts import Part
from bpe_studio.bpe.reference import Step
from bpe_studio.bpe.tokenizer import Tokenizer

# The plain trace looks at every symbol in every step; a longer piece tells only its tokens.
LONGEST_STORY: Final = 2_000


@dataclass(frozen=True, slots=True)
class TokenSpan:
    """A token and where it lies in the whole text.

    Attributes
    ----------
    id : int
    start, end : int
        Bytes.
    text_start, text_end : int
        Characters; a character that the token holds only in part counts.
    data : bytes
    """

    id: int
    start: int
    end: int
    text_start: int
    text_end: int
    data: bytes


@dataclass(frozen=True, slots=True)
class PieceStory:
    """How one piece of a text, or one special, became tokens.

    Attributes
    ----------
    start, end : int
        Characters in the text.
    text : str
    special : bool
        The part is a special, matched before anything else; it has no symbols and no steps.
    alternative : int or None
        Which alternative of the pattern made the piece, from 0.
    alternative_expression : str or None
    symbols : tuple of int
        The base symbols that merging begins with.
    steps : tuple of Step
        The merges that fired, in order, each with the pairs that lost.
    tokens : tuple of TokenSpan
    whole_piece : bool
        The engine took the piece as it is, because it is a token; the steps tell what merges
        alone would do.
    shortened : bool
        The piece is too long for its steps to be told.
    """

    start: int
    end: int
    text: str
    special: bool
    alternative: int | None
    alternative_expression: str | None
    symbols: tuple[int, ...]
    steps: tuple[Step, ...]
    tokens: tuple[TokenSpan, ...]
    whole_piece: bool = False
    shortened: bool = False


@dataclass(frozen=True, slots=True)
class Explanation:
    """The stories of the pieces that overlap a span of a text, in order."""

    pieces: tuple[PieceStory, ...]

    @property
    def tokens(self) -> tuple[TokenSpan, ...]:
        return tuple(token for piece in self.pieces for token in piece.tokens)


def tell_special(part: Part) -> PieceStory:
    """The story of a special: one token, whatever the table holds."""
    assert part.special is not None
    data = part.data
    token = TokenSpan(
        part.special, part.byte_start, part.byte_start + len(data), part.start, part.end, data
    )
    return PieceStory(part.start, part.end, part.text, True, None, None, (), (), (token,))


def tell_piece(tokenizer: Tokenizer, part: Part) -> PieceStory:
    """The story of a piece that the pattern made."""
    data = part.data
    symbols = tokenizer.table.symbols(data)
    shortened = len(symbols) > LONGEST_STORY
    made = None if part.alternative is None else tokenizer.pattern.alternatives[part.alternative]
    return PieceStory(
        start=part.start,
        end=part.end,
        text=part.text,
        special=False,
        alternative=part.alternative,
        alternative_expression=made,
        symbols=symbols,
        steps=() if shortened else tuple(tokenizer.trace(data)),
        tokens=token_spans(tokenizer, part),
        whole_piece=is_whole_piece(tokenizer, data),
        shortened=shortened,
    )


def is_whole_piece(tokenizer: Tokenizer, data: bytes) -> bool:
    """Whether the engine takes a piece as one token before it looks at any merge."""
    return tokenizer.engine == "whole-piece-first" and tokenizer.table.find(data) is not None


def token_spans(
    tokenizer: Tokenizer, part: Part, inside: tuple[int, int] | None = None
) -> tuple[TokenSpan, ...]:
    """The tokens of a piece, or those that overlap some of its bytes, with places in the text."""
    data = part.data
    ids = tokenizer.encode_piece(data)
    ends = token_ends(tokenizer.table, ids)
    begin, stop = 0, len(ids)
    if inside is not None:
        begin = int(np.searchsorted(ends, inside[0], side="right"))
        stop = int(np.searchsorted(ends, inside[1], side="left")) + 1
    ends = ends[begin:stop]
    starts = np.append(ends[0] - len(tokenizer.table.token_bytes(ids[begin])), ends[:-1])
    characters = _character_starts(data)
    firsts = np.searchsorted(characters, starts, side="right") - 1
    lasts = np.searchsorted(characters, ends, side="left")
    byte, character = part.byte_start, part.start
    if part.edited is not None:
        return _edited_spans(part, ids[begin:stop], np.stack((starts, ends, firsts, lasts), axis=1))
    rows = zip(*(a.tolist() for a in (starts, ends, firsts, lasts)), strict=True)
    return tuple(
        TokenSpan(token, byte + a, byte + b, character + first, character + last, data[a:b])
        for token, (a, b, first, last) in zip(ids[begin:stop], rows, strict=True)
    )


def _edited_spans(part: Part, ids: list[int], rows: NDArray[np.int64]) -> tuple[TokenSpan, ...]:
    """The tokens of a piece that the tokenizer has edited, with the text that each stands for.

    Parameters
    ----------
    rows : from byte, to byte, from character and to character of the edited piece
    """
    assert part.edited is not None and part.places is not None
    spans = []
    for token, (a, b, first, last) in zip(ids, rows.tolist(), strict=True):
        begin, end = part.edited.original_span(first, last)
        first_byte, last_byte = part.places[[begin, end]].tolist()
        spans.append(TokenSpan(token, first_byte, last_byte, begin, end, part.data[a:b]))
    return tuple(spans)


def _character_starts(data: bytes) -> NDArray[np.int64]:
    """The byte at which each character begins.

    >>> _character_starts("aéb".encode())
    array([0, 1, 3])
    """
    return np.flatnonzero((np.frombuffer(data, dtype=np.uint8) & 0xC0) != 0x80)

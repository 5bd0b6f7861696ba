"""What became of one piece: who cut it out, what merged, what lost, what remains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

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
    assert part.alternative is not None
    return PieceStory(
        start=part.start,
        end=part.end,
        text=part.text,
        special=False,
        alternative=part.alternative,
        alternative_expression=tokenizer.pattern.alternatives[part.alternative],
        symbols=symbols,
        steps=() if shortened else tuple(tokenizer.trace(data)),
        tokens=token_spans(tokenizer, part),
        whole_piece=is_whole_piece(tokenizer, data),
        shortened=shortened,
    )


def is_whole_piece(tokenizer: Tokenizer, data: bytes) -> bool:
    """Whether the engine takes a piece as one token before it looks at any merge."""
    return tokenizer.engine == "whole-piece-first" and tokenizer.table.find(data) is not None


def token_spans(tokenizer: Tokenizer, part: Part) -> tuple[TokenSpan, ...]:
    """The tokens of a piece, with their places in the whole text."""
    borders = _character_borders(part.text)
    spans = []
    start = 0
    for token in tokenizer.encode_piece(part.data):
        data = tokenizer.table.token_bytes(token)
        end = start + len(data)
        first, last = part.start + borders[start], part.start + borders[end - 1] + 1
        place = (part.byte_start + start, part.byte_start + end)
        spans.append(TokenSpan(token, *place, first, last, data))
        start = end
    return tuple(spans)


def _character_borders(text: str) -> list[int]:
    """For every byte of a text the character that it belongs to.

    >>> _character_borders("aé")
    [0, 1, 1]
    """
    return [place for place, char in enumerate(text) for _ in char.encode()]

"""The letters that a model cannot see: which characters are in which tokens of a span."""

from __future__ import annotations

from dataclasses import dataclass

from bpe_studio.analysis.story import TokenSpan


@dataclass(frozen=True, slots=True)
class Letter:
    """A character, and the tokens that hold it or parts of it.

    Attributes
    ----------
    character : str
    position : int
        In the text, in characters.
    first, last : int
        Numbers of the first and the last token of the grid that hold some of it.
    split : bool
        No single token holds all of its bytes.
    """

    character: str
    position: int
    first: int
    last: int
    split: bool


@dataclass(frozen=True, slots=True)
class Number:
    """Digits that follow one another, and how tokens group them.

    Attributes
    ----------
    text : str
    position : int
    groups : tuple of str
        ``("12", "345")`` where tokens cut 12345 so; a group may be a part of a longer token.
    """

    text: str
    position: int
    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """Characters against tokens, of a span of a text.

    Attributes
    ----------
    tokens : tuple of TokenSpan
        Every token that overlaps the span, in order.
    letters : tuple of Letter
        The characters of the span, in order.
    numbers : tuple of Number
    repeated : tuple of (str, int)
        The letters that occur more than once in the span, with how often: what a model is asked
        when it is asked how many r are in strawberry.
    left_out : int
        Characters of the span after the last one that is told.
    """

    tokens: tuple[TokenSpan, ...]
    letters: tuple[Letter, ...]
    numbers: tuple[Number, ...]
    repeated: tuple[tuple[str, int], ...]
    left_out: int = 0

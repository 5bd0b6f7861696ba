"""The letters that a model cannot see: which characters are in which tokens of a span."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
import regex

from bpe_studio.analysis.finding import find_parts
from bpe_studio.analysis.merging import LastMerging, merging_of
from bpe_studio.analysis.parts import check_span, check_text
from bpe_studio.analysis.story import TokenSpan, tell_special, tokens_at
from bpe_studio.bpe.specials import AllowedSpecial
from bpe_studio.bpe.stretch import byte_places
from bpe_studio.bpe.tokenizer import Tokenizer

MOST_LETTERS: Final = 400
_NUMBER: Final = regex.compile(r"\p{N}+")


@dataclass(frozen=True, slots=True)
class Letter:
    """A character, and the tokens that hold it or parts of it.

    Attributes
    ----------
    character : str
    position : int
        In the text, in characters.
    first, last : int
        Numbers of the first and the last token of the grid that hold some of it; -1 where none
        does, because the tokenizer leaves the character out.
    split : bool
        No single token holds all of it.
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
        The letters that occur more than once among those that are told, most frequent first, in
        lower case and with how often in either case: what a model is asked when it is asked how
        many r are in strawberry.
    left_out : int
        Characters of the span after the last one that is told.
    """

    tokens: tuple[TokenSpan, ...]
    letters: tuple[Letter, ...]
    numbers: tuple[Number, ...]
    repeated: tuple[tuple[str, int], ...]
    left_out: int = 0


def grid(
    tokenizer: Tokenizer,
    text: str,
    start: int,
    end: int,
    *,
    allowed_special: AllowedSpecial = None,
    last: LastMerging | None = None,
) -> Grid:
    """Which characters of ``text[start:end]`` are in which tokens.

    >>> [(number.text, number.groups) for number in grid(tokenizer, "12345", 0, 5).numbers]
    [('12345', ('123', '45'))]

    Raises
    ------
    ValueError
        The span is empty or not in the text; a lone surrogate; a byte that the table lacks.
    """
    check_span(text, start, end)
    check_text(text)
    stop = min(end, start + MOST_LETTERS)
    tokens = tuple(_tokens(tokenizer, text, start, stop, allowed_special, last))
    letters = tuple(_letters(text, start, stop, tokens))
    return Grid(
        tokens=tokens,
        letters=letters,
        numbers=tuple(_numbers(letters)),
        repeated=_repeated(text[start:stop]),
        left_out=end - stop,
    )


def _tokens(
    tokenizer: Tokenizer,
    text: str,
    start: int,
    end: int,
    allowed_special: AllowedSpecial,
    last: LastMerging | None,
) -> Iterator[TokenSpan]:
    """The tokens that hold some of the span, those that stand for no text inside it too."""
    found = (
        _outside(tokenizer, text)
        if tokenizer.outside is not None
        else _inside(tokenizer, text, start, end, allowed_special, last)
    )
    for token in found:
        empty = token.text_start == token.text_end
        first = token.text_start if empty else token.text_end - 1
        if token.text_start < end and first >= start:
            yield token


def _inside(
    tokenizer: Tokenizer,
    text: str,
    start: int,
    end: int,
    allowed_special: AllowedSpecial,
    last: LastMerging | None,
) -> Iterator[TokenSpan]:
    for part in find_parts(tokenizer, text, start, end, allowed_special=allowed_special):
        if part.special is not None:
            yield from tell_special(part).tokens
        else:
            merging = merging_of(tokenizer, part.data, last=last)
            yield from tokens_at(part, merging, part.bytes_of(start, end))


def _outside(tokenizer: Tokenizer, text: str) -> Iterator[TokenSpan]:
    """The tokens of a model that a library runs."""
    encoding, places, data = tokenizer.encode_with_offsets(text), byte_places(text), text.encode()
    firsts = np.searchsorted(places, encoding.offsets[:, 0], side="right") - 1
    lasts = np.searchsorted(places, encoding.offsets[:, 1], side="left")
    rows = np.column_stack((encoding.ids, encoding.offsets, firsts, lasts)).tolist()
    for token, begin, end, first, last in rows:
        yield TokenSpan(token, begin, end, first, last, data[begin:end])


def _letters(text: str, start: int, end: int, tokens: tuple[TokenSpan, ...]) -> Iterator[Letter]:
    begins = np.array([token.text_start for token in tokens], dtype=np.int64)
    ends = np.array([token.text_end for token in tokens], dtype=np.int64)
    for position in range(start, end):
        holding = np.flatnonzero((begins <= position) & (ends > position))
        first, last = (int(holding[0]), int(holding[-1])) if len(holding) else (-1, -1)
        yield Letter(text[position], position, first, last, split=first != last)


def _numbers(letters: tuple[Letter, ...]) -> Iterator[Number]:
    for match in _NUMBER.finditer("".join(letter.character for letter in letters)):
        run = letters[match.start() : match.end()]
        groups = [run[0].character]
        for before, letter in pairwise(run):
            if before.last == letter.first:
                groups[-1] += letter.character
            else:
                groups.append(letter.character)
        yield Number(match.group(), run[0].position, tuple(groups))


def _repeated(text: str) -> tuple[tuple[str, int], ...]:
    """``"strawberry"`` -> ``(("r", 3),)``"""
    counts = Counter(text.lower())
    found = [(char, count) for char, count in counts.items() if count > 1 and char.isalpha()]
    return tuple(sorted(found, key=lambda item: -item[1]))

"""What became of one piece: who cut it out, what merged, what lost, what remains."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Generator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.merging import LastMerging, Merging, iter_merging
from bpe_studio.analysis.parts import Part
from bpe_studio.bpe.generators import result_of
from bpe_studio.bpe.reference import Step, trace
from bpe_studio.bpe.tokenizer import Tokenizer

# A longer piece tells a window of itself, of about as many symbols as can be read.
LONGEST_STORY: Final = 400
WINDOW: Final = 200
# A window holds whole tokens; of a token that is longer than this no steps are told.
MOST_SYMBOLS: Final = 2_000


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
        The base symbols that merging begins with, of the window.
    steps : tuple of Step
        The merges that fired in the window, in order, each with the pairs that lost; positions
        count the symbols of the window. None where a single token is too long to tell them.
    tokens : tuple of TokenSpan
        Those of the window.
    whole_piece : bool
        The engine took the piece as it is, because it is a token; the steps tell what merges
        alone would do.
    first_symbol : int
        The symbol of the piece with which the window begins.
    symbol_count, token_count : int
        Of the whole piece.
    window_start, window_end : int
        The characters of the text that the window stands for. It begins and ends where tokens
        do, so nothing outside it could have changed what happened in it.
    bounds : tuple of int
        Where each of the symbols begins and the last ends, in bytes of the piece.
    merged : tuple of int
        The tokens that merges alone would give, where the engine took the piece whole.
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
    first_symbol: int = 0
    symbol_count: int = 0
    token_count: int = 0
    window_start: int = 0
    window_end: int = 0
    bounds: tuple[int, ...] = ()
    merged: tuple[int, ...] = ()

    @property
    def shortened(self) -> bool:
        """Whether only a window of the piece is told."""
        return len(self.symbols) < self.symbol_count

    @property
    def engines_differ(self) -> bool:
        """Whether the piece is one token only because the engine takes whole pieces first."""
        return self.whole_piece and self.merged != tuple(token.id for token in self.tokens)


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
    return PieceStory(
        part.start, part.end, part.text, True, None, None, (), (), (token,),
        token_count=1, window_start=part.start, window_end=part.end,
    )  # fmt: skip


def tell_piece(
    tokenizer: Tokenizer,
    part: Part,
    asked: tuple[int, int] | None = None,
    *,
    last: LastMerging | None = None,
) -> PieceStory:
    """The story of a piece that the pattern made.

    Parameters
    ----------
    asked : (from, to), optional
        The bytes of the piece around which the window of a long piece is laid.
    """
    return result_of(iter_tell(tokenizer, part, asked, last=last))


def iter_tell(
    tokenizer: Tokenizer,
    part: Part,
    asked: tuple[int, int] | None = None,
    *,
    last: LastMerging | None = None,
) -> Generator[None, None, PieceStory]:
    """As `tell_piece`, in slices."""
    merging = yield from iter_merging(tokenizer, part.data, last=last)
    first, stop = window_of(merging, asked or (0, len(part.data)))
    begin, end = merging.places[[first, stop]].tolist()
    symbols = tuple(merging.trace.symbols[begin:end].tolist())
    whole = merging.whole is not None
    tokens = token_spans(part, merging, first, stop)
    made = None if part.alternative is None else tokenizer.pattern.alternatives[part.alternative]
    told = len(symbols) <= MOST_SYMBOLS
    yield
    return PieceStory(
        start=part.start,
        end=part.end,
        text=part.text,
        special=False,
        alternative=part.alternative,
        alternative_expression=made,
        symbols=symbols,
        steps=tuple(trace(symbols, tokenizer.table.merge_ranks)) if told else (),
        tokens=tokens,
        whole_piece=whole,
        first_symbol=begin,
        symbol_count=len(merging.trace.symbols),
        token_count=1 if whole else len(merging.ids),
        window_start=tokens[0].text_start,
        window_end=tokens[-1].text_end,
        bounds=tuple(merging.bounds[begin : end + 1].tolist()),
        merged=tuple(merging.ids[first:stop].tolist()) if whole else (),
    )


def tell_bytes(tokenizer: Tokenizer, data: bytes) -> PieceStory:
    """The story of bytes that need be no text, as a piece that no pattern was asked about."""
    part = Part(0, 0, 0, "", None, None, raw=data)
    return tell_piece(tokenizer, part)


def window_of(merging: Merging, asked: tuple[int, int]) -> tuple[int, int]:
    """The tokens of a piece that its story tells, first and last + 1.

    All of them in a short piece; in a long one those of the bytes that were asked about, from the
    first on, and so many beside them that there is something to see.
    """
    places, count = merging.places.tolist(), len(merging.ids)
    if places[-1] <= LONGEST_STORY:
        return 0, count
    begin, end = np.searchsorted(merging.bounds, asked, side="right").tolist()
    first = min(bisect_right(places, begin - 1) - 1, count - 1)
    last = first + 1
    while last < count and places[last] < end and places[last + 1] - places[first] <= WINDOW:
        last += 1
    while places[last] - places[first] < WINDOW:
        wider = [(first - 1, last)] if first else []
        wider += [(first, last + 1)] if last < count else []
        wider = [(a, b) for a, b in wider if places[b] - places[a] <= LONGEST_STORY]
        if not wider:
            break
        # The side that has less beside what was asked about comes first.
        first, last = min(wider, key=lambda w: max(begin - places[w[0]], places[w[1]] - end))
    return first, last


def token_spans(
    part: Part, merging: Merging, first: int = 0, last: int | None = None
) -> tuple[TokenSpan, ...]:
    """The tokens of a piece that merges give, or some of them, with places in the text.

    Where the engine takes the piece whole, it is that one token.
    """
    if merging.whole is not None:
        ids, bounds = [merging.whole], merging.bounds[[0, -1]]
    else:
        stop = len(merging.ids) if last is None else last
        ids = merging.ids[first:stop].tolist()
        bounds = merging.token_bounds[first : stop + 1]
    data = part.data
    starts, ends = bounds[:-1], bounds[1:]
    if part.raw is not None:
        firsts, lasts = np.zeros_like(starts), np.zeros_like(ends)
    else:
        begins = _character_starts(data)
        firsts = np.searchsorted(begins, starts, side="right") - 1
        lasts = np.searchsorted(begins, ends, side="left")
    rows = np.stack((starts, ends, firsts, lasts), axis=1)
    if part.edited is not None:
        return _edited_spans(part, ids, rows)
    byte, character = part.byte_start, part.start
    return tuple(
        TokenSpan(token, byte + a, byte + b, character + first, character + last, data[a:b])
        for token, (a, b, first, last) in zip(ids, rows.tolist(), strict=True)
    )


def tokens_at(
    part: Part, merging: Merging, inside: tuple[int, int], *, most: int | None = None
) -> tuple[TokenSpan, ...]:
    """The tokens of a piece that overlap some of its bytes, or the first few of them."""
    bounds = merging.token_bounds
    first = int(np.searchsorted(bounds, inside[0], side="right")) - 1
    last = int(np.searchsorted(bounds, inside[1], side="left"))
    last = max(last, first + 1)
    return token_spans(part, merging, first, last if most is None else min(last, first + most))


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

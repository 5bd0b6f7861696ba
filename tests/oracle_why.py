"""A plain second opinion on *why is this not one token?*: everything tried, nothing shared.

It imports nothing of the program. A text is a list of characters that know where they came from,
a piece a list of (start, end, id) intervals, and merges are replayed one pair at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import regex

from tests.oracle_analysis import (
    PlainTable,
    encode_piece,
    first_symbols,
    parts,
    steps,
    steps_of,
)

Char = tuple[str, int, int]  # a character that is merged, and what it stands for in the text


@dataclass(frozen=True)
class Answer:
    """The first reason that holds.

    `rank` is the merge that absorbed, took or won; `own` that which had made the token; `named`
    the one token, the special, the whole piece or the token that no merge makes; `cuts` where the
    pattern cuts.
    """

    kind: str
    rank: int | None = None
    own: int | None = None
    named: int | None = None
    cuts: tuple[int, ...] = ()


@dataclass(frozen=True)
class Piece:
    """Characters that merges see together, or a special."""

    chars: list[Char]
    special: int | None = None

    @property
    def text(self) -> str:
        return "".join(char for char, _, _ in self.chars)

    def inside(self, start: int, end: int) -> tuple[int, int]:
        """The bytes of the characters that stand for some of start:end."""
        first = last = position = 0
        for char, a, b in self.chars:
            after = position + len(char.encode())
            if a < end and b > start:
                first, last = (first, after) if last else (position, after)
            position = after
        return first, last

    def stands_for(self, first: int, last: int) -> tuple[int, int]:
        """What the characters of some bytes stand for."""
        position, spans = 0, []
        for char, a, b in self.chars:
            after = position + len(char.encode())
            if position < last and after > first:
                spans.append((a, b))
            position = after
        return spans[0][0], spans[-1][1]


def why(
    table: PlainTable, text: str, start: int, end: int, allowed: tuple[str, ...] = ()
) -> tuple[str, int | None]:
    """The kind of the first reason that holds, and the rank of the merge that decides."""
    found = answer(table, text, start, end, allowed)
    return found.kind, found.rank


def answer(
    table: PlainTable, text: str, start: int, end: int, allowed: tuple[str, ...] = ()
) -> Answer:
    """The first reason that holds why ``text[start:end]`` is not one token."""
    touched = [
        piece
        for piece in pieces(table, text, allowed)
        if any(a < end and b > start for _, a, b in piece.chars)
    ]
    tokens = [span for piece in touched for span in _tokens(table, piece, start, end)]
    if len(tokens) == 1 and tokens[0][:2] == (start, end):
        return Answer("one-token", named=tokens[0][2])
    special = next((piece.special for piece in touched if piece.special is not None), None)
    if special is not None:
        return Answer("special", named=special)
    chars = [c for piece in touched for c, a, b in piece.chars if a < end and b > start]
    then = _of_pieces(table, touched, start, end) if chars else Answer("")
    if "".join(chars) != text[start:end]:
        return Answer("normalized", then.rank, then.own, then.named, then.cuts)
    return then


def pieces(table: PlainTable, text: str, allowed: tuple[str, ...] = ()) -> Iterator[Piece]:
    """Specials and the matches of the pattern; specials and edits do not come together here."""
    if not (table.edits or table.prefix):
        for part in parts(table, text, allowed):
            chars = [(c, part.start + n, part.start + n + 1) for n, c in enumerate(part.text)]
            yield Piece(chars, part.special)
        return
    assert not allowed
    chars = [(char, 0, 0) for char in table.prefix]
    for place, char in enumerate(text):
        chars += [(new, place, place + 1) for new in table.edits.get(char, char)]
    for match in regex.finditer(table.expression, "".join(char for char, _, _ in chars)):
        yield Piece(chars[match.start() : match.end()])


def _tokens(table: PlainTable, piece: Piece, start: int, end: int) -> list[tuple[int, int, int]]:
    """What the tokens stand for that hold some of start:end, and their ids."""
    if piece.special is not None:
        return [(piece.chars[0][1], piece.chars[-1][2], piece.special)]
    first, last = piece.inside(start, end)
    found = encode_piece(table, piece.text.encode())
    return [(*piece.stands_for(a, b), t) for a, b, t in found if a < last and b > first]


def _of_pieces(table: PlainTable, touched: list[Piece], start: int, end: int) -> Answer:
    if len(touched) > 1:
        return Answer("pattern-cut", cuts=tuple(piece.chars[0][1] for piece in touched[1:]))
    data = touched[0].text.encode()
    first, last = touched[0].inside(start, end)
    mark = table.word_end if last == len(data) else b""
    token = table.find(data[first:last] + mark)
    if token is None:
        return Answer("no-such-token")
    whole = table.find(data) if table.whole_piece_first else None
    if whole is not None:
        return Answer("whole-piece", named=whole)
    if token not in table.built:
        kind = "whole-piece" if table.whole_piece_first else "no-merge"
        return Answer(kind, named=token)
    return _by_merges(table, data, first, last, token)


def _by_merges(table: PlainTable, data: bytes, start: int, end: int, token: int) -> Answer:
    base = first_symbols(table, data)
    joins = [(step.rank, *place) for step in steps(table, data) for place in step.joined]
    made = [("", *symbol[:2]) for symbol in base] + [(r, a, b) for r, a, _, b in joins]
    formed = next((rank for rank, a, b in made if (a, b) == (start, end)), None)
    if formed is not None:
        rest = joins if formed == "" else joins[joins.index(_join(joins, start, end)) + 1 :]
        absorbing = next((r for r, a, _, b in rest if a <= start and b >= end), None)
        return Answer("absorbed", absorbing, None if formed == "" else formed)
    own = max((rank for rank, merge in enumerate(table.merges) if merge[2] == token), default=-1)
    taking = [
        (rank, left)
        for rank, left, middle, right in joins
        if (middle == start and right <= end) or (middle == end and left >= start)
    ]
    for rank, left in taking:
        if rank < own or (rank == own and left < start):
            return Answer("taken", rank, own)
    inside = [(a - start, b - start, t) for a, b, t in base if start <= a and b <= end]
    if not table.word_end:
        inside = first_symbols(table, data[start:end])
    alone = [place for step in steps_of(table, inside) for place in step.joined]
    if any((a, b) == (0, end - start) for a, _, b in alone):
        # Only where parts come later than what is made of them.
        return Answer("taken", taking[0][0], own)
    return Answer("inner-merge")


def _join(
    joins: list[tuple[int, int, int, int]], start: int, end: int
) -> tuple[int, int, int, int]:
    return next(join for join in joins if (join[1], join[3]) == (start, end))

"""Why is this a token at all: what it was made of, what earned it, and where it lives on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Making:
    """A merge that makes a token.

    Attributes
    ----------
    rank, left, right, id : int
    count, applied : int or None
        The pair count and the applied count in training; None where no record is kept.
    """

    rank: int
    left: int
    right: int
    id: int
    count: int | None = None
    applied: int | None = None


@dataclass(frozen=True, slots=True)
class PieceUse:
    """A piece of the training corpus in which the merge fired.

    Attributes
    ----------
    piece : bytes
    count : int
        How often the corpus has the piece.
    applied : int
        How often the merge fired in one such piece.
    files : tuple of (name, count)
        Where it comes from, the files with most of it first; empty where nobody asked.
    """

    piece: bytes
    count: int
    applied: int
    files: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class History:
    """What is known of a token from its table, and from a corpus where one was read.

    Attributes
    ----------
    token : int
    data : bytes
    base : bool
        It is a base symbol.
    special : bool
    makings : tuple of Making
        Every merge that makes it, by rank.
    ancestry : tuple of Making
        The merges on the way, each after those of its parts; where a token has several, the first
        by rank that can be built. The last is the token's own.
    next_makings : tuple of Making
        The merges that use it as a part, by rank; at most the first few.
    next_total : int
        How many merges use it as a part.
    longer_total : int
        How many tokens of the table contain its bytes, itself not counted.
    longer : tuple of int
        The first few of them, shortest first.
    earned : tuple of PieceUse or None
        The pieces in which its merge fired most, with a corpus; None without one.
    earned_pieces, earned_applied : int
        In how many distinct pieces it fired, and how often in all.
    """

    token: int
    data: bytes
    base: bool
    special: bool
    makings: tuple[Making, ...]
    ancestry: tuple[Making, ...]
    next_makings: tuple[Making, ...]
    next_total: int
    longer_total: int
    longer: tuple[int, ...]
    earned: tuple[PieceUse, ...] | None = None
    earned_pieces: int = 0
    earned_applied: int = 0

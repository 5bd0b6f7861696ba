"""Why is this a token at all: what it was made of, what earned it, and where it lives on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.ancestry import derivation, way_taken
from bpe_studio.analysis.building import first_ids
from bpe_studio.bpe.tokenizer import Tokenizer

MOST_TOLD: Final = 20
NOT_ALONE: Final = (
    "Its own bytes, merged alone, do not become it; told is one possible way, which other text "
    "around it may take."
)
_FEW: Final = 64  # so few are compared one by one


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
        The merges on the way, each after those of its parts; the last is the token's own. Those
        that happen when its own bytes are merged, in order of time; where these do not end in it,
        the way that is complete with the fewest first merges.
    next_makings : tuple of Making
        The merges that use it as a part, by rank; at most the first few.
    next_total : int
        How many merges use it as a part.
    longer_total : int
        How many tokens of the table contain its bytes, itself not counted.
    longer : tuple of int
        The first few of them, shortest first.
    made_alone : bool
        Whether merging its own bytes, as a piece, ends in it; so it does for a base symbol.
    earned : tuple of PieceUse or None
        The pieces in which its merge fired most, with a corpus; None without one.
    earned_pieces, earned_applied : int
        In how many distinct pieces it fired, and how often in all.
    earned_hold_out : float
        The share of the corpus's documents that was passed over, as training has held it out.
    earned_in_training : bool or None
        Whether the corpus is the one of the training; None where no record tells.
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
    made_alone: bool = True
    earned: tuple[PieceUse, ...] | None = None
    earned_pieces: int = 0
    earned_applied: int = 0
    earned_hold_out: float = 0.0
    earned_in_training: bool | None = None


def history(tokenizer: Tokenizer, token: int) -> History:
    """What the table and the training record know of a token.

    Raises
    ------
    ValueError
        No token has this id.
    """
    data = tokenizer.token_bytes(token)
    if tokenizer.is_special(token):
        return History(token, data, False, True, (), (), (), 0, 0, (), made_alone=False)
    table = tokenizer.table
    merges = table.merges
    uses = table.ranks_at(np.flatnonzero((merges[:, 0] == token) | (merges[:, 1] == token)))
    longer, base = _longer(tokenizer, data), first_ids(tokenizer)
    makings = table.ranks_of(token)
    taken = way_taken(tokenizer, token) if makings else None
    way = derivation(table, token, base) if makings and taken is None else taken or []
    return History(
        token=token,
        data=data,
        base=token in base,
        special=False,
        makings=tuple(making(tokenizer, rank) for rank in makings),
        ancestry=tuple(making(tokenizer, rank) for rank in way),
        next_makings=tuple(making(tokenizer, rank) for rank in uses[:MOST_TOLD].tolist()),
        next_total=len(uses),
        longer_total=len(longer),
        longer=tuple(longer[:MOST_TOLD].tolist()),
        made_alone=token in base if not makings else taken is not None,
    )


def making(tokenizer: Tokenizer, rank: int) -> Making:
    """A merge of the table, with what its training counted."""
    left, right, new = tokenizer.table.merge_of(rank)
    record = tokenizer.training
    if record is None or rank >= len(record.counts):
        return Making(rank, left, right, new)
    return Making(rank, left, right, new, int(record.counts[rank]), int(record.applied[rank]))


def _longer(tokenizer: Tokenizer, data: bytes) -> NDArray[np.int32]:
    """The ids of the tokens that contain some bytes and more, shortest first."""
    table = tokenizer.table
    if not data:
        return table.ids[:0]
    offsets = table.token_offsets
    places = find_all(table.token_data, data)
    tokens = np.searchsorted(offsets, places, side="right") - 1
    inside = places + len(data) <= offsets[tokens + 1]
    found = np.unique(tokens[inside])
    lengths = offsets[found + 1] - offsets[found]
    found, lengths = found[lengths > len(data)], lengths[lengths > len(data)]
    ids: NDArray[np.int32] = table.ids[found[np.argsort(lengths, kind="stable")]]
    return ids


def find_all(
    data: NDArray[np.uint8], wanted: bytes, places: NDArray[np.int64] | None = None
) -> NDArray[np.int64]:
    """Every place at which some bytes are, overlapping ones too.

    Parameters
    ----------
    places : int64 array, optional
        The only places that are looked at; from each, `wanted` must fit into the data.

    >>> find_all(np.frombuffer(b"banana", dtype=np.uint8), b"ana")
    array([1, 3])
    """
    if places is None:
        last = len(data) - len(wanted) + 1
        places = np.flatnonzero(data[: max(last, 0)] == wanted[0]).astype(np.int64)
    for number, byte in enumerate(wanted):
        if len(places) < _FEW:
            break
        places = places[data[places + number] == byte]
    raw = (data[at : at + len(wanted)].tobytes() == wanted for at in places.tolist())
    few = len(places) < _FEW
    return places[np.fromiter(raw, dtype=np.bool_, count=len(places))] if few else places

"""The merges of a table sorted by how often their tokens are used, and what that breaks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice, zip_longest
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.scanner import split_pieces
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer

_MOST_TRIED: Final = 4000
Pair = tuple[bytes, bytes]


@dataclass(frozen=True, slots=True)
class OtherCut:
    """A text that the sorted merges cut differently, and the two merges that changed places.

    `first` is the one that fired, and `instead` the one that fires now; None where the merges
    alone do not show it.
    """

    text: str
    first: Pair | None
    instead: Pair | None


def resorted(tokenizer: Tokenizer, corpus: str) -> Tokenizer | None:
    """The tokenizer with the merge of the most frequent token of a text first, and so on.

    Merges of equally frequent tokens stay in their order, and tokens keep their ids; None where
    nothing moves.
    """
    table = tokenizer.table
    used = Counter(tokenizer.encode_array(corpus).tolist())
    frequency = np.array([used[new] for new in table.merges[:, 2].tolist()], dtype=np.int64)
    order = np.argsort(-frequency, kind="stable")
    if np.array_equal(order, np.arange(len(order))):
        return None
    return replace(tokenizer, table=_with_merges(table, table.merges[order]), training=None)


def first_other_cut(tokenizer: Tokenizer, other: Tokenizer, corpus: str) -> OtherCut | None:
    """The first of the texts tried that the two cut differently.

    Tried are the pieces of a text, short ones first, then every three symbols of which the first
    two and the last two are merges that changed places.
    """
    pieces = sorted(set(split_pieces(tokenizer.pattern, corpus)), key=len)
    for group in (pieces, _contested(tokenizer.table, other.table)):
        tried = list(islice(group, _MOST_TRIED))
        cuts = zip(tried, tokenizer.encode_many(tried), other.encode_many(tried), strict=True)
        for text, mine, theirs in cuts:
            if not np.array_equal(mine, theirs):
                return _explained(tokenizer, other, text)
    return None


def renumbered(tokenizer: Tokenizer, other: Tokenizer, ids: list[int]) -> list[int]:
    """The ids that tokens have where they are numbered in the order of the other's merges."""
    mine = tokenizer.table.merges[:, 2].tolist()
    theirs = other.table.merges[:, 2].tolist()
    numbers = dict(zip(theirs, mine, strict=True))
    return [numbers.get(token, token) for token in ids]


def _with_merges(table: MergeTable, merges: NDArray[np.int32]) -> MergeTable:
    return MergeTable(
        base=table.base,
        byte_ids=table.byte_ids,
        char_ids=table.char_ids,
        merges=merges,
        token_ids=table.ids,
        token_data=table.token_data,
        token_offsets=table.token_offsets,
    )


def _contested(table: MergeTable, other: MergeTable) -> Iterator[str]:
    """Texts of three symbols, in which two merges want the middle one and have swapped places."""
    rows = table.merges.tolist()
    ranks = other.merge_ranks
    places = [ranks[left, right][0] for left, right, _ in rows]
    last = -1
    for rank, place in enumerate(places):
        if place > last:
            last = place
            continue  # it comes after all that it has come after
        left, right, _ = rows[rank]
        after = np.flatnonzero(table.merges[:, 0] == right).tolist()
        before = np.flatnonzero(table.merges[:, 1] == left).tolist()
        for beside, symbols in (
            *((one, (left, right, rows[one][1])) for one in after),
            *((one, (rows[one][0], left, right)) for one in before),
        ):
            if beside < rank and places[beside] > place:
                data = b"".join(map(table.token_bytes, symbols))
                text = data.decode("utf-8", "ignore")
                if text.encode() == data:
                    yield text


def _explained(tokenizer: Tokenizer, other: Tokenizer, text: str) -> OtherCut:
    """Up to the first step that differs both stood alike, so both pairs were there."""
    name = tokenizer.token_bytes
    for piece in split_pieces(tokenizer.pattern, text):
        data = piece.encode()
        for mine, theirs in zip_longest(tokenizer.trace(data), other.trace(data)):
            if mine is None or theirs is None:
                break
            if (mine.left, mine.right) != (theirs.left, theirs.right):
                first = name(mine.left), name(mine.right)
                return OtherCut(text, first, (name(theirs.left), name(theirs.right)))
    return OtherCut(text, None, None)

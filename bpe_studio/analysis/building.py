"""Can merges build a token at all, and if so, which merge spoils it on the token's own bytes?"""

from __future__ import annotations

from collections.abc import Container, Generator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.merging import Event
from bpe_studio.analysis.naming import merge_name, token_name
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer


def missing_part(table: MergeTable, token: int, base: Container[int] | None = None) -> int | None:
    """The first token on the way to `token` that no merge makes; None where merges can build it.

    A token with several merges can be built if one of them can.

    Parameters
    ----------
    base : ids, optional
        What merging begins with, where one knows it already.
    """
    base = base_symbols(table) if base is None else base
    known: dict[int, int | None] = {}
    waiting = [token]
    while waiting:
        top = waiting[-1]
        rows = [table.merge_of(rank) for rank in table.ranks_of(top)]
        if top in base:
            known[top] = None
        elif not rows:
            known[top] = top
        else:
            unknown = [p for row in rows for p in row[:2] if p not in known]
            if unknown:
                waiting += unknown
                continue
            gaps = [next((known[p] for p in row[:2] if known[p] is not None), None) for row in rows]
            known[top] = None if None in gaps else gaps[0]
        waiting.pop()
    return known[token]


def base_symbols(table: MergeTable) -> set[int]:
    """The ids that merging begins with, in a table without marks at words."""
    return {*table.byte_ids.tolist(), *table.char_ids.values()} - {-1}


def first_ids(tokenizer: Tokenizer) -> set[int]:
    """The ids that merging begins with, those with a mark of a word's begin or end too."""
    table, rules = tokenizer.table, tokenizer.rules
    found = base_symbols(table)
    if rules.word_prefix or rules.word_end:
        for token, data in zip(table.ids.tolist(), table.token_list, strict=True):
            bare = bare_bytes(tokenizer, data)
            single = bare.decode("utf-8", "replace") if table.base == "chars" else bare
            if len(single) == 1 and not table.ranks_of(token):
                found.add(token)
    return found


def bare_bytes(tokenizer: Tokenizer, data: bytes) -> bytes:
    """The bytes of a token without the marks that some vocabularies write at parts of words."""
    rules = tokenizer.rules
    return data.removeprefix(rules.word_prefix.encode()).removesuffix(rules.word_end.encode())


def no_merge_sentence(tokenizer: Tokenizer, token: int, missing: int) -> str:
    """Says which token on the way no merge makes."""
    name = token_name(tokenizer, token)
    if missing == token:
        return f"{name} is in the table, but no merge makes it."
    rank = tokenizer.table.ranks_of(token)[0]
    return (
        f"{name} is made by {merge_name(tokenizer, rank)}, but on the way to it no merge makes "
        f"{token_name(tokenizer, missing)}."
    )


@dataclass(frozen=True, slots=True)
class Culprit:
    """The merge that won inside a token, and the rank of the merge that lost its parts to it."""

    event: Event
    own_rank: int


def find_culprit(
    tokenizer: Tokenizer,
    alone: list[Event],
    token: int,
    end: int,
    *,
    built: NDArray[np.bool_] | None = None,
) -> Culprit | None:
    """Why merges do not give a token on its own bytes, though they can build it.

    None where its bytes are no symbols there, because a chars base has the whole character.

    Parameters
    ----------
    alone : what happens when the token's bytes are a piece
    token : a token that is not among it; its bytes end at `end`
    built : as `iter_built`, where one knows it already
    """
    table, base = tokenizer.table, first_ids(tokenizer)
    start = 0
    late: Culprit | None = None
    while True:
        own = first_buildable(table, token, base, built)
        left, right, _ = table.merge_of(own)
        middle = start + len(bare_bytes(tokenizer, table.token_bytes(left)))
        across = [e for e in alone if e.within(start, end) and e.start < middle < e.end]
        early = next((e for e in across if e.rank < own), None)
        if early is not None:
            return Culprit(early, own)
        late = late or next((Culprit(e, own) for e in across), None)
        made = {(e.start, e.end, e.id) for e in alone}
        if (start, middle, left) not in made and table.ranks_of(left):
            token, end = left, middle
        elif (middle, end, right) not in made and table.ranks_of(right):
            token, start = right, middle
        else:
            # Only where a part comes at a higher rank than what is made of it.
            taken = (e for e in alone if e.start < start < e.end or e.start < end < e.end)
            return next((Culprit(e, own) for e in taken), late)


def first_buildable(
    table: MergeTable,
    token: int,
    base: Container[int] | None = None,
    built: NDArray[np.bool_] | None = None,
) -> int:
    """The lowest of a token's merges whose parts can be built."""
    ranks = table.ranks_of(token)
    for rank in ranks if len(ranks) > 1 else ():
        left, right, _ = table.merge_of(rank)
        if built is not None:
            if built[table.index_of(left)] and built[table.index_of(right)]:
                return rank
        elif all(missing_part(table, part, base) is None for part in (left, right)):
            return rank
    return ranks[0]


def iter_built(
    table: MergeTable, base: NDArray[np.bool_]
) -> Generator[None, None, NDArray[np.bool_]]:
    """Which tokens some chain of merges leads to, in slices; all in the order of the table's ids.

    Parameters
    ----------
    base : what merging begins with
    """
    merges = table.dense_merges
    built = base.copy()
    known = -1
    while (count := int(np.count_nonzero(built))) > known:
        known = count
        yield
        ready = built[merges[:, 0]] & built[merges[:, 1]]
        built[merges[ready, 2]] = True
    return built


def base_of(tokenizer: Tokenizer) -> NDArray[np.bool_]:
    """As `first_ids`, in the order of the table's ids."""
    base = np.zeros(len(tokenizer.table), dtype=np.bool_)
    ids = np.array(sorted(first_ids(tokenizer)), dtype=np.int32)
    base[tokenizer.table.ids.searchsorted(ids)] = True
    return base

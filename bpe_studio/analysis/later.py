"""What a vocabulary of some size does not have yet, and what its whole table says of that."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bpe_studio.analysis.building import first_ids, missing_part, no_merge_sentence
from bpe_studio.analysis.naming import merge_name, quoted, token_name
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["buildable_from", "not_led_to", "not_yet"]


def not_yet(tokenizer: Tokenizer, data: bytes) -> tuple[int, str] | None:
    """Of bytes that are a token of the whole table only: its first rank, and a sentence.

    None for a tokenizer that is no prefix, and where the whole table has no such token either.
    """
    whole = _whole(tokenizer)
    token = None if whole is None else whole.table.find(data)
    if whole is None or token is None or token in tokenizer.table:
        return None
    ranks = whole.table.ranks_of(token)
    if not ranks:
        return None
    sentence = (
        f"The vocabulary of this size does not have {quoted(data)} (id {token:,}) yet: "
        f"{merge_name(whole, ranks[0])} makes it, from a vocabulary of "
        f"{_size_of(whole, ranks[0] + 1):,} on."
    )
    built = buildable_from(whole, token)
    if tokenizer.engine == "merges" and built is not None and built > ranks[0] + 1:
        sentence += f" All merges that lead to it are there from {_size_of(whole, built):,} on."
    return ranks[0], sentence


def not_led_to(tokenizer: Tokenizer, token: int) -> str:
    """Why no chain of merges of a prefix leads to a token that it has; "" where that is not why."""
    whole = _whole(tokenizer)
    if whole is None:
        return ""
    built = buildable_from(whole, token)
    if built is None:
        missing = missing_part(whole.table, token, first_ids(whole))
        return "" if missing is None else no_merge_sentence(whole, token, missing)
    return (
        f"{token_name(whole, token)} is in the vocabulary of this size, but its merges do not lead "
        f"to it yet: the last one on the way is {merge_name(whole, built - 1)}, so they do from a "
        f"vocabulary of {_size_of(whole, built):,} on."
    )


def buildable_from(tokenizer: Tokenizer, token: int) -> int | None:
    """With how many first merges there is a chain of merges to a token; None: there never is.

    Where a token has several merges, the chain that is complete first counts.
    """
    table, base = tokenizer.table, first_ids(tokenizer)
    known: dict[int, int | None] = {}
    waiting = [token]
    while waiting:
        top = waiting[-1]
        if top in known or top in base:
            known.setdefault(top, 0)
            waiting.pop()
            continue
        ways = [(rank, table.merge_of(rank)[:2]) for rank in table.ranks_of(top)]
        unknown = [part for _, parts in ways for part in parts if part not in known]
        if unknown:
            waiting += unknown
            continue
        needs = [(rank + 1, *(known[part] for part in parts)) for rank, parts in ways]
        complete = [max(n for n in need if n is not None) for need in needs if None not in need]
        known[top] = min(complete, default=None)
        waiting.pop()
    return known[token]


def _whole(tokenizer: Tokenizer) -> Tokenizer | None:
    """The tokenizer that a prefix is of, as far as its tokens and merges go."""
    cut_from = tokenizer.table.cut_from
    return None if cut_from is None else replace(tokenizer, table=cut_from.table, training=None)


def _size_of(whole: Tokenizer, merges: int) -> int:
    """The vocabulary size of the first merges of a table."""
    return int(np.count_nonzero(whole.table.made_at <= merges)) + len(whole.special_ids)

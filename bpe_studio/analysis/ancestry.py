"""From what a token was merged: the way that its own bytes go, or else a possible one."""

from __future__ import annotations

from collections.abc import Container
from math import inf

from bpe_studio.analysis.building import bare_bytes
from bpe_studio.analysis.merging import merging_of
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["derivation", "way_taken"]


def way_taken(tokenizer: Tokenizer, token: int) -> list[int] | None:
    """The ranks of the merges that make a token of its own bytes, each once, in order of time.

    None where merging these bytes ends in something else.
    """
    try:
        merging = merging_of(tokenizer, bare_bytes(tokenizer, tokenizer.token_bytes(token)))
    except ValueError:  # a byte that the table lacks
        return None
    if merging.ids.tolist() != [token]:
        return None
    rows = merging.trace.joins[:, 0].astype("int64")
    return list(dict.fromkeys(tokenizer.table.ranks_at(rows).tolist()))


def derivation(table: MergeTable, token: int, base: Container[int]) -> list[int]:
    """The ranks of merges that lead to a token, each after those of its parts.

    Of several merges that make the same, the one whose whole way is there first: that of the
    lowest largest rank. What no chain of merges leads to is left as it is.
    """
    needs: dict[int, float] = {}
    chosen: dict[int, int] = {}
    waiting = [token]
    while waiting:
        top = waiting[-1]
        ranks = () if top in base and top != token else table.ranks_of(top)
        parts = [part for rank in ranks for part in table.merge_of(rank)[:2]]
        unknown = [part for part in parts if part not in needs]
        if unknown and top not in needs:
            waiting += unknown
            continue
        waiting.pop()
        ways = [
            (max(rank + 1.0, *(needs[part] for part in table.merge_of(rank)[:2])), rank)
            for rank in ranks
        ]
        needs[top], rank = min(ways, default=(0.0 if top in base else inf, -1))
        if rank >= 0:
            chosen[top] = rank
    way: set[int] = set()
    waiting = [token]
    while waiting:
        top = waiting.pop()
        if top in chosen and top not in way:
            way.add(top)
            waiting += table.merge_of(chosen[top])[:2]
    # A part needs no more than what is made of it, and is shorter.
    ordered = sorted(way, key=lambda made: (needs[made], len(table.token_bytes(made))))
    return [chosen[made] for made in ordered]

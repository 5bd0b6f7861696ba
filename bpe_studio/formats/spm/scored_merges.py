"""Pieces with scores → merges by rank, for engines that join whatever makes a piece.

SentencePiece joins the two neighbours whose text together is the piece of the best score, and of
equal scores the leftmost. A table of merges does the same where no two scores are equal; where
they are, only for runs of one character, which many files leave without a score of their own.
"""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Collection, Sequence
from itertools import groupby, pairwise

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.recover import recover_merges

__all__ = ["TiedScoresError", "may_be_made", "merges_by_score"]

Merges = NDArray[np.int32]

_LONGEST_RUN = 64


class TiedScoresError(ValueError):
    """Equal scores that ranks cannot stand for; the message is a sentence about the pieces."""


def merges_by_score(
    texts: Sequence[str],
    scores: Sequence[float],
    ids: Sequence[int],
    *,
    report: Callable[[float], None] | None = None,
) -> Merges:
    """Rows (left id, right id, new id) by rank, one for each piece that text can make.

    Parameters
    ----------
    texts, scores, ids : sequences of one length
        Every piece that may be joined or is one character; no text twice.

    Raises
    ------
    TiedScoresError
        Scores are equal where it matters.
    """
    order = sorted(
        (place for place, text in enumerate(texts) if len(text) > 1),
        key=scores.__getitem__,
        reverse=True,
    )
    run = _tied_run(order, texts, scores)
    ranked = [place for place, text in enumerate(texts) if len(text) == 1]
    first = len(ranked)
    ranked += order
    parts = recover_merges([texts[place] for place in ranked], report=report)
    numbers = np.array([ids[place] for place in ranked], dtype=np.int32)
    made = np.flatnonzero(parts[:, 0] >= 0)
    rows = np.column_stack((numbers[parts[made]], numbers[made])).astype(np.int32)
    if not run:
        return rows
    begin = int(np.searchsorted(made, first + order.index(run[0])))
    end = int(np.searchsorted(made, first + order.index(run[-1]), side="right"))
    id_of_length = {len(texts[place]): ids[place] for place in run}
    char = texts[run[0]][0]
    id_of_length[1] = ids[texts.index(char)]
    of_run = [
        (id_of_length[left], id_of_length[right], id_of_length[left + right])
        for left, right in _run_merges(set(id_of_length)) or ()
    ]
    return np.concatenate((rows[:begin], np.array(of_run, dtype=np.int32), rows[end:]))


def _tied_run(order: Sequence[int], texts: Sequence[str], scores: Sequence[float]) -> list[int]:
    """The places of the pieces that share a score and are runs of one character; of all others
    no two may."""
    found: list[int] = []
    known = set(texts)
    for _, places in groupby(order, key=scores.__getitem__):
        group = list(places)
        if len(group) > 1:
            group = [place for place in group if may_be_made(texts[place], known)]
        if len(group) < 2:
            continue
        char = texts[group[0]][0]
        two = char * 2
        if (
            found
            or any(texts[place].strip(char) for place in group)
            or sum(two in texts[place] for place in order) > len(group)
            or char not in texts
            or _run_merges({1, *(len(texts[place]) for place in group)}) is None
        ):
            first, second = (reprlib.repr(texts[place]) for place in group[:2])
            raise TiedScoresError(
                f"The pieces {first} and {second} have one score, so that which of them is "
                "made depends on their place in the text, and ranks cannot say that."
            )
        found = group
    return found


def may_be_made(text: str, known: Collection[str]) -> bool:
    """Whether two of these texts make the text."""
    return any(text[:at] in known and text[at:] in known for at in range(1, len(text)))


def _run_merges(lengths: set[int]) -> list[tuple[int, int]] | None:
    """Merges (left length, right length) by rank that do to every run of one character what
    taking the leftmost pair again and again does; None where these two ways do not."""
    longest = max(lengths)
    if longest > _LONGEST_RUN:
        return None
    for merges in (_by_doubling(lengths), _from_the_left(lengths)):
        ranks = {pair: rank for rank, pair in enumerate(merges)}
        if all(_by_rank(n, ranks) == _leftmost(n, lengths) for n in range(2, 3 * longest)):
            return merges
    return None


def _by_doubling(lengths: set[int]) -> list[tuple[int, int]]:
    """Each from earlier ones: halves, and then the rest of a run joins from its left, the longest
    parts first."""
    doubled = [(n // 2, n // 2) for n in sorted(lengths) if n > 1 and n & (n - 1) == 0]
    others = [n for n in lengths if n & (n - 1) and n - (n & -n) in lengths]
    others.sort(key=lambda n: (-(n & -n), -n))
    return [*doubled, *((n - (n & -n), n & -n) for n in others)]


def _from_the_left(lengths: set[int]) -> list[tuple[int, int]]:
    """What is longest grows first."""
    return [(n - 1, 1) for n in sorted(lengths, reverse=True) if n > 1]


def _by_rank(count: int, rank_of: dict[tuple[int, int], int]) -> list[int]:
    run = [1] * count
    none = len(rank_of)
    while len(run) > 1:
        ranks = [rank_of.get(pair, none) for pair in pairwise(run)]
        if (best := min(ranks)) == none:
            break
        at = ranks.index(best)
        run[at : at + 2] = [run[at] + run[at + 1]]
    return run


def _leftmost(count: int, lengths: set[int]) -> list[int]:
    run = [1] * count
    at = 0
    while at + 1 < len(run):
        if run[at] + run[at + 1] in lengths:
            run[at : at + 2] = [run[at] + run[at + 1]]
            at = max(at - 1, 0)
        else:
            at += 1
    return run

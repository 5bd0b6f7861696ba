"""Ranks → merges: which two tokens each token of a rank file is made of.

A rank file tells only which tokens there are, and in which order they may be made. An encoder of
such files joins any two neighbours whose bytes together are a token, the one of lowest rank first.
Within the bytes of a token that always goes the same way, whatever stands around it, or else the
token is not made there. So the last two parts that are left of the token alone, encoded with all
others, are the only ones that it is ever made of. Where all others are of a lower rank it comes to
the same as "encoded with only the ranks below its own".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heapify, heappop, heappush
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["recover_merges"]

# From this length on a heap is quicker than looking at all pairs again.
_LONG: Final = 192
_VERY_LONG: Final = 1 << 12
_NO_RANK: Final = 1 << 62
_REPORT_EVERY: Final = 1 << 16  # symbols

# Pairs are keys of a dict as one number: left << _SHIFT | right.
_SHIFT: Final = 32
Pairs = dict[int, int]


def recover_merges(
    tokens: Sequence[bytes] | Sequence[str],
    *,
    report: Callable[[float], None] | None = None,
) -> NDArray[np.int32]:
    """The two parts of every token.

    Parameters
    ----------
    tokens : sequence of bytes, or of str
        In the order of their ranks, each once. Those of length 1 are the base symbols.
    report : callable, optional
        Told how much is done, from 0 to 1.

    Returns
    -------
    int32 array, shape (len(tokens), 2)
        The places of the left and of the right part among the tokens; (-1, -1) for a base symbol,
        and for a token that nothing makes.

    Examples
    --------
    >>> recover_merges([b"a", b"b", b"c", b"bc", b"ab", b"abc"])[3:].tolist()
    [[1, 2], [0, 1], [0, 3]]
    """
    symbols = {token[0]: place for place, token in enumerate(tokens) if len(token) == 1}
    parts = np.full((len(tokens), 2), -1, dtype=np.int32)
    pairs: Pairs = {}
    lefts: list[int] = []
    rights: list[int] = []
    made: list[int] = []
    in_order = True
    done, all_symbols, next_report = 0, sum(map(len, tokens)), _REPORT_EVERY
    # A token can only be made of shorter ones, and those are known then.
    for place in sorted(range(len(tokens)), key=lambda place: len(tokens[place])):
        token = tokens[place]
        done += len(token)
        if report is not None and done >= next_report:
            report(done / all_symbols)
            next_report = done + _REPORT_EVERY
        if len(token) < 2:
            continue
        try:
            row = [symbols[symbol] for symbol in token]
        except KeyError:  # a base symbol that the table lacks
            continue
        if in_order and len(row) >= _VERY_LONG:
            row = _join_frequent(row, pairs)
        if len(row) > 2:
            row = _leave_two(row, pairs) if len(row) < _LONG else _leave_two_of_many(row, pairs)
        if len(row) == 2:
            in_order = in_order and place > max(row)
            pairs[row[0] << _SHIFT | row[1]] = place
            lefts.append(row[0])
            rights.append(row[1])
            made.append(place)
    parts[made, 0] = lefts
    parts[made, 1] = rights
    return parts


def _leave_two(row: list[int], pairs: Pairs) -> list[int]:
    """Merges by rank until two parts are left, or nothing more can be merged."""
    get = pairs.get
    ranks = [get(a << _SHIFT | b, _NO_RANK) for a, b in pairwise(row)]
    while len(row) > 2:
        best = min(ranks)
        if best == _NO_RANK:
            break
        at = ranks.index(best)
        row[at] = best
        del row[at + 1], ranks[at]
        if at:
            ranks[at - 1] = get(row[at - 1] << _SHIFT | best, _NO_RANK)
        if at < len(ranks):
            ranks[at] = get(best << _SHIFT | row[at + 1], _NO_RANK)
    return row


def _leave_two_of_many(row: list[int], pairs: Pairs) -> list[int]:
    """As `_leave_two`, in n log n."""
    get = pairs.get
    end = len(row)
    after = [*range(1, end), -1]
    before = [*range(-1, end - 1)]
    # A rank and a place as one number; a pair that has changed since is passed over.
    heap = [
        get(a << _SHIFT | b, _NO_RANK) << _SHIFT | at
        for at, (a, b) in enumerate(pairwise(row))
        if a << _SHIFT | b in pairs
    ]
    heapify(heap)
    left = end
    while heap and left > 2:
        key = heappop(heap)
        at, rank = key & (1 << _SHIFT) - 1, key >> _SHIFT
        right = after[at]
        if row[at] < 0 or right < 0 or get(row[at] << _SHIFT | row[right]) != rank:
            continue
        row[at], row[right] = rank, -1
        left -= 1
        further = after[at] = after[right]
        if further >= 0:
            before[further] = at
            if (new := get(rank << _SHIFT | row[further])) is not None:
                heappush(heap, new << _SHIFT | at)
        if (back := before[at]) >= 0 and (new := get(row[back] << _SHIFT | rank)) is not None:
            heappush(heap, new << _SHIFT | back)
    return [part for part in row if part >= 0]


def _join_frequent(row: list[int], pairs: Pairs) -> list[int]:
    """Joins the pair of lowest rank everywhere at once, as long as it is a good part of the row.

    Only where no token has a part of a higher rank than its own: then what is made has no
    neighbours that would have to be joined before the rest.
    """
    symbols = np.array(row, dtype=np.int64)
    while len(symbols) >= _VERY_LONG:
        kinds, kind_of = np.unique(symbols[:-1] << _SHIFT | symbols[1:], return_inverse=True)
        ranks = np.array([pairs.get(kind, _NO_RANK) for kind in kinds.tolist()])
        best = ranks.min()
        places = np.flatnonzero(kind_of == ranks.argmin())
        if best == _NO_RANK or len(places) * 64 < len(symbols):
            break
        # In a run of one symbol every other pair overlaps the one before it.
        starts = np.append(True, np.diff(places) > 1)
        of_run = np.arange(len(places)) - np.flatnonzero(starts)[np.cumsum(starts) - 1]
        places = places[of_run % 2 == 0]
        symbols[places] = best
        symbols = np.delete(symbols, places + 1)
    left: list[int] = symbols.tolist()
    return left

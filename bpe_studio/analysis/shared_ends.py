"""Where the tokens of two tokenizers end in a text: the places that both have, and spans between.

Several tokens of a tokenizer that edits a text may end at one place, and some in front of all
stand for nothing and end at 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Spans", "only_in", "shared_ends", "spans_of"]


@dataclass(frozen=True, eq=False)
class Spans:
    """The spans between the character borders at which both cut, one after another.

    Attributes
    ----------
    starts : int64 array, shape (n,)
        Characters.
    kinds : int8 array, shape (n,)
        Bit 0: A has ends within that B has not; bit 1: the other way round.
    tokens_a, tokens_b : int64 arrays, shape (n,)
    characters, bytes : int
        How far they reach.
    """

    starts: NDArray[np.int64]
    kinds: NDArray[np.int8]
    tokens_a: NDArray[np.int64]
    tokens_b: NDArray[np.int64]
    characters: int
    bytes: int

    def moved(self, by: int) -> Spans:
        """The same spans of a text that has so many characters before them."""
        return replace(self, starts=self.starts + by)

    @classmethod
    def concatenated(cls, parts: Sequence[Spans]) -> Spans:
        """Those of several texts as of one; each knows where it begins."""
        empty = np.zeros(0, dtype=np.int64)
        starts, tokens_a, tokens_b = (
            np.concatenate([empty, *columns])
            for columns in (
                [part.starts for part in parts],
                [part.tokens_a for part in parts],
                [part.tokens_b for part in parts],
            )
        )
        kinds = np.concatenate([empty.astype(np.int8), *(part.kinds for part in parts)])
        sizes = sum(part.characters for part in parts), sum(part.bytes for part in parts)
        return cls(starts, kinds, tokens_a, tokens_b, *sizes)


def spans_of(
    text: str,
    ends_a: NDArray[np.integer[Any]],
    ends_b: NDArray[np.integer[Any]],
    *,
    whole: bool = True,
) -> Spans:
    """The spans of a text, from where the tokens of each end (bytes, ascending).

    Parameters
    ----------
    whole : whether the text ends with a span, though a tokenizer may leave its end out; else what
        is after the last border of both is no span
    """
    begins = _character_begins(text)
    size = len(begins) - 1
    in_a, in_b = (_there(ends, size) for ends in (ends_a, ends_b))
    both = in_a & in_b
    edges = np.flatnonzero(both & begins)
    edges = np.append(0, edges[edges > 0]).astype(np.int64)
    if whole and edges[-1] < size:
        edges = np.append(edges, size)
    if _repeats(ends_a) or _repeats(ends_b):
        shared = shared_ends(ends_a, ends_b)
        counts_a, counts_b, common = (_ends_in(edges, ends) for ends in (ends_a, ends_b, shared))
    else:
        counts_a, counts_b, common = (_marks_in(edges, there) for there in (in_a, in_b, both))
    before = np.cumsum(begins, dtype=np.int64)[edges] - 1
    return Spans(
        before[:-1],
        _classify(counts_a, counts_b, common),
        counts_a,
        counts_b,
        int(before[-1]),
        int(edges[-1]),
    )


def shared_ends(
    a: NDArray[np.integer[Any]], b: NDArray[np.integer[Any]]
) -> NDArray[np.integer[Any]]:
    """The ends that both have, ascending: one that several tokens have counts so often."""
    (numbered_a, numbered_b), most = _numbered(a, b)
    shared: NDArray[np.integer[Any]] = _common(numbered_a, numbered_b) // most
    return shared


def only_in(one: NDArray[np.integer[Any]], other: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """Which of the ends of one the other does not have, or not so often; as places in `one`."""
    (ours, theirs), _ = _numbered(one, other)
    return np.flatnonzero(~np.isin(ours, theirs)).astype(np.int64)


def _numbered(
    a: NDArray[np.integer[Any]], b: NDArray[np.integer[Any]]
) -> tuple[tuple[NDArray[np.int64], NDArray[np.int64]], int]:
    """Equal ends made different, in the same way in both, and what all were multiplied by."""
    one, other = a.astype(np.int64), b.astype(np.int64)
    if not (_repeats(one) or _repeats(other)):
        return (one, other), 1
    repeats = [np.arange(len(ends)) - np.searchsorted(ends, ends) for ends in (one, other)]
    most = 1 + max(int(numbers.max(initial=0)) for numbers in repeats)
    return (one * most + repeats[0], other * most + repeats[1]), most


def _character_begins(text: str) -> NDArray[np.bool_]:
    """Whether a character begins at each byte; one does, so to say, at the end of the text."""
    data = np.frombuffer(text.encode("utf-8", "surrogatepass"), dtype=np.uint8)
    begins = np.ones(len(data) + 1, dtype=np.bool_)
    np.not_equal(data & 0xC0, 0x80, out=begins[:-1])
    return begins


def _there(ends: NDArray[np.integer[Any]], size: int) -> NDArray[np.bool_]:
    """Whether a token ends at each byte, from 0 to the end of the text."""
    there = np.zeros(size + 1, dtype=np.bool_)
    there[ends] = True
    return there


def _repeats(ends: NDArray[np.integer[Any]]) -> bool:
    """Whether several tokens end at one place."""
    return not bool((ends[1:] > ends[:-1]).all())


def _common(
    one: NDArray[np.integer[Any]], other: NDArray[np.integer[Any]]
) -> NDArray[np.integer[Any]]:
    """What two ascending arrays share; a search in each other, as sorting both takes longer."""
    if not len(other):
        return one[:0]
    at = np.minimum(np.searchsorted(other, one), len(other) - 1)
    shared: NDArray[np.integer[Any]] = one[other[at] == one]
    return shared


def _ends_in(edges: NDArray[np.int64], ends: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """How many ends lie in each span (edge, next edge]; in the first those at 0 too."""
    before = np.searchsorted(ends, edges, side="right")
    before[:1] = 0
    return np.diff(before).astype(np.int64)


def _marks_in(edges: NDArray[np.int64], there: NDArray[np.bool_]) -> NDArray[np.int64]:
    """As `_ends_in`, of ends that are told byte by byte."""
    before = np.cumsum(there, dtype=np.int64)[edges]
    before[:1] = 0
    return np.diff(before)


def _classify(
    a: NDArray[np.int64], b: NDArray[np.int64], common: NDArray[np.int64]
) -> NDArray[np.int8]:
    """The class of each span, from its cuts: those of A, of B, and of both."""
    only_a, only_b = a > common, b > common
    return (only_a * 1 + only_b * 2).astype(np.int8)

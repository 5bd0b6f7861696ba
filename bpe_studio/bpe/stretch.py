"""A stretch of text that is edited and still knows where each character came from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Change = tuple[int, int, str]  # characters from, to, and what they become
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the characters of an edited text came from, in characters of the original.

    Attributes
    ----------
    starts, stops : int64 arrays, one a character
    same : bool array
        Whether it is that very character; else all of it stands for the whole span.
    """

    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    same: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of the original text, as it is by now.

    Attributes
    ----------
    text : str
    begin : int
        The character of the original with which it began.
    origin : Origin or None
        None where nothing has been edited, or nobody wants to know.
    tracked : bool
        Whether somebody wants to know.
    """

    text: str
    begin: int
    tracked: bool
    origin: Origin | None = None

    def edited(self, changes: Sequence[Change]) -> Stretch:
        """With `changes`, which are in order and do not overlap."""
        if not changes:
            return self
        parts: list[str] = []
        done = 0
        for begin, end, new in changes:
            parts += (self.text[done:begin], new)
            done = end
        parts.append(self.text[done:])
        origin = _edited(self._origin(), changes) if self.tracked else None
        return Stretch("".join(parts), self.begin, self.tracked, origin)

    def part(self, begin: int, end: int) -> Stretch:
        """The characters from `begin` to `end`."""
        if self.origin is None:
            return Stretch(self.text[begin:end], self.begin + begin, self.tracked)
        old = self.origin
        origin = Origin(old.starts[begin:end], old.stops[begin:end], old.same[begin:end])
        return Stretch(self.text[begin:end], self.begin, self.tracked, origin)

    def original_span(self, begin: int, end: int) -> Span:
        """The characters of the original that some characters stand for."""
        if self.origin is None:
            return self.begin + begin, self.begin + end
        if begin == end:
            place = int(self.origin.starts[begin]) if begin < len(self.text) else self.begin
            return place, place
        return int(self.origin.starts[begin]), int(self.origin.stops[end - 1])

    def _origin(self) -> Origin:
        if self.origin is not None:
            return self.origin
        places = np.arange(self.begin, self.begin + len(self.text) + 1, dtype=np.int64)
        return Origin(places[:-1], places[1:], np.ones(len(self.text), dtype=np.bool_))


def _edited(old: Origin, changes: Sequence[Change]) -> Origin:
    """What the characters after `changes` stand for: those that are new, for all they replace."""
    begins = np.array([change[0] for change in changes], dtype=np.int64)
    ends = np.array([change[1] for change in changes], dtype=np.int64)
    lengths = np.array([len(change[2]) for change in changes], dtype=np.int64)
    # The span that a change replaces; an insertion stands at a place and covers nothing.
    last = len(old.starts) - 1
    if last < 0:
        starts = stops = np.zeros(len(changes), dtype=np.int64)
    else:
        here = np.where(begins <= last, old.starts[np.minimum(begins, last)], old.stops[last])
        starts = here
        stops = np.where(ends > begins, old.stops[np.maximum(ends - 1, 0)], here)
    # Kept runs and changes take turns; each output character is told its place in the old or its
    # change.
    kept_begins = np.concatenate(([0], ends))
    kept_lengths = np.concatenate((begins, [len(old.starts)])) - kept_begins
    turns = np.empty(2 * len(changes) + 1, dtype=np.int64)
    turns[0::2], turns[1::2] = kept_lengths, lengths
    firsts = np.empty_like(turns)
    firsts[0::2], firsts[1::2] = kept_begins, np.arange(len(changes))
    total = int(turns.sum())
    within = np.arange(total) - np.repeat(np.cumsum(turns) - turns, turns)
    is_new = np.repeat(np.arange(len(turns)) % 2 == 1, turns)
    index = np.repeat(firsts, turns)
    kept = (index + within)[~is_new]
    out = Origin(
        np.empty(total, dtype=np.int64),
        np.empty(total, dtype=np.int64),
        np.zeros(total, dtype=np.bool_),
    )
    out.starts[~is_new], out.stops[~is_new] = old.starts[kept], old.stops[kept]
    out.same[~is_new] = old.same[kept]
    changed = index[is_new]
    out.starts[is_new], out.stops[is_new] = starts[changed], stops[changed]
    return out


def byte_places(text: str) -> NDArray[np.int64]:
    """Where every character begins in the UTF-8 bytes, and where the last ends: (n + 1,)."""
    if text.isascii():
        return np.arange(len(text) + 1, dtype=np.int64)
    points = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
    widths = 1 + (points >= 0x80).astype(np.int64) + (points >= 0x800) + (points >= 0x10000)
    places = np.zeros(len(points) + 1, dtype=np.int64)
    np.cumsum(widths, out=places[1:])
    return places

"""The tallies of several threads, and of documents that they share."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bpe_studio.bpe.scripts import script_table
from bpe_studio.bpe.table import MergeTable

if TYPE_CHECKING:
    from bpe_studio.kernels.tally import Known, Tally

__all__ = ["SharedDocuments", "join_tallies", "known_tokens", "new_tally"]


def known_tokens(table: MergeTable) -> Known:
    """What the kernel wants to know of a table."""
    from bpe_studio.kernels import tally

    _, script_of = script_table()
    offsets = table.token_offsets
    data = np.concatenate((table.token_data, np.zeros(8, dtype=np.uint8)))
    begins = np.concatenate(([0], np.cumsum((data & 0xC0) != 0x80)))
    scripts = np.empty(len(table), dtype=np.int16)
    tally.scripts_of_tokens(data, offsets, script_of, scripts)
    return tally.Known(
        data=data,
        offsets=offsets,
        characters=np.diff(begins[offsets]).astype(np.int32),
        scripts=scripts,
        script_of=script_of,
    )


def new_tally(tokens: int) -> Tally:
    """An empty one, for one thread."""
    from bpe_studio.kernels import tally

    scripts = len(script_table()[0])
    return tally.Tally(
        seen=np.zeros(tokens, dtype=tally.SEEN),
        script_tokens=np.zeros(scripts, dtype=np.int64),
        script_characters=np.zeros(scripts, dtype=np.int64),
        touched=np.zeros(tokens, dtype=np.int32),
        part_uses=np.zeros(tokens, dtype=np.int64),
        part_places=np.zeros(tokens, dtype=np.int64),
    )


def join_tallies(tallies: list[Tally], shared: NDArray[Any]) -> Tally:
    """All of them in one, with what is known of documents that they share."""
    total = tallies[0]
    for other in tallies[1:]:
        total.script_tokens[:] += other.script_tokens
        total.script_characters[:] += other.script_characters
    for theirs in [*(other.seen for other in tallies[1:]), shared]:
        total.seen["final"] += theirs["final"]
        total.seen["documents"] += theirs["documents"]
        take_larger(total.seen, theirs["largest"], theirs["largest_document"], theirs["place"])
    return total


def take_larger(
    seen: NDArray[Any],
    uses: NDArray[np.int64],
    documents: NDArray[np.int64] | int,
    places: NDArray[np.int64],
) -> None:
    """Notes documents with more uses of a token than the largest so far, or the same earlier."""
    earlier = (uses == seen["largest"]) & (documents < seen["largest_document"])
    better = (uses > 0) & ((uses > seen["largest"]) | earlier)
    seen["largest"][better] = uses[better]
    numbers = np.broadcast_to(np.asarray(documents, dtype=np.int64), uses.shape)
    seen["largest_document"][better] = numbers[better]
    seen["place"][better] = places[better]


@dataclass(slots=True, eq=False)
class _Shared:
    """A document of which several threads count parts."""

    uses: NDArray[np.int64]
    places: NDArray[np.int64]
    parts: int = 0
    complete: bool = False


@dataclass(slots=True, eq=False)
class SharedDocuments:
    """Documents that are counted in parts, until all of their parts are.

    Attributes
    ----------
    seen : SEEN array
        What is known of those that are done; `last`, `here` and `first` mean nothing in it.
    """

    seen: NDArray[Any]
    _open: dict[int, _Shared] = field(default_factory=dict)
    _spare: list[_Shared] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def expect(self, document: int, *, last: bool) -> None:
        """A part of a document (from 1) is going to be counted; whether it is the last one."""
        with self._lock:
            if document not in self._open:
                self._open[document] = self._spare.pop() if self._spare else self._new()
            self._open[document].parts += 1
            self._open[document].complete = last

    def add(self, document: int, tally: Tally, tokens: int, base: int) -> None:
        """What the last part of a thread has, whose places count from `base` on."""
        from bpe_studio.kernels.tally import add_part

        with self._lock:
            this = self._open[document]
            add_part(tally, tokens, base, this.uses, this.places)
            this.parts -= 1
            if this.complete and not this.parts:
                del self._open[document]
                self._close(document, this)

    def _new(self) -> _Shared:
        return _Shared(
            np.zeros(len(self.seen), dtype=np.int64),
            np.full(len(self.seen), np.iinfo(np.int64).max),
        )

    def _close(self, document: int, this: _Shared) -> None:
        used = np.flatnonzero(this.uses)
        rows = self.seen[used]
        rows["documents"] += 1
        take_larger(rows, this.uses[used], document, this.places[used])
        self.seen[used] = rows
        this.uses[used] = 0
        this.places[used] = np.iinfo(np.int64).max
        this.complete = False
        self._spare.append(this)

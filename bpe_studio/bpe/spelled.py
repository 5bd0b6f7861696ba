"""Control tokens that a corpus spells out in its text: a search beside the encoder.

Names are found as encoders find specials: leftmost, of several that begin there the longest, and
none inside another; anything of the shape ``<|…|>`` counts as a name. Most of the work is one look
at the first byte of a name by whole arrays: text that spells none passes at memory speed.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["Spelled", "SpelledSearch"]

_SHAPE: Final = re.compile(rb"<\|(?:[^<>|\r\n\x80-\xff]|[\xc2-\xf4][\x80-\xbf]+){1,40}\|>")
_SHAPE_BYTES: Final = 2 + 4 * 40 + 2
_BORDER: Final = b"\xff"  # in no UTF-8, so in no name: nothing is found across it
_ENOUGH: Final = 1 << 17
_MOST_SHAPED: Final = 10_000
_LOOK: Final = 4  # how many bytes of a name are looked at by arrays


@dataclass(slots=True)
class Spelled:
    """A name that was found: how often, in how many documents, and how often in each file."""

    name: str
    count: int = 0
    documents: int = 0
    files: dict[int, int] = field(default_factory=dict)
    last_document: int = -1


class SpelledSearch:
    """Counts names in the documents of a corpus, block by block.

    Parameters
    ----------
    names : iterable of str
        What to look for besides ``<|…|>`` (1 to 40 characters but ``< > |`` and line ends).

    Of names that only their shape tells, the first 10,000 different ones are counted.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names = {name.encode() for name in names if name}
        # Of several that begin in a place the longest comes first.
        longest_first = sorted(self._names, key=len, reverse=True)
        self._name = re.compile(b"|".join(map(re.escape, longest_first)) or b"(?!)")
        self._longest = max(_SHAPE_BYTES, *map(len, self._names)) if self._names else _SHAPE_BYTES
        looked_for = [*self._names, *(b"<|%c" % byte for byte in range(256))]
        self._firsts = sorted({name[0] for name in looked_for})
        self._pairs = [_pairs_at(looked_for, place) for place in range(_LOOK - 1)]
        self._mask = self._more = np.empty(0, dtype=np.bool_)
        self._found: dict[bytes, Spelled] = {}
        self._shaped = 0
        self._blocks: list[bytes] = []
        self._size = 0
        self._starts: list[int] = []  # of the documents in the blocks that wait
        self._owners: list[tuple[int, int]] = []
        self._open = False  # whether the last of them goes on

    def feed(self, document: int, file: int, data: bytes, last: bool) -> None:
        """Takes the next text of a document; documents come one after another.

        Parameters
        ----------
        document, file : int
            Their numbers.
        data : bytes
            UTF-8, cut anywhere between characters.
        last : bool
            Whether the document ends here.
        """
        if not self._open:
            self._starts.append(self._size)
            self._owners.append((document, file))
        self._open = not last
        if last:
            data += _BORDER
        self._blocks.append(data)
        self._size += len(data)
        if self._size >= _ENOUGH:
            self._search()

    def found(self) -> list[Spelled]:
        """What was found in all that was fed, the most frequent first."""
        if self._size:
            self._open = False
            self._search()
        return sorted(self._found.values(), key=lambda spelled: (-spelled.count, spelled.name))

    def _search(self) -> None:
        data = b"".join([*self._blocks, _LOOK * _BORDER])
        end = self._size
        if self._open:  # what begins further on may end in the next block
            end = max(self._starts[-1], end - self._longest + 1)
        done = 0
        for place in self._candidates(data, end).tolist():
            if place >= done:
                name = self._name_at(data, place)
                if name:
                    done = place + len(name)
                    self._count(name, place)
        self._keep(data, max(done, end))

    def _keep(self, data: bytes, end: int) -> None:
        """The rest waits for more."""
        self._blocks = [data[end : self._size]]
        self._size -= end
        self._starts = [0] if self._open else []
        self._owners = self._owners[-1:] if self._open else []

    def _candidates(self, data: bytes, end: int) -> NDArray[np.intp]:
        """Places before `end` where the first bytes are those of some name."""
        values = np.frombuffer(data, dtype=np.uint8)
        if end > len(self._mask):
            self._mask, self._more = np.empty((2, 2 * end), dtype=np.bool_)
        mask, more = self._mask[:end], self._more[:end]
        np.equal(values[:end], self._firsts[0], out=mask)
        for first in self._firsts[1:]:
            np.equal(values[:end], first, out=more)
            np.logical_or(mask, more, out=mask)
        places = np.flatnonzero(mask)
        for further, pairs in enumerate(self._pairs):
            left = values[places + further].astype(np.uint16)
            places = places[pairs[left << 8 | values[places + further + 1]]]
        return places

    def _name_at(self, data: bytes, place: int) -> bytes:
        """The longest name that begins here; none is empty."""
        name = self._name.match(data, place)
        found: bytes = name.group() if name else b""
        if data.startswith(b"<|", place) and (shape := _SHAPE.match(data, place)):
            found = max(found, shape.group(), key=len)
        return found

    def _count(self, name: bytes, place: int) -> None:
        spelled = self._found.get(name)
        if spelled is None:
            if name not in self._names:
                if self._shaped == _MOST_SHAPED:
                    return
                self._shaped += 1
            spelled = self._found[name] = Spelled(name.decode())
        document, file = self._owners[bisect_right(self._starts, place) - 1]
        spelled.count += 1
        spelled.documents += spelled.last_document != document
        spelled.last_document = document
        spelled.files[file] = spelled.files.get(file, 0) + 1


def _pairs_at(names: Iterable[bytes], place: int) -> NDArray[np.bool_]:
    """Which two bytes come `place` bytes into a name; what follows its end may be anything."""
    pairs = np.zeros((256, 256), dtype=np.bool_)
    for name in names:
        part = name[place : place + 2]
        if len(part) == 2:
            pairs[part[0], part[1]] = True
        elif len(part) == 1:
            pairs[part[0]] = True
        else:
            pairs[:] = True
    return pairs.reshape(-1)

"""The precompiled character map of a SentencePiece file, run over a text.

Its bytes are a double-array trie over UTF-8 (each unit names its letter, and where its children
are) and the replacements, each ended by a zero. At every place of a text the longest key that is
there is replaced. Hardly any place has one, so a table by code point tells where to look.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
import regex
from numpy.typing import NDArray

from bpe_studio.bpe.chars_map_trie import CharsMapTrie, read_trie

__all__ = ["check", "edits", "starts_with"]

_CLUSTER: Final = regex.compile(r"\X")
# Longer clusters are looked up character by character.
_SHORT_CLUSTER: Final = 6

Replaced = tuple[int, int, str]


def check(data: bytes) -> None:
    """Raise a ValueError, with what is wrong, unless `data` is a map that can be run."""
    _map_of(data)


def starts_with(data: bytes, char: str) -> bool:
    """Whether the map has a key that begins with this character."""
    return bool(_map_of(data).trie.node_of_char[ord(char)])


def edits(
    data: bytes, text: str, *, by_grapheme: bool = False, kept: tuple[str, ...] = ()
) -> list[Replaced]:
    """What the map replaces in a text: rows (start, end, replacement), in characters, in order.

    Parameters
    ----------
    data : bytes
        The map.
    by_grapheme : bool
        As Hugging Face does it: a short grapheme cluster that begins with a key is replaced whole
        (by what the shortest such key becomes), and of others each character by itself.
    kept : tuple of str
        Texts that stay as they are: SentencePiece keeps its user-defined symbols.

    Raises
    ------
    ValueError
        `data` is no such map.
    """
    chars_map = _map_of(data)
    points = np.frombuffer(text.encode("utf-32-le"), dtype="<u4")
    places = chars_map.places(points)
    if not len(places):
        return []
    if by_grapheme:
        return _by_cluster(chars_map, text, points, places)
    return _leftmost_longest(chars_map, text, places.tolist(), kept)


def _leftmost_longest(
    chars_map: _Map, text: str, places: list[int], kept: tuple[str, ...]
) -> list[Replaced]:
    found: list[Replaced] = []
    finder = _finder(kept) if kept else None
    span = finder.search(text) if finder else None
    done = 0
    for start in places:
        while finder and span and span.end() <= start:
            span = finder.search(text, span.end())
        if start < done or (span and span.start() <= start):
            continue
        match = chars_map.longest(text, start)
        if match is None:
            continue
        done = start + match[0]
        found.append((start, done, match[1]))
        if finder and span and span.start() < done:
            # A kept text stands first where it begins, but not inside of a key.
            span = finder.search(text, done)
    return found


@lru_cache(maxsize=16)
def _finder(kept: tuple[str, ...]) -> regex.Pattern[str]:
    return regex.compile("|".join(map(regex.escape, sorted(kept, key=len, reverse=True))))


def _by_cluster(
    chars_map: _Map, text: str, points: NDArray[np.uint32], places: NDArray[np.int64]
) -> list[Replaced]:
    # Two ASCII characters are two clusters, but for CR LF: so most of a text need not be cut.
    ascii_ = points < 0x80
    line_end = (points[:-1] == 0x0D) & (points[1:] == 0x0A)
    borders = np.flatnonzero(ascii_[:-1] & ascii_[1:] & ~line_end) + 1
    borders = np.concatenate(([0], borders, [len(points)]))
    found: list[Replaced] = []
    for part in np.unique(np.searchsorted(borders, places, side="right")).tolist():
        first, last = int(borders[part - 1]), int(borders[part])
        for cluster in _CLUSTER.finditer(text, first, last):
            found += chars_map.in_cluster(text, *cluster.span())
    return found


@dataclass(frozen=True, slots=True)
class _Map:
    trie: CharsMapTrie

    def places(self, points: NDArray[np.uint32]) -> NDArray[np.int64]:
        """Where a key may be: a character that is one, or two with which a longer one begins."""
        marks = self.trie.marks[points]
        may = (marks & CharsMapTrie.ALONE) != 0
        may[:-1] |= ((marks[:-1] & CharsMapTrie.BEGINS) != 0) & (
            (marks[1:] & CharsMapTrie.FOLLOWS) != 0
        )
        return np.flatnonzero(may)

    def longest(self, text: str, start: int) -> tuple[int, str] | None:
        """The length and the replacement of the longest key that is at a place."""
        best = None
        node = self.trie.node_of_char[ord(text[start])]
        end = start + 1
        while node:
            value = self.trie.value(node)
            if value is not None:
                best = (end - start, value)
            if end == len(text):
                break
            node = self.trie.step(node, text[end])
            end += 1
        return None if best is None else (best[0], self.trie.replacement(best[1]))

    def in_cluster(self, text: str, start: int, end: int) -> list[Replaced]:
        if end - start > 1 and len(text[start:end].encode()) < _SHORT_CLUSTER:
            node = self.trie.node_of_char[ord(text[start])]
            for place in range(start + 1, end + 1):
                value = self.trie.value(node) if node else None
                if value is not None:
                    return [(start, end, self.trie.replacement(value))]
                node = self.trie.step(node, text[place]) if node and place < end else 0
        found: list[Replaced] = []
        for place in range(start, end):
            node = self.trie.node_of_char[ord(text[place])]
            value = self.trie.value(node) if node else None
            if value is not None:
                found.append((place, place + 1, self.trie.replacement(value)))
        return found


@lru_cache(maxsize=16)
def _map_of(data: bytes) -> _Map:
    return _Map(read_trie(data))

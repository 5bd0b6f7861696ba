"""The double-array trie inside a precompiled character map: reading it, and walking in it.

The units are checked once, level by level from the root, so that a walk can neither leave the
array nor go in circles.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["CharsMapTrie", "read_trie"]

_MAX_BYTES: Final = 16 << 20
_MAX_KEY_BYTES: Final = 256
_POINTS: Final = 0x110000


@dataclass(frozen=True, slots=True)
class CharsMapTrie:
    """Nodes are numbers of units; 0, the root, stands for "none" where a walk ends.

    Attributes
    ----------
    units : list of int
    replacements : bytes
    node_of_char : list of int
        By code point: the node after the bytes of that character.
    marks : uint8 array
        By code point: whether the character is a key (ALONE), begins a longer one (BEGINS), or
        is the second character of one (FOLLOWS).
    """

    ALONE: ClassVar[int] = 1
    BEGINS: ClassVar[int] = 2
    FOLLOWS: ClassVar[int] = 4

    units: list[int]
    replacements: bytes
    node_of_char: list[int]
    marks: NDArray[np.uint8]

    def step(self, node: int, char: str) -> int:
        """The node after a further character, or 0."""
        for byte in char.encode():
            node = node ^ _offset(self.units[node]) ^ byte
            if not byte or node >= len(self.units) or self.units[node] & 0x800000FF != byte:
                return 0
        return node

    def value(self, node: int) -> int | None:
        """Where the replacement begins, of a node with which a key ends."""
        unit = self.units[node]
        return self.units[node ^ _offset(unit)] & 0x7FFFFFFF if unit & 0x100 else None

    def replacement(self, value: int) -> str:
        end = self.replacements.find(b"\0", value)
        return self.replacements[value : end if end >= 0 else None].decode()


def _offset(unit: int) -> int:
    return (unit >> 10) << ((unit & 0x200) >> 6)


def read_trie(data: bytes) -> CharsMapTrie:
    """Read and check a map.

    Raises
    ------
    ValueError
        What is wrong with it, without a full stop.
    """
    if len(data) > _MAX_BYTES:
        raise ValueError(f"the character map has {len(data):,} bytes, and 16 MiB is the limit")
    size = int.from_bytes(data[:4], "little")
    if len(data) <= 4 or size % 4 or not 4 <= size <= len(data) - 4:
        raise ValueError("the character map has no trie of the size that it tells")
    units = np.frombuffer(data, dtype="<u4", count=size // 4, offset=4).astype(np.int64)
    check = _Check(units, data[4 + size :])
    node_of_char, marks = check.characters()
    return CharsMapTrie(units.tolist(), check.replacements, node_of_char, marks)


class _Check:
    """Goes through the trie once, level by level."""

    def __init__(self, units: NDArray[np.int64], replacements: bytes) -> None:
        self.units = units
        self.replacements = replacements
        try:
            self.text_length = len(replacements.decode())
        except UnicodeDecodeError:
            raise ValueError("the character map has a replacement that is no UTF-8") from None
        self.bases = np.arange(len(units)) ^ ((units >> 10) << ((units & 0x200) >> 6))
        # A unit tells its letter, and with it where its parent's children begin.
        letters = np.where(units >> 31, 0, units & 0xFF)
        children = np.flatnonzero(letters)
        homes = children ^ letters[children]
        order = np.argsort(homes, kind="stable")
        self.children, self.homes = children[order], homes[order]
        self.letters = letters

    def characters(self) -> tuple[list[int], NDArray[np.uint8]]:
        node_of_char = np.zeros(_POINTS, dtype=np.int64)
        marks = np.zeros(_POINTS, dtype=np.uint8)
        points, nodes = self._one_character(np.zeros(1, dtype=np.int64))
        node_of_char[points] = nodes
        ends = self._is_key(nodes)
        marks[points[ends]] |= CharsMapTrie.ALONE
        deeper = self._has_children(nodes)
        marks[points[deeper]] |= CharsMapTrie.BEGINS
        nodes = np.unique(nodes[deeper])
        first, length = True, 1
        while len(nodes):
            length += 1
            if length > _MAX_KEY_BYTES:
                raise ValueError("the character map has keys of over 256 characters")
            points, nodes = self._one_character(nodes)
            if first:
                marks[points] |= CharsMapTrie.FOLLOWS
                first = False
            self._is_key(nodes)
            nodes = np.unique(nodes[self._has_children(nodes)])
        return node_of_char.tolist(), marks

    def _one_character(
        self, parents: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """All characters that can follow, as code points and as nodes."""
        nodes, letters = self._below(parents)
        rest = np.select([letters < 0x80, letters < 0xE0, letters < 0xF0], [0, 1, 2], 3)
        if ((letters >= 0x80) & (letters < 0xC2) | (letters > 0xF4)).any():
            self._fail_letters()
        points = letters & np.array([0x7F, 0x1F, 0x0F, 0x07])[rest]
        whole = [(points[rest == 0], nodes[rest == 0])]
        while True:
            going = rest > 0
            if not going.any():
                break
            if self._is_key(nodes[going]).any():
                self._fail_letters()
            parents, points, rest = nodes[going], points[going], rest[going] - 1
            nodes, letters, which = self._below_each(parents)
            if ((letters & 0xC0) != 0x80).any():
                self._fail_letters()
            points, rest = points[which] << 6 | letters & 0x3F, rest[which]
            whole.append((points[rest == 0], nodes[rest == 0]))
        all_points = np.concatenate([part for part, _ in whole])
        if (all_points >= _POINTS).any():
            self._fail_letters()
        return all_points, np.concatenate([part for _, part in whole])

    def _fail_letters(self) -> None:
        raise ValueError("the character map has a key that is no UTF-8")

    def _below(self, parents: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        nodes, letters, _ = self._below_each(parents)
        return nodes, letters

    def _below_each(
        self, parents: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Children, their letters, and the place of the parent of each."""
        first = np.searchsorted(self.homes, self.bases[parents], side="left")
        last = np.searchsorted(self.homes, self.bases[parents], side="right")
        counts = last - first
        which = np.repeat(np.arange(len(parents)), counts)
        if len(which) > 4 * _POINTS:
            raise ValueError("the character map has more keys than there are characters")
        begins = np.cumsum(counts) - counts
        nodes = self.children[np.arange(len(which)) - begins[which] + first[which]]
        return nodes, self.letters[nodes], which

    def _has_children(self, nodes: NDArray[np.int64]) -> NDArray[np.bool_]:
        places = np.searchsorted(self.homes, self.bases[nodes], side="left")
        there: NDArray[np.bool_] = np.zeros(len(nodes), dtype=bool)
        inside = places < len(self.homes)
        there[inside] = self.homes[places[inside]] == self.bases[nodes[inside]]
        return there

    def _is_key(self, nodes: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which nodes end a key; their values are checked."""
        ends: NDArray[np.bool_] = (self.units[nodes] & 0x100) != 0
        leaves = self.bases[nodes[ends]]
        if (leaves >= len(self.units)).any():
            raise ValueError("the character map has a key without a replacement")
        values = self.units[leaves] & 0x7FFFFFFF
        if (values >= len(self.replacements)).any():
            raise ValueError("the character map has a replacement outside of itself")
        starts = np.frombuffer(self.replacements, dtype=np.uint8)[values]
        if ((starts & 0xC0) == 0x80).any():
            raise ValueError("the character map has a replacement that begins inside a character")
        return ends

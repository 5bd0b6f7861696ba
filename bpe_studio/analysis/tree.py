"""The merges of a piece as a tree: leaves are base symbols, each inner node a merge."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Node:
    """A symbol that was there at some time.

    Attributes
    ----------
    id : int
    rank : int
        Of the merge that made it; -1 for a base symbol.
    start, end : int
        Bytes of the piece.
    left, right : int
        Numbers of the nodes that were joined; -1 for a base symbol.
    """

    id: int
    rank: int
    start: int
    end: int
    left: int = -1
    right: int = -1


@dataclass(frozen=True, slots=True)
class MergeTree:
    """Every symbol of a piece, or of a window of it, in order of time.

    Attributes
    ----------
    nodes : tuple of Node
        Base symbols from left to right, then merges as they fired; a node comes after its parts.
    roots : tuple of int
        The nodes that remained, from left to right: the tokens.
    """

    nodes: tuple[Node, ...]
    roots: tuple[int, ...]

"""The merges of a piece as a tree: leaves are base symbols, each inner node a merge."""

from __future__ import annotations

from dataclasses import dataclass

from bpe_studio.analysis.story import PieceStory


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
        The nodes that remained, from left to right: the tokens that merges give.
    """

    nodes: tuple[Node, ...]
    roots: tuple[int, ...]


def tree_of(story: PieceStory) -> MergeTree:
    """The tree of a piece, or of the window of it that is told.

    A special has no symbols, and so an empty tree. Where the engine took the piece whole, it is
    the tree of what merges alone would do.
    """
    spans = zip(story.symbols, story.bounds, story.bounds[1:], strict=False)
    nodes = [Node(symbol, -1, start, end) for symbol, start, end in spans]
    present = list(range(len(nodes)))
    for step in story.steps:
        # From the right, so that places further left stay what they are.
        joined = []
        for at in reversed(step.positions):
            joined.append((at, present[at], present[at + 1]))
        made = len(nodes)
        for number, (at, left, right) in enumerate(reversed(joined)):
            nodes.append(Node(step.id, step.rank, nodes[left].start, nodes[right].end, left, right))
            present[at - number : at - number + 2] = [made + number]
    return MergeTree(tuple(nodes), tuple(present))

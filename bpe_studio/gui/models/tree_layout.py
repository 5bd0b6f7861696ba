"""Where the nodes of a merge tree stand: leaves in a row at the bottom, each merge over its parts.

Plain loops over the nodes, which come after their parts: a chain of hundreds of merges is no
deeper for Python than a single one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bpe_studio.analysis.tree import MergeTree

GAP = 5.0  # between neighbours
ROOT_GAP = 3.0  # and so much more between tokens
ROW_GAP = 20.0  # between a merge and the row below it; the lines run here


@dataclass(frozen=True, slots=True, eq=False)
class TreeLayout:
    """A tree with places; node i is row i of each array.

    Attributes
    ----------
    tree : MergeTree
    boxes : float64 (n, 4)
        Left, top, right and bottom.
    lines : float64 (n, 4)
        The same of all that hangs between a node and its parts; empty for leaves.
    levels : int32 (n,)
        0 for a leaf, else one more than the higher of its parts.
    parents, roots : int32 (n,)
        What a node was joined into, -1 for those that remained; and the place, among those, of
        the one that it ended in.
    width, height : float
    """

    tree: MergeTree
    boxes: NDArray[np.float64]
    lines: NDArray[np.float64]
    levels: NDArray[np.int32]
    parents: NDArray[np.int32]
    roots: NDArray[np.int32]
    width: float
    height: float

    def visible(self, left: float, top: float, right: float, bottom: float) -> list[int]:
        """The nodes that show, or whose lines show, in an area."""
        shows = np.zeros(len(self.boxes), np.bool_)
        for places in (self.boxes, self.lines):
            shows |= (
                (places[:, 0] <= right)
                & (places[:, 1] <= bottom)
                & (places[:, 2] >= left)
                & (places[:, 3] >= top)
            )
        found: list[int] = np.flatnonzero(shows).tolist()
        return found

    def at(self, x: float, y: float) -> int:
        """The node at a point, -1 for none."""
        boxes = self.boxes
        inside = (boxes[:, 0] <= x) & (x <= boxes[:, 2]) & (boxes[:, 1] <= y) & (y <= boxes[:, 3])
        found = np.flatnonzero(inside)
        return int(found[0]) if len(found) else -1

    def neighbour(self, node: int, key: str) -> int:
        """Where an arrow key leads: "up", "down", "left" or "right"; the node itself at an end.

        Up is what it was joined into, down its left part. Left and right lead to the highest
        node beside it that is no higher than it.
        """
        nodes = self.tree.nodes
        if key == "up":
            parent = int(self.parents[node])
            return parent if parent >= 0 else node
        if key == "down":
            return nodes[node].left if nodes[node].left >= 0 else node
        if key == "left":
            beside = [i for i, other in enumerate(nodes) if other.end == nodes[node].start]
        else:
            beside = [i for i, other in enumerate(nodes) if other.start == nodes[node].end]
        if not beside:
            return node
        level = self.levels[node]
        low = [i for i in beside if self.levels[i] <= level]
        return max(low or beside[:1], key=lambda i: int(self.levels[i]))


def lay_out_tree(
    tree: MergeTree, widths: Sequence[float], *, node_height: float, leaf_height: float
) -> TreeLayout:
    """Give every node its place; no two overlap, and no line crosses a node.

    Parameters
    ----------
    widths : how wide each node is drawn
    """
    nodes = tree.nodes
    count = len(nodes)
    levels = np.zeros(count, np.int32)
    parents = np.full(count, -1, np.int32)
    room = [0.0] * count  # of a node with everything under it
    for i, node in enumerate(nodes):
        room[i] = widths[i]
        if node.left >= 0:
            parents[[node.left, node.right]] = i
            levels[i] = 1 + max(levels[node.left], levels[node.right])
            room[i] = max(widths[i], room[node.left] + GAP + room[node.right])
    roots = np.zeros(count, np.int32)
    centres = [0.0] * count
    lefts = _lefts(tree, room, roots)
    height = leaf_height + int(levels.max(initial=0)) * (node_height + ROW_GAP)
    boxes, lines = np.empty((count, 4)), np.full((count, 4), np.nan)
    for i, node in enumerate(nodes):
        half = widths[i] / 2
        centres[i] = lefts[i] + room[i] / 2
        bottom = height - (leaf_height + ROW_GAP if levels[i] else 0.0)
        bottom -= max(0, int(levels[i]) - 1) * (node_height + ROW_GAP)
        if node.left >= 0:
            middle = (centres[node.left] + centres[node.right]) / 2
            centres[i] = min(max(middle, lefts[i] + half), lefts[i] + room[i] - half)
            parts = [node.left, node.right]
            ends = [centres[i], *(centres[part] for part in parts)]
            lines[i] = min(ends), bottom, max(ends), boxes[parts, 1].max()
        top = bottom - (node_height if levels[i] else leaf_height)
        boxes[i] = centres[i] - half, top, centres[i] + half, bottom
    width = float(boxes[:, 2].max()) if count else 0.0
    return TreeLayout(tree, boxes, lines, levels, parents, roots, width, height)


def _lefts(tree: MergeTree, room: list[float], roots: NDArray[np.int32]) -> list[float]:
    """Where the room of each node begins; notes for each in which root it ended."""
    nodes = tree.nodes
    lefts = [0.0] * len(nodes)
    x = 0.0
    for place, root in enumerate(tree.roots):
        lefts[root], roots[root] = x, place
        x += room[root] + GAP + ROOT_GAP
    for i in range(len(nodes) - 1, -1, -1):
        left, right = nodes[i].left, nodes[i].right
        if left < 0:
            continue
        roots[[left, right]] = roots[i]
        spare = room[i] - (room[left] + GAP + room[right])
        lefts[left] = lefts[i] + max(0.0, spare) / 2
        lefts[right] = lefts[left] + room[left] + GAP
    return lefts

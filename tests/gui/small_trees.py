"""Merge trees made by hand and by plain merging, for the tests of the window."""

from __future__ import annotations

from bpe_studio.analysis.explain import PieceStory
from bpe_studio.analysis.tree import MergeTree, Node
from bpe_studio.bpe.tokenizer import Tokenizer


def plain_tree(tokenizer: Tokenizer, story: PieceStory) -> MergeTree:
    """The tree of a story, step by step from its symbols."""
    nodes: list[Node] = []
    at = 0
    for symbol in story.symbols:
        end = at + len(tokenizer.token_bytes(symbol))
        nodes.append(Node(symbol, -1, at, end))
        at = end
    row = list(range(len(nodes)))
    for step in story.steps:
        for place in reversed(step.positions):
            left, right = row[place : place + 2]
            start, end = nodes[left].start, nodes[right].end
            nodes.append(Node(step.id, step.rank, start, end, left, right))
            row[place : place + 2] = [len(nodes) - 1]
    return MergeTree(tuple(nodes), tuple(row))


def chain(tokenizer: Tokenizer, count: int) -> MergeTree:
    """A tree as deep as can be: each merge adds one symbol at the right."""
    base, joined = 3 + ord("a"), 259
    nodes = [Node(base, -1, place, place + 1) for place in range(count)]
    last = 0
    for place in range(1, count):
        nodes.append(Node(joined, 0, 0, place + 1, last, place))
        last = len(nodes) - 1
    return MergeTree(tuple(nodes), (last,))

"""What stands on the nodes of a merge tree, and what is said about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bpe_studio.analysis.tree import MergeTree, Node
from bpe_studio.gui.models.token_details import TokenDetails, describe, shorten, tooltip

if TYPE_CHECKING:
    from bpe_studio.bpe.tokenizer import Tokenizer

MOST_CHARACTERS = 24


@dataclass(frozen=True, slots=True)
class NodeLabel:
    """The token on a node, and the lines under it: nothing for a base symbol."""

    text: str
    captions: tuple[str, ...]
    partial: bool


class TreeLabels:
    """The labels of a tree's nodes; what a token is, is looked up once."""

    def __init__(self, tokenizer: Tokenizer, tree: MergeTree) -> None:
        self._tokenizer = tokenizer
        self._known: dict[int, TokenDetails] = {}
        self._tree = tree

    def of(self, node: int) -> NodeLabel:
        """The label of a node."""
        told = self._tree.nodes[node]
        details = self._details(told.id)
        captions = () if told.rank < 0 else (f"rank {told.rank:,}", f"id {told.id:,}")
        return NodeLabel(shorten(details.readable, MOST_CHARACTERS), captions, details.partial)

    def words(self, node: int) -> str:
        """A node in words, for a screen reader."""
        told = self._tree.nodes[node]
        name = self._details(told.id).short
        if told.rank < 0:
            return f"{name}, base symbol, id {told.id}"
        left, right = (self._details(self._tree.nodes[i].id).short for i in (told.left, told.right))
        return f"{name}, rank {told.rank}, id {told.id}, of {left} and {right}"

    def tip(self, node: int) -> str:
        """The tooltip of a node, as rich text; everything in it is escaped."""
        told = self._tree.nodes[node]
        rows = [("in the piece", f"bytes {told.start:,} to {told.end:,}")]
        seen = self._seen(told)
        if seen:
            rows.append(("in training", seen))
        return tooltip(self._details(told.id), rows=rows)

    def _seen(self, node: Node) -> str:
        record = self._tokenizer.training
        if record is None or not 0 <= node.rank < len(record.counts):
            return ""
        count, applied = int(record.counts[node.rank]), int(record.applied[node.rank])
        return f"seen {count:,} times, merged {applied:,} times"

    def _details(self, token: int) -> TokenDetails:
        if token not in self._known:
            self._known[token] = describe(self._tokenizer, token)
        return self._known[token]

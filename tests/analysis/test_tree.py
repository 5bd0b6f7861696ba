"""Merge trees: every symbol that came to be, and what remains."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_studio.analysis.explain import explain
from bpe_studio.analysis.tree import Node, tree_of
from tests import oracle_analysis as oracle
from tests.analysis.tables import make_pair, pairs, texts, worked


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_tree_has_every_symbol_of_the_oracle(data: st.DataObject) -> None:
    pair = data.draw(pairs())
    text = data.draw(texts(pair.alphabet, 14))
    for story in explain(pair.tokenizer, text).pieces:
        piece = story.text.encode()
        tree = tree_of(story)
        found = [(node.start, node.end, node.id) for node in tree.nodes]
        assert found == oracle.ever(pair.plain, piece)
        roots = [tree.nodes[number] for number in tree.roots]
        assert [(n.start, n.end, n.id) for n in roots] == oracle.merged(pair.plain, piece)
        for number, node in enumerate(tree.nodes):
            if node.rank < 0:
                assert node.left == node.right == -1
                continue
            assert max(node.left, node.right) < number
            left, right = tree.nodes[node.left], tree.nodes[node.right]
            assert (left.start, left.end, right.end) == (node.start, right.start, node.end)
            assert (left.id, right.id, node.id) == pair.plain.merges[node.rank]


def test_a_word() -> None:
    tree = tree_of(explain(worked().tokenizer, "lowe").pieces[0])
    assert tree.nodes[4:] == (Node(256, 0, 0, 2, 0, 1), Node(257, 1, 0, 3, 4, 2))
    assert tree.roots == (5, 3)


def test_a_special_has_no_tree() -> None:
    tokenizer = make_pair([], specials={"<a>": 900}).tokenizer
    assert tree_of(explain(tokenizer, "<a>", allowed_special="all").pieces[0]).nodes == ()

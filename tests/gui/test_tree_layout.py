"""A merge tree's nodes have places of their own, and the arrow keys lead everywhere."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bpe_studio.analysis.explain import explain
from bpe_studio.analysis.tree import MergeTree
from bpe_studio.gui.models.tree_layout import ROW_GAP, TreeLayout, lay_out_tree
from tests.gui.small_tables import small_tokenizer
from tests.gui.small_trees import chain, plain_tree

NODE, LEAF = 40.0, 20.0


def tree_of_text(text: str) -> MergeTree:
    tokenizer = small_tokenizer()
    return plain_tree(tokenizer, explain(tokenizer, text).pieces[0])


def placed(tree: MergeTree, widths: list[float] | None = None) -> TreeLayout:
    return lay_out_tree(
        tree, widths or [30.0] * len(tree.nodes), node_height=NODE, leaf_height=LEAF
    )


@given(st.text(alphabet="lowernstid", min_size=1, max_size=14), st.data())
def test_no_node_covers_another_and_parts_are_below(text: str, data: st.DataObject) -> None:
    tree = tree_of_text(text)
    count = len(tree.nodes)
    sizes = st.lists(st.floats(10, 90), min_size=count, max_size=count)
    layout = placed(tree, data.draw(sizes))
    boxes = layout.boxes
    for i in range(count):
        for j in range(i):
            beside = boxes[i, 2] <= boxes[j, 0] + 1e-6 or boxes[j, 2] <= boxes[i, 0] + 1e-6
            over = boxes[i, 3] <= boxes[j, 1] or boxes[j, 3] <= boxes[i, 1]
            assert beside or over
    for i, node in enumerate(tree.nodes):
        if node.left < 0:
            assert layout.levels[i] == 0
            assert boxes[i, 3] == layout.height
            continue
        for part in (node.left, node.right):
            assert layout.parents[part] == i
            assert boxes[part, 1] >= boxes[i, 3] + ROW_GAP
    assert boxes[:, 0].min() >= -1e-6
    assert boxes[:, 2].max() <= layout.width
    leaves = [i for i, node in enumerate(tree.nodes) if node.left < 0]
    assert leaves == sorted(leaves, key=lambda i: boxes[i, 0])  # in the order of the text


def test_arrow_keys_lead_up_down_and_beside() -> None:
    tree = tree_of_text("lowest")
    layout = placed(tree)
    for i, node in enumerate(tree.nodes):
        if node.left >= 0:
            assert layout.neighbour(i, "down") == node.left
            assert layout.neighbour(node.left, "up") == layout.neighbour(node.right, "up") == i
        for key, end in (("left", node.start == 0), ("right", node.end == len("lowest"))):
            beside = layout.neighbour(i, key)
            assert (beside == i) is end
            if not end:
                other = tree.nodes[beside]
                assert (other.end == node.start) if key == "left" else (other.start == node.end)
    assert layout.neighbour(tree.roots[0], "up") == tree.roots[0]
    assert layout.neighbour(0, "down") == 0


def test_only_what_shows_is_named() -> None:
    layout = placed(chain(small_tokenizer(), 200))
    everything = layout.visible(0, 0, layout.width, layout.height)
    assert everything == list(range(len(layout.boxes)))
    corner = layout.visible(layout.width - 1, layout.height - 1, layout.width, layout.height)
    assert corner == [199]  # the last symbol; the lines end above it
    assert len(layout.visible(0, 0, 100, 100)) < 10


def test_a_line_that_crosses_an_area_shows_though_its_node_does_not() -> None:
    """The last symbol of a chain hangs on a line as long as the tree is high."""
    layout = placed(chain(small_tokenizer(), 50))
    x = float(layout.boxes[49, [0, 2]].mean())
    shown = layout.visible(x - 1, layout.height / 2, x + 1, layout.height / 2 + 1)
    assert len(layout.boxes) - 1 in shown  # the root, far above


def test_the_deepest_tree_of_400_symbols_is_laid_out() -> None:
    layout = placed(chain(small_tokenizer(), 400))
    assert layout.levels.max() == 399
    assert np.isfinite(layout.boxes).all()
    assert layout.at(*layout.boxes[0, :2]) == 0
    assert layout.at(-5, -5) == -1


def test_a_tree_of_nothing_has_no_size() -> None:
    layout = lay_out_tree(MergeTree((), ()), [], node_height=NODE, leaf_height=LEAF)
    assert (layout.width, layout.visible(0, 0, 9, 9), layout.at(0, 0)) == (0.0, [], -1)

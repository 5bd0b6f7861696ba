"""The merge tree is clicked, walked through and read out; a deep one is painted in part."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from bpe_studio.analysis.explain import explain
from bpe_studio.analysis.tree import MergeTree
from bpe_studio.gui.models.tree_labels import TreeLabels
from bpe_studio.gui.widgets.merge_tree import MergeTreeView
from bpe_studio.gui.widgets.tree_area import MOST_HEIGHT, TreeArea
from tests.gui.small_tables import small_tokenizer
from tests.gui.small_trees import chain, plain_tree


def make(qtbot: QtBot, text: str = " lowest") -> MergeTreeView:
    tokenizer = small_tokenizer()
    tree = plain_tree(tokenizer, explain(tokenizer, text).pieces[0])
    view = MergeTreeView(tokenizer=tokenizer, tree=tree)
    qtbot.addWidget(view)
    view.show()
    return view


def test_a_click_chooses_the_token_of_the_node(qtbot: QtBot) -> None:
    view = make(qtbot)
    for node, told in enumerate(view._tree.nodes):
        point = view.box(node).center().toPoint()
        assert view.cell_at(point) == node
        with qtbot.waitSignal(view.chosen) as chosen:
            qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=point)
        assert chosen.args == [told.id]
        assert view.focused == node
    with qtbot.assertNotEmitted(view.chosen):
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(1, 1))


def test_arrows_walk_and_enter_chooses(qtbot: QtBot) -> None:
    view = make(qtbot)
    root = view._tree.roots[0]
    assert view.focused == root
    assert view.accessibleDescription().startswith("␠lowest, rank")
    with qtbot.waitSignal(view.walked):
        qtbot.keyClick(view, Qt.Key.Key_Down)
    left = view._tree.nodes[root].left
    assert view.focused == left
    assert "of" in view.accessibleDescription()
    with qtbot.waitSignal(view.chosen) as chosen:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert chosen.args == [view._tree.nodes[left].id]
    for _ in range(20):
        qtbot.keyClick(view, Qt.Key.Key_Down)
    assert view.accessibleDescription() == "␠, base symbol, id 35"
    for _ in range(6):
        qtbot.keyClick(view, Qt.Key.Key_Right)
    assert view.accessibleDescription().startswith("t, base symbol")


def test_tips_tell_bytes_rank_id_and_count_and_are_escaped() -> None:
    tokenizer = small_tokenizer("&lt; &lt; &lt; &lt;", pattern="gpt2")
    tree = plain_tree(tokenizer, explain(tokenizer, " &").pieces[0])
    tip = TreeLabels(tokenizer, tree).tip(len(tree.nodes) - 1)
    told = tree.nodes[-1]
    count = int(tokenizer.training.counts[told.rank])
    for words in (f"rank {told.rank}", f"{told.id}", f"seen {count:,} times", "bytes 0 to"):
        assert words in tip
    assert "&amp;" in tip


def test_selected_hovered_and_themed_it_is_painted(qtbot: QtBot) -> None:
    view = make(qtbot)
    plain = view.grab().toImage()
    view.set_selected(view._tree.nodes[0].id)
    assert view.grab().toImage() != plain


def test_painting_a_part_paints_that_part_as_the_whole_does(qtbot: QtBot) -> None:
    view = make(qtbot, "lowestnewestwidest")
    whole, part = (QImage(view.size(), QImage.Format.Format_ARGB32) for _ in range(2))
    area = QRectF(view.width() / 3, 0, view.width() / 3, view.height())
    for image, where in ((whole, None), (part, area)):
        image.fill(0)
        painter = QPainter(image)
        painter.setClipRect(area)
        view.draw(painter, where)
        painter.end()
    assert whole == part


@pytest.mark.parametrize("count", [1, 400])
def test_a_chain_of_400_symbols_is_scrolled(qtbot: QtBot, count: int) -> None:
    tokenizer = small_tokenizer()
    view = MergeTreeView(tokenizer=tokenizer, tree=chain(tokenizer, count))
    area = TreeArea(view)
    qtbot.addWidget(area)
    area.resize(300, 300)
    area.show()
    assert area.sizeHint().height() <= MOST_HEIGHT
    assert not area.grab().isNull()
    assert len(view.placed.visible(0, 0, 300, 300)) < 20
    for _ in range(3):
        qtbot.keyClick(view, Qt.Key.Key_Down)
    box = view.box(view.focused)
    shown = QRectF(view.visibleRegion().boundingRect())
    assert shown.contains(box)


def test_a_piece_of_no_merges_has_only_leaves(qtbot: QtBot) -> None:
    view = make(qtbot, "zq")
    assert view._tree.roots == (0, 1)
    assert not view.grab().isNull()


def test_a_tree_of_nothing_says_so(qtbot: QtBot) -> None:
    view = MergeTreeView(tokenizer=small_tokenizer(), tree=MergeTree((), ()))
    qtbot.addWidget(view)
    assert view.accessibleDescription() == "Nothing was merged."
    qtbot.keyClick(view, Qt.Key.Key_Return)
    qtbot.keyClick(view, Qt.Key.Key_Up)

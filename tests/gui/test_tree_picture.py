"""A tree is copied and saved as a picture of all of it, however large it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication, QImage
from pytestqt.qtbot import QtBot

from bpe_studio.gui.widgets import tree_picture
from bpe_studio.gui.widgets.merge_tree import MergeTreeView
from bpe_studio.gui.widgets.tree_picture import MARGIN, MOST_PIXELS, TreePictures, tree_image
from tests.gui.small_tables import small_tokenizer
from tests.gui.small_trees import chain


def make(qtbot: QtBot, count: int = 5) -> MergeTreeView:
    tokenizer = small_tokenizer()
    view = MergeTreeView(tokenizer=tokenizer, tree=chain(tokenizer, count))
    qtbot.addWidget(view)
    return view


def test_the_picture_is_twice_as_large_and_holds_the_root(qtbot: QtBot) -> None:
    view = make(qtbot)
    image = tree_image(view)
    assert image.width() == 2 * (view.sizeHint().width() + 2 * MARGIN)
    root = view.box(view._tree.roots[0])
    corner = image.pixelColor(0, 0)
    inside = image.copy(
        int(2 * (root.left() + MARGIN)), int(2 * (root.top() + MARGIN)), int(2 * root.width()), 40
    )
    colours = {inside.pixelColor(x, 20).rgb() for x in range(inside.width())}
    assert len(colours - {corner.rgb()}) > 1


def test_a_tree_too_large_for_a_picture_is_made_smaller(qtbot: QtBot) -> None:
    view = make(qtbot, 400)
    size = view.sizeHint()
    assert 4 * size.width() * size.height() > MOST_PIXELS
    image = tree_image(view)
    assert not image.isNull()
    assert image.width() * image.height() <= MOST_PIXELS
    assert abs(image.width() / image.height() - size.width() / size.height()) < 0.05


def test_it_is_copied(qtbot: QtBot) -> None:
    view, pictures = make(qtbot), TreePictures()
    with qtbot.waitSignal(pictures.told):
        pictures.copy(view)
    copied = QGuiApplication.clipboard().image()
    assert copied.size() == tree_image(view).size()


def test_it_is_saved_whole_or_not_at_all(qtbot: QtBot, tmp_path: Path) -> None:
    view, pictures = make(qtbot), TreePictures()
    path = tmp_path / "tree.png"
    with qtbot.waitSignal(pictures.told) as told:
        pictures.save(view, path)
    assert told.args == ["Saved tree.png."]
    assert QImage(str(path)).size() == tree_image(view).size()
    with qtbot.waitSignal(pictures.failed) as failed:
        pictures.save(view, tmp_path / "none" / "tree.png")
    assert "tree.png" in failed.args[0]
    assert list(tmp_path.iterdir()) == [path]


def test_it_is_asked_where_and_the_name_gets_its_suffix(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    view, pictures = make(qtbot), TreePictures()
    monkeypatch.setattr(tree_picture, "choose_place", lambda *_: (tmp_path / "a", "Picture"))
    with qtbot.waitSignal(pictures.told):
        pictures.ask_and_save(view, "merge-tree")
    assert (tmp_path / "a.png").exists()
    monkeypatch.setattr(tree_picture, "choose_place", lambda *_: None)
    with qtbot.assertNotEmitted(pictures.told, wait=50):
        pictures.ask_and_save(view, "merge-tree")

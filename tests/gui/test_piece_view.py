"""A piece is told as steps or as a tree; of a long one a window is told, with ways out of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from bpe_studio.analysis.explain import PieceStory, explain
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.gui.models.telling_text import shown_expression
from bpe_studio.gui.state.explain_view import ExplainView
from bpe_studio.gui.widgets.piece_view import PieceView
from bpe_studio.gui.widgets.steps_view import STEPS_AT_ONCE, StepView
from bpe_studio.gui.widgets.token_chips import TokenChips
from tests.gui.small_tables import small_tokenizer


def make(
    qtbot: QtBot, tokenizer: Tokenizer, story: PieceStory, view: ExplainView | None = None
) -> PieceView:
    made = PieceView(tokenizer=tokenizer, story=story, view=view or ExplainView())
    qtbot.addWidget(made)
    made.resize(340, 600)
    made.show()
    return made


def words(view: PieceView) -> str:
    return "\n".join(label.text() for label in view.findChildren(QLabel))


def test_the_same_merges_are_steps_or_a_tree(qtbot: QtBot) -> None:
    tokenizer, view = small_tokenizer(), ExplainView()
    story = explain(tokenizer, " lowest").pieces[0]
    made = make(qtbot, tokenizer, story, view)
    assert made.tree is None
    assert made.steps.isVisible()
    view.set_merges("tree")
    assert made.tree.isVisible()
    assert not made.steps.isVisible()
    inner = [node for node in made.tree.tree._tree.nodes if node.rank >= 0]
    fired = [step.rank for step in story.steps for _ in step.positions]
    assert [node.rank for node in inner] == fired
    view.set_merges("steps")
    assert made.steps.isVisible()
    assert not made.tree.isVisible()


def test_a_click_in_the_tree_chooses_and_the_choice_is_outlined(qtbot: QtBot) -> None:
    tokenizer, view = small_tokenizer(), ExplainView()
    view.set_merges("tree")
    made = make(qtbot, tokenizer, explain(tokenizer, " lowest").pieces[0], view)
    with qtbot.waitSignal(made.chosen) as chosen:
        made.tree.tree.chosen.emit(262)
    assert chosen.args == [262]
    made.set_selected(262)
    assert made.tree.tree._selected == 262
    view.set_merges("steps")  # made only now
    assert all(row._selected == 262 for row in made.steps.findChildren(TokenChips))


def test_many_steps_come_in_portions(qtbot: QtBot) -> None:
    tokenizer = small_tokenizer("abcdefghij " * 4, 30)
    story = explain(tokenizer, "abcdefghij").pieces[0]
    story = replace(story, steps=story.steps * 12)
    made = make(qtbot, tokenizer, story)
    made.set_selected(story.steps[0].id)
    steps = made.steps.list
    assert len(steps.findChildren(StepView)) == STEPS_AT_ONCE < len(story.steps)
    while steps.more.isVisible():
        steps.more.click()
    assert len(steps.findChildren(StepView)) == len(story.steps)
    chips = steps.findChildren(TokenChips)
    assert all(row._selected == story.steps[0].id for row in chips)


@pytest.fixture
def long_piece() -> str:
    return "low" * 400


def test_of_a_long_piece_a_window_is_told_and_leads_on(qtbot: QtBot, long_piece: str) -> None:
    tokenizer = small_tokenizer()
    text = "see " + long_piece
    at, seen = 5, []
    while True:
        story = explain(tokenizer, text, start=at, end=at + 1).pieces[0]
        seen.append((story.window_start, story.window_end))
        made = make(qtbot, tokenizer, story)
        assert made.window_bar is not None
        assert f"of {len(long_piece) + 1:,}" in made.window_bar.label.text()
        if not made.window_bar.after.isEnabled():
            break
        with qtbot.waitSignal(made.windowAsked) as asked:
            made.window_bar.after.click()
        at = asked.args[0]
    assert seen[0][0] == 3
    assert seen[-1][1] == len(text)
    for one, other in zip(seen, seen[1:], strict=False):
        assert one[0] < other[0] <= one[1] < other[1]  # nothing is passed over
    with qtbot.waitSignal(made.windowAsked) as asked:
        made.window_bar.before.click()
    assert asked.args[0] < seen[-1][0]


def test_a_short_piece_has_no_window(qtbot: QtBot) -> None:
    tokenizer = small_tokenizer()
    assert make(qtbot, tokenizer, explain(tokenizer, " lowest").pieces[0]).window_bar is None


def test_an_engine_of_whole_pieces_tells_what_it_did_and_what_merges_would(qtbot: QtBot) -> None:
    tokenizer = replace(small_tokenizer(), engine="whole-piece-first")
    story = explain(tokenizer, " low").pieces[0]
    assert story.whole_piece
    same = words(make(qtbot, tokenizer, story)).lower()
    assert "takes whole pieces first" in same
    assert "would give the same token" in same
    assert "what merges alone would give" not in same
    other = words(make(qtbot, tokenizer, replace(story, merged=story.symbols))).lower()
    assert "would give another result" in other
    assert "what merges alone would give" in other


def test_a_special_has_neither_steps_nor_tree(qtbot: QtBot) -> None:
    tokenizer, view = small_tokenizer(), ExplainView()
    story = explain(tokenizer, "<bos>", allowed_special="all").pieces[0]
    assert story.special
    made = make(qtbot, tokenizer, story, view)
    view.set_merges("tree")
    assert (made.steps, made.tree) == (None, None)


def test_a_tree_of_400_symbols_of_one_letter_is_shown(qtbot: QtBot) -> None:
    tokenizer, view = small_tokenizer("a" * 64, 6), ExplainView()
    view.set_merges("tree")
    made = make(qtbot, tokenizer, explain(tokenizer, "a" * 400).pieces[0], view)
    assert not made.grab().isNull()


def test_spaces_at_the_ends_of_an_expression_are_seen() -> None:
    assert shown_expression(r" ?[^\W\d]+") == r"␠?[^\W\d]+"
    assert shown_expression("a b  ") == "a b␠␠"
    assert shown_expression("  ") == "␠␠"
    assert shown_expression("") == ""


def test_a_tree_begins_at_what_is_asked_about(qtbot: QtBot) -> None:
    tokenizer = small_tokenizer(pattern="classic")
    text = "zqxjv" * 40
    (story,) = explain(tokenizer, text).pieces
    for asked in (0, 120, 199):
        view = PieceView(tokenizer=tokenizer, story=story, view=ExplainView(), asked=asked)
        qtbot.addWidget(view)
        tree = view.make_tree()
        view.show_merges("tree")
        view.resize(340, 600)
        view.show()
        node = view.tree.tree._tree.nodes[tree.focused]
        assert node.start <= asked < node.end
        area, bar = view.tree, view.tree.horizontalScrollBar()
        qtbot.waitUntil(lambda bar=bar: bar.maximum() > 0)
        box, begin = tree.box(tree.focused), bar.value()
        assert begin <= box.left() and box.right() <= begin + area.viewport().width()
        assert asked == 0 or begin > 0
        bar.triggerAction(bar.SliderAction.SliderToMinimum)
        view.resize(360, 600)
        qtbot.wait(20)
        assert bar.value() == 0

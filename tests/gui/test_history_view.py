"""The history of a token: what it was made of, what earned it, where it lives on."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from bpe_studio.analysis.earned import EarnedProgress
from bpe_studio.analysis.flags import flag
from bpe_studio.analysis.history import History, PieceUse, history
from bpe_studio.gui.models.history_text import (
    earned_words,
    files_words,
    history_lines,
    longer_words,
    next_words,
    origin,
)
from bpe_studio.gui.widgets.earned_view import NO_CORPUS, EarnedView, PieceRow
from bpe_studio.gui.widgets.history_view import MOST_MERGES, HistoryView
from bpe_studio.gui.widgets.token_chips import TokenChips
from tests.gui.small_tables import small_tokenizer

USES = (
    PieceUse(b" lowest", 6, 1, (("a.txt", 4), ("b.txt", 1), ("c.txt", 1), ("d.txt", 1))),
    PieceUse(b"<b>low", 2, 1),
)


def token_of(text: str) -> int:
    found = small_tokenizer().table.find(text.encode())
    assert found is not None
    return found


def told(text: str) -> History:
    return history(small_tokenizer(), token_of(text))


def make(qtbot: QtBot, history: History, *, named: bool = False) -> HistoryView:
    view = HistoryView(tokenizer=small_tokenizer(), history=history, named=named)
    qtbot.addWidget(view)
    view.resize(340, 600)
    view.show()
    return view


def words(view: HistoryView | EarnedView) -> str:
    return "\n".join(label.text() for label in view.findChildren(QLabel) if label.isVisible())


def test_the_way_to_a_token_is_told_merge_by_merge(qtbot: QtBot) -> None:
    found = told(" lowest")
    view = make(qtbot, found)
    rows = [row.accessibleDescription() for row in view.findChildren(TokenChips)]
    merges = [row for row in rows if row.startswith("rank")]
    assert [row.split()[1] for row in merges] == [str(made.rank) for made in found.ancestry]
    assert merges[-1].split()[-2] == "␠lowest"
    count = found.makings[0].count
    assert f"seen {count} times" in words(view)
    chosen = []
    view.chosen.connect(chosen.append)
    view.findChildren(TokenChips)[0].chosen.emit(9)
    assert chosen == [9]


def test_what_it_lives_on_in_are_chips(qtbot: QtBot) -> None:
    found = told("low")
    view = make(qtbot, found)
    shown = words(view)
    assert f"Used by {found.next_total} merge" in shown
    assert f"{found.longer_total} longer token" in shown
    rows = [row.chips for row in view.findChildren(TokenChips)]
    assert found.longer[0] in {chip.token for chip in rows[-1]}


def test_of_a_long_way_the_end_is_told(qtbot: QtBot) -> None:
    found = told(" lowest")
    long = replace(found, ancestry=found.ancestry[-1:] * (MOST_MERGES + 3))
    assert "3 merges came before these" in words(make(qtbot, long))


def test_a_token_that_is_not_selected_is_named(qtbot: QtBot) -> None:
    found = told("low")
    row = make(qtbot, found, named=True).findChildren(TokenChips)[0]
    assert [chip.token for chip in row.chips] == [found.token, None]


@pytest.mark.parametrize(
    ("token", "sentence"), [(3 + 0x6C, "base symbol"), (1, "special"), (0, "special")]
)
def test_what_no_merge_makes_says_so_and_has_nothing_to_find(
    qtbot: QtBot, token: int, sentence: str
) -> None:
    found = history(small_tokenizer(), token)
    assert sentence in origin(found)
    assert make(qtbot, found).earned.isHidden()


def test_other_origins_in_words() -> None:
    found = told("low")
    assert origin(replace(found, makings=found.makings * 2)).startswith("2 merges make it")
    several = replace(found, makings=found.makings * 2, earned=USES, earned_pieces=2)
    assert "its 2 merges fire" in earned_words(several)
    assert "none of its merges fires" in earned_words(replace(several, earned_pieces=0))
    assert "one possible way" in origin(replace(found, made_alone=False))
    assert origin(replace(found, makings=())) == "No merge of this table makes it."
    bare = replace(found.makings[0], count=None, applied=None)
    assert origin(replace(found, makings=(bare,))) == ""
    once = replace(found, next_total=1, longer_total=1)
    assert next_words(once) == "Used by 1 merge, into:"
    assert longer_words(once) == "1 longer token contains its bytes:"
    none = replace(found, next_total=0, longer_total=0)
    assert next_words(none).startswith("No merge uses it")
    assert longer_words(none).startswith("No longer token")


def test_as_text_it_has_merges_tokens_pieces_and_files() -> None:
    found = replace(told("low"), earned=USES, earned_pieces=2, earned_applied=8)
    text = "\n".join(history_lines(small_tokenizer(), found))
    for part in ("Why is this a token at all? low(", "rank 2", "fires 8 times, in 2 distinct"):
        assert part in text
    assert "␠lowest 6×, a.txt (4), b.txt (1), c.txt (1) and 1 more" in text
    assert files_words(USES[1]) == ""
    assert "does not fire" in earned_words(replace(found, earned=(), earned_pieces=0))


def test_whose_corpus_it_is_and_what_is_passed_over() -> None:
    found = replace(told("low"), earned=USES, earned_pieces=2, earned_applied=8)
    assert earned_words(found).startswith("In this corpus its merge")
    other = replace(found, earned_in_training=False)
    assert earned_words(other).startswith("In this corpus, not that of the training, its merge")
    held = replace(found, earned_in_training=True, earned_hold_out=0.02)
    assert earned_words(held) == (
        "In this corpus, that of the training, its merge fires 8 times, in 2 distinct pieces. "
        "The 2 % of documents held out are passed over. Most in:"
    )


def test_without_a_corpus_there_is_a_hint_and_with_one_a_button(qtbot: QtBot) -> None:
    view = EarnedView()
    qtbot.addWidget(view)
    view.show()
    assert words(view) == NO_CORPUS
    assert not view.button.isVisible()
    view.set_available(True)
    assert view.button.isVisible()
    assert words(view) == ""
    with qtbot.waitSignal(view.asked):
        view.button.click()


def test_progress_has_a_bar_and_cancel_then_pieces_are_listed(qtbot: QtBot) -> None:
    view = EarnedView()
    qtbot.addWidget(view)
    view.show()
    view.set_available(True)
    view.set_progress(None)
    assert (view.bar.isVisible(), view.button.isVisible()) == (True, False)
    view.set_progress(EarnedProgress("files", 3, 4))
    assert "75%" in view.words.text()
    assert view.bar.share == 0.75
    with qtbot.waitSignal(view.cancelAsked):
        view.cancel_button.click()
    view.set_ended("The corpus holds no text.")
    assert words(view) == "The corpus holds no text."
    assert not view.running
    found = replace(told("low"), earned=USES, earned_pieces=2, earned_applied=8)
    for _ in range(2):  # found again, they take the place of the old ones
        view.set_found(found)
        qtbot.wait(1)
        rows = view.findChildren(PieceRow)
        assert [row.accessibleName() for row in rows] == ["␠lowest, 6 times", "<b>low, 2 times"]
    shown = [label.text() for label in rows[0].findChildren(QLabel)]
    assert shown[2:] == ["a.txt", "4×", "b.txt", "1×", "c.txt", "1×", "and 1 more file"]
    assert view.button.isVisible()


def test_what_health_has_flagged_is_a_line_each(qtbot: QtBot) -> None:
    view = make(qtbot, told(" lowest"))
    assert not view.flags.isVisible()
    token = token_of(" lowest")
    view.set_flags((flag(token, "rare", "It is used 2 times."), flag(token, "run", "It runs.")))
    assert view.flags.isVisible()
    assert view.flags.text() == "Health: Rare. It is used 2 times.\nHealth: Run. It runs."
    view.set_flags(())
    assert not view.flags.isVisible()

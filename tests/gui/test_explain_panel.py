"""The Explain panel tells what the analysis says, and every token in it can be followed."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from bpe_studio.analysis.earned import earned as find_earned
from bpe_studio.analysis.explain import explain, why_not_one_token
from bpe_studio.analysis.letters import grid
from bpe_studio.analysis.proof import find_proof
from bpe_studio.bpe.generators import result_of
from bpe_studio.bpe.patterns import PRESETS
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.gui.models import explain_question
from bpe_studio.gui.models.telling import tell_span
from bpe_studio.gui.panels.explain_panel import LOOKING, ExplainPanel
from bpe_studio.gui.panels.text_panel import TextPanel
from bpe_studio.gui.state.corpus import CorpusState
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.selection import Selection
from bpe_studio.gui.state.size import SizeState
from bpe_studio.gui.state.text import TextState
from bpe_studio.gui.widgets.earned_view import PieceRow
from bpe_studio.gui.widgets.piece_view import PieceView
from bpe_studio.gui.widgets.token_chips import TokenChips
from tests.gui.small_tables import small_tokenizer

TEXT = "the lowest lower"


class Bench:
    """A panel with its states and an open table."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.text, self.tables, self.selection = TextState(), OpenTables(), Selection()
        self.corpus, self.size = CorpusState(), SizeState(self.tables)
        self.panel = ExplainPanel(
            text=self.text,
            tables=self.tables,
            selection=self.selection,
            corpus=self.corpus,
            size=self.size,
        )
        qtbot.addWidget(self.panel)
        self.panel.resize(340, 600)
        self.panel.show()
        self.tokenizer = small_tokenizer()
        self.tables.add(OpenTable(tokenizer=self.tokenizer, name="small"))

    def tell(self, start: int, end: int, text: str = TEXT) -> None:
        self.selection.select_span(text, start, end)
        self.qtbot.waitUntil(
            lambda: (
                self.panel.story is not None
                and (self.panel.story.text, self.panel.story.start) == (text, start)
            ),
            timeout=60_000,
        )

    def words(self) -> str:
        return "\n".join(label.text() for label in self.panel.shown.findChildren(QLabel))


@pytest.fixture
def bench(qtbot: QtBot) -> Bench:
    return Bench(qtbot)


def test_it_teaches_while_nothing_is_selected(bench: Bench) -> None:
    assert bench.panel.pages.currentWidget() is bench.panel.empty


def test_a_span_is_told_as_the_analysis_tells_it(bench: Bench) -> None:
    bench.tell(4, 10)
    reason = why_not_one_token(bench.tokenizer, TEXT, 4, 10)
    stories = explain(bench.tokenizer, TEXT, start=4, end=10).pieces
    assert bench.panel.story.reason == reason
    assert bench.panel.story.pieces == stories
    assert reason.sentence in bench.words()
    assert len(bench.panel.shown.findChildren(PieceView)) == len(stories)


def test_a_step_leads_to_its_merge_and_the_story_stays(bench: Bench) -> None:
    bench.tell(4, 10)
    told, shown = bench.panel.story, bench.panel.shown
    view = shown.findChildren(PieceView)[0]
    merged = told.pieces[0].steps[0].id
    view.chosen.emit(merged)
    bench.qtbot.wait(50)
    assert bench.selection.token == merged
    assert bench.panel.shown is shown
    assert all(row._selected == merged for row in view.findChildren(TokenChips))


def test_a_token_of_the_table_is_told_by_itself(bench: Bench) -> None:
    token = int(bench.tokenizer.table.merges[5, 2])
    bench.selection.select_token(token)
    bench.qtbot.waitUntil(lambda: bench.panel.story is not None, timeout=60_000)
    assert bench.panel.story.token.id == token
    assert "rank 5" in bench.words()
    assert "In training" in bench.words()


@pytest.mark.parametrize("token", [0, 3 + 0xE4])
def test_specials_and_half_characters_are_told(bench: Bench, token: int) -> None:
    bench.selection.select_token(token)
    bench.qtbot.waitUntil(lambda: bench.panel.story is not None, timeout=60_000)
    assert bench.panel.story.token.id == token


def test_the_place_stays_when_the_table_grows(bench: Bench) -> None:
    bench.panel.resize(340, 200)
    bench.tell(4, 10)
    bench.qtbot.wait(30)
    told, bar = bench.panel.story, bench.panel.scroll.verticalScrollBar()
    bar.setValue(60)
    bench.tables.set_tokenizer(bench.tables.current, small_tokenizer(merges=20))
    bench.qtbot.waitUntil(lambda: bench.panel.story is not told, timeout=60_000)
    bench.qtbot.waitUntil(lambda: bar.value() == 60)


def test_it_is_copied_as_text(bench: Bench) -> None:
    bench.tell(4, 10)
    bench.panel.copy()
    copied = QGuiApplication.clipboard().text()
    assert bench.panel.story.reason.sentence in copied
    assert f"rank {bench.panel.story.pieces[0].steps[0].rank}" in copied


def test_the_last_selection_wins(bench: Bench) -> None:
    bench.selection.select_span(TEXT, 0, 3)
    bench.qtbot.wait(2)
    bench.tell(11, 16)
    bench.qtbot.wait(100)
    assert bench.panel.story.start == 11


def test_closing_the_table_empties_it(bench: Bench) -> None:
    bench.tell(4, 10)
    bench.tables.remove(bench.tables.current)
    assert bench.panel.story is None


def test_a_span_that_is_gone_is_told_no_more(bench: Bench) -> None:
    bench.text.set_text(TEXT)
    bench.tell(4, 10)
    bench.text.set_text("something else")
    assert bench.panel.pages.currentWidget() is bench.panel.empty
    assert bench.panel.story is None
    bench.text.set_text(TEXT)
    bench.tell(4, 10)  # the same span again is told again


def test_a_span_that_moved_is_followed(bench: Bench) -> None:
    bench.text.set_text(TEXT)
    bench.tell(4, 10)
    bench.text.set_text("see " + TEXT)
    bench.qtbot.waitUntil(lambda: bench.panel.story.start == 8, timeout=60_000)
    assert "characters 8 to 14" in bench.words().replace("\u00a0", " ")


def test_a_token_of_the_table_outlives_the_text(bench: Bench) -> None:
    bench.text.set_text(TEXT)
    bench.selection.select_token(int(bench.tokenizer.table.merges[5, 2]))
    bench.qtbot.waitUntil(lambda: bench.panel.story is not None, timeout=60_000)
    bench.text.set_text("something else")
    assert bench.panel.story is not None


def test_a_long_word_does_not_widen_the_story(bench: Bench) -> None:
    """The sentence quotes what is selected, in which spaces are marks and no place to break."""
    text = " ".join("lowest newest widest" for _ in range(8))
    bench.selection.select_span(text, 0, len(text))
    bench.qtbot.waitUntil(lambda: bench.panel.story is not None, timeout=60_000)
    bench.qtbot.wait(20)
    assert bench.panel.shown.width() == bench.panel.scroll.viewport().width()
    assert bench.panel.story.reason.sentence.replace("␠", "␣") in bench.words()


def test_of_a_long_selection_the_beginning_is_told(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(explain_question, "MOST_CHARACTERS", 6)
    bench.tell(4, 16)
    assert (bench.panel.story.start, bench.panel.story.end) == (4, 10)
    assert "first 6 characters" in bench.words()
    bench.tell(0, 3)
    assert "first 6 characters" not in bench.words()


# Why, and the proof of it


@given(text=st.text(alphabet="lowernstid <", min_size=1, max_size=16), data=st.data())
@settings(max_examples=30, deadline=None)
def test_what_is_told_is_what_the_analysis_says(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    tokenizer = small_tokenizer()
    told = result_of(tell_span(tokenizer, text, start, end))
    assert told.reason == why_not_one_token(tokenizer, text, start, end)
    assert told.pieces == explain(tokenizer, text, start=start, end=end).pieces
    assert told.grid == grid(tokenizer, text, start, end)


def test_the_proof_comes_after_the_answer_and_can_be_looked_at(bench: Bench) -> None:
    bench.text.set_text(TEXT)
    bench.tell(4, 7)  # "low" in "lowest"
    bench.qtbot.waitUntil(lambda: bench.panel.story.proof is not None, timeout=60_000)
    proof = find_proof(bench.tokenizer, TEXT, bench.panel.story.reason)
    assert bench.panel.story.proof == proof
    assert "Seen in the shortest text" in bench.words()
    tokens = [
        [chip.token for chip in row.chips] for row in bench.panel.shown.findChildren(TokenChips)
    ]
    assert list(proof.ids) in tokens
    bench.panel.shown.reason.look_button.click()
    bench.qtbot.waitUntil(lambda: bench.panel.story.text == proof.text, timeout=60_000)
    assert (bench.panel.story.start, bench.panel.story.end) == (proof.start, proof.end)
    assert "a text of its own" in bench.words()


# Views, folds, pictures


def test_folds_and_the_view_of_merges_are_remembered(bench: Bench) -> None:
    bench.tell(4, 10)
    bench.panel.shown.sections["letters"].button.click()
    bench.panel.switch_merges()
    bench.tell(11, 16)
    shown = bench.panel.shown
    assert not shown.sections["letters"].is_open
    assert shown.sections["why"].is_open
    assert shown.pieces[0].tree.isVisibleTo(shown)
    bench.panel.switch_merges()
    assert not shown.pieces[0].tree.isVisibleTo(shown)


def test_a_node_of_the_tree_selects_its_token_everywhere(bench: Bench) -> None:
    bench.panel.switch_merges()
    bench.tell(4, 10)
    told, shown = bench.panel.story, bench.panel.shown
    tree = shown.pieces[0].tree.tree
    bench.qtbot.mouseClick(tree, Qt.MouseButton.LeftButton, pos=tree.box(0).center().toPoint())
    assert bench.selection.token == told.pieces[0].symbols[0]
    bench.qtbot.wait(20)
    assert bench.panel.shown is shown
    assert tree._selected == bench.selection.token


def test_the_tree_is_copied_also_while_steps_are_shown(bench: Bench) -> None:
    with bench.qtbot.assertNotEmitted(bench.panel.told):
        bench.panel.copy_tree()
    bench.tell(4, 10)
    with bench.qtbot.waitSignal(bench.panel.told):
        bench.panel.copy_tree()
    assert not QGuiApplication.clipboard().image().isNull()
    assert not bench.panel.shown.pieces[0].tree.isVisibleTo(bench.panel.shown)


def test_of_many_pieces_the_first_are_open_and_others_open_when_asked(bench: Bench) -> None:
    text = "low lower lowest newest"
    bench.tell(0, len(text), text)
    shown = bench.panel.shown
    assert sorted(shown.pieces) == [0, 1]
    shown.sections["piece 3"].set_open(True)
    assert shown.pieces[3].story == bench.panel.story.pieces[3]


def test_another_window_of_a_long_piece_is_shown_and_copied(bench: Bench) -> None:
    text = "low" * 400
    bench.tell(0, 3, text)
    first = bench.panel.story.pieces[0]
    assert first.shortened
    bench.panel.go_in_piece(-1)  # there is none before it
    bench.panel.go_in_piece(1)
    bench.qtbot.waitUntil(lambda: bench.panel.story.pieces[0] is not first, timeout=60_000)
    story = bench.panel.story.pieces[0]
    assert story.first_symbol > 0
    assert bench.panel.shown.pieces[0].story is story
    bench.panel.copy()
    assert f"Symbols {story.first_symbol:,} to" in QGuiApplication.clipboard().text()
    bench.panel.go_in_piece(-1)
    bench.qtbot.waitUntil(
        lambda: bench.panel.story.pieces[0].first_symbol < story.first_symbol, timeout=60_000
    )


def test_everything_shown_is_copied(bench: Bench) -> None:
    bench.tell(4, 7)
    bench.qtbot.waitUntil(lambda: bench.panel.story.proof is not None, timeout=60_000)
    bench.panel.copy()
    copied = QGuiApplication.clipboard().text()
    for part in (
        "Why is this not one token?",
        "Seen in the shortest text:",
        "Nearest variants",
        "Letters",
        "Why is this a token at all? low(",
    ):
        assert part in copied


# What earned it


def test_the_pieces_of_the_corpus_that_earned_a_token_are_found(
    bench: Bench, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("lowest low lowest\n")
    (tmp_path / "b.txt").write_text("lower slow\n")
    token = bench.tokenizer.table.find(b"low")
    bench.selection.select_token(token)
    bench.qtbot.waitUntil(lambda: bench.panel.story is not None, timeout=60_000)
    earned = bench.panel.shown.history.earned
    assert not earned.button.isVisibleTo(earned)
    bench.corpus.add([tmp_path])
    bench.qtbot.waitUntil(lambda: earned.button.isVisibleTo(earned))
    earned.button.click()
    bench.qtbot.waitUntil(lambda: bench.panel.story.history.earned is not None, timeout=60_000)
    assert bench.panel.story.history == find_earned(bench.tokenizer, token, bench.corpus.corpus)
    rows = earned.findChildren(PieceRow)
    assert len(rows) == len(bench.panel.story.history.earned) > 0
    assert "a.txt" in bench.words()


def test_looking_for_them_can_be_cancelled(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("lowest low lowest\n" * 50_000)
    bench.corpus.add([tmp_path])
    bench.selection.select_token(bench.tokenizer.table.find(b"low"))
    bench.qtbot.waitUntil(lambda: bench.panel.story is not None, timeout=60_000)
    bench.qtbot.waitUntil(lambda: bench.corpus.corpus is not None)
    bench.panel.find_earned()
    earned = bench.panel.shown.history.earned
    assert earned.running
    earned.cancel_button.click()
    assert not earned.running
    bench.qtbot.wait(50)
    assert bench.panel.story.history.earned is None


def test_without_a_corpus_the_action_says_what_is_missing(bench: Bench) -> None:
    bench.tell(4, 10)
    with bench.qtbot.waitSignal(bench.panel.told) as told:
        bench.panel.find_earned()
    assert "Open a corpus" in told.args[0]


# Selecting in the text


def test_selecting_in_the_text_by_keyboard_and_mouse_reaches_the_panel(
    bench: Bench, qtbot: QtBot
) -> None:
    panel = TextPanel(text=bench.text, tables=bench.tables, selection=bench.selection)
    qtbot.addWidget(panel)
    panel.resize(400, 300)
    panel.show()
    bench.text.set_text(TEXT)
    qtbot.waitUntil(lambda: panel.pane.token_layout() is not None, timeout=60_000)

    def told() -> str:
        story = bench.panel.story
        return "" if story is None else story.text[story.start : story.end]

    keys, word = Qt.Key, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(panel.pane, keys.Key_Home, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(panel.pane, keys.Key_Right, word)
    qtbot.waitUntil(lambda: told() == "the ", timeout=60_000)
    qtbot.keyClick(panel.pane, keys.Key_Right, word)
    qtbot.waitUntil(lambda: told() == "the lowest ", timeout=60_000)
    qtbot.keyClick(panel.pane, keys.Key_Home, Qt.KeyboardModifier.ControlModifier)
    layout = panel.pane.token_layout()
    seen = []
    for _ in range(2):
        qtbot.keyClick(panel.pane, keys.Key_Right, Qt.KeyboardModifier.AltModifier)
        token = panel.pane._painter.current
        start, end = layout.characters[token].tolist()
        qtbot.waitUntil(lambda here=TEXT[start:end]: told() == here, timeout=60_000)
        seen.append(token)
    assert seen[1] == seen[0] + 1
    qtbot.keyClick(panel.pane, keys.Key_Home, Qt.KeyboardModifier.ControlModifier)
    place = panel.pane.cursorRect().center()
    qtbot.mouseDClick(panel.pane.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(lambda: told() == "the", timeout=60_000)


def test_a_span_is_told_at_the_size_where_the_slider_rests(bench: Bench) -> None:
    bench.tell(4, 10)
    bench.size.set_merges(3)
    smaller = bench.tokenizer.prefix(3)
    bench.qtbot.waitUntil(
        lambda: bench.panel.story.reason == why_not_one_token(smaller, TEXT, 4, 10), timeout=60_000
    )
    assert bench.panel.story.reason != why_not_one_token(bench.tokenizer, TEXT, 4, 10)
    assert bench.panel.story.tokenizer.merges == smaller.merges
    assert "first 3 merges" in bench.words()


def test_a_token_that_the_size_lacks_comes_back_with_it(bench: Bench) -> None:
    token = int(bench.tokenizer.table.merges[5, 2])
    bench.selection.select_token(token)
    bench.qtbot.waitUntil(lambda: bench.panel.story is not None, timeout=60_000)
    bench.size.set_merges(5)
    bench.qtbot.waitUntil(
        lambda: "merge of rank 5 (" in bench.panel.empty.sentence.text(), timeout=60_000
    )
    assert bench.panel.pages.currentWidget() is bench.panel.empty
    bench.size.set_merges(6)
    bench.qtbot.waitUntil(
        lambda: bench.panel.pages.currentWidget() is bench.panel.scroll, timeout=60_000
    )
    assert bench.panel.story.token.id == token


def test_a_smaller_size_tells_the_ranks_of_the_whole_table(qtbot: QtBot) -> None:
    """Merge 0 waits for the last one, and abc is first made by a merge that does not fire."""
    bench = Bench(qtbot)
    merges = [(256, 97, 260), (98, 99, 257), (97, 98, 258), (258, 99, 259), (97, 257, 259)]
    table = MergeTable.build(byte_ids=range(256), merges=[*merges, (97, 97, 256)])
    bench.tables.add(
        OpenTable(tokenizer=Tokenizer(table=table, pattern=PRESETS["classic"]), name="abc")
    )
    bench.size.set_merges(5)
    bench.selection.select_token(259)
    bench.tell(0, 3, "abc")
    assert bench.selection.rank == 4
    qtbot.waitUntil(lambda: "first 5 merges" in bench.words(), timeout=60_000)
    assert [step.rank for step in bench.panel.story.pieces[0].steps] == [1, 4]
    assert "ranks\xa03,\xa04" in bench.words()


def test_what_takes_long_says_so(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bpe_studio.gui.panels.explain_panel.LATE_MS", 10)
    ready, tables, selection = Event(), OpenTables(), Selection()
    panel = ExplainPanel(text=TextState(), tables=tables, selection=selection, ready=ready)
    qtbot.addWidget(panel)
    tables.add(OpenTable(tokenizer=small_tokenizer(), name="small"))
    selection.select_span(TEXT, 4, 10)
    qtbot.waitUntil(lambda: panel.empty.sentence.text() == LOOKING)
    ready.set()
    qtbot.waitUntil(lambda: panel.pages.currentWidget() is panel.scroll, timeout=60_000)
    assert panel.story.start == 4


def test_another_table_tells_the_same_span(bench: Bench) -> None:
    bench.tell(4, 10)
    other = small_tokenizer(merges=6)
    bench.tables.add(OpenTable(tokenizer=other, name="other"))
    bench.selection.leave_table()
    bench.qtbot.waitUntil(lambda: bench.panel.story.tokenizer is other, timeout=60_000)
    assert bench.panel.story.reason == why_not_one_token(other, TEXT, 4, 10)
    assert bench.panel.pages.currentWidget() is bench.panel.scroll


def test_another_table_does_not_tell_a_token_of_the_last_one(bench: Bench) -> None:
    bench.tell(4, 10)
    bench.selection.select_token(270)
    bench.qtbot.waitUntil(lambda: bench.panel.story.alone, timeout=60_000)
    bench.tables.add(OpenTable(tokenizer=small_tokenizer(merges=6), name="other"))
    bench.selection.leave_table()
    bench.qtbot.wait(100)
    assert bench.panel.pages.currentWidget() is bench.panel.empty
    assert bench.selection.span is None


def test_what_earned_a_token_is_brought_in_sight(bench: Bench, tmp_path: Path) -> None:
    bench.panel.resize(340, 240)
    (tmp_path / "a.txt").write_text("lowest the newest wider " * 30)
    bench.corpus.add([tmp_path])
    bench.qtbot.waitUntil(lambda: bench.corpus.corpus is not None)
    bench.selection.select_token(int(bench.tokenizer.table.merges[5, 2]))
    bench.qtbot.waitUntil(lambda: bench.panel.story is not None, timeout=60_000)
    bench.panel.shown.sections["history"].set_open(False)
    bench.panel.find_earned()
    bench.qtbot.waitUntil(lambda: bench.panel.story.history.earned is not None, timeout=60_000)
    area = bench.panel.scroll.viewport()

    def in_sight() -> bool:
        rows = bench.panel.shown.history.earned.findChildren(PieceRow)
        return bool(rows) and area.rect().contains(rows[0].mapTo(area, rows[0].rect().topLeft()))

    bench.qtbot.waitUntil(in_sight, timeout=30_000)

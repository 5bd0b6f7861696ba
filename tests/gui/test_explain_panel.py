"""The Explain panel tells what the analysis says, and every token in it can be followed."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from bpe_studio.analysis.explain import explain, why_not_one_token
from bpe_studio.gui.panels import explain_panel
from bpe_studio.gui.panels.explain_panel import ExplainPanel
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.selection import Selection
from bpe_studio.gui.state.text import TextState
from bpe_studio.gui.widgets.piece_view import PieceView
from bpe_studio.gui.widgets.token_chips import TokenChips
from tests.gui.small_tables import small_tokenizer

TEXT = "the lowest lower"


class Bench:
    """A panel with its states and an open table."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.text, self.tables, self.selection = TextState(), OpenTables(), Selection()
        self.panel = ExplainPanel(text=self.text, tables=self.tables, selection=self.selection)
        qtbot.addWidget(self.panel)
        self.panel.resize(340, 600)
        self.panel.show()
        self.tokenizer = small_tokenizer()
        self.tables.add(OpenTable(tokenizer=self.tokenizer, name="small"))

    def tell(self, start: int, end: int) -> None:
        self.selection.select_span(TEXT, start, end)
        self.qtbot.waitUntil(
            lambda: self.panel.story is not None and self.panel.story.start == start, timeout=60_000
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
    told = bench.panel.story
    view = bench.panel.shown.findChildren(PieceView)[0]
    merged = told.pieces[0].steps[0].id
    view.chosen.emit(merged)
    bench.qtbot.wait(50)
    assert bench.selection.token == merged
    assert bench.panel.story is told
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
    monkeypatch.setattr(explain_panel, "MOST_CHARACTERS", 6)
    bench.tell(4, 16)
    assert (bench.panel.story.start, bench.panel.story.end) == (4, 10)
    assert "first 6 characters" in bench.words()
    bench.tell(0, 3)
    assert "first 6 characters" not in bench.words()

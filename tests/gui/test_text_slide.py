"""The slider over the text: whatever is shown is what the first merges make of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from bpe_studio.bpe.edits import Lowercase
from bpe_studio.bpe.patterns import PRESETS
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.text_rules import AddedToken, TextRules
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.gui.job import Job
from bpe_studio.gui.models.long_document import MOST_LINES
from bpe_studio.gui.panels.text_panel import TextPanel
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.selection import Selection
from bpe_studio.gui.state.size import SizeState
from bpe_studio.gui.state.text import TextState
from bpe_studio.gui.widgets import text_slide
from bpe_studio.gui.widgets.long_text_view import LongTextView
from tests.gui.small_tables import small_tokenizer

TEXT = "the lowest of the low, newer than the widest löw <bos> "


class Bench:
    """A panel with its states."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.text, self.tables, self.selection = TextState(), OpenTables(), Selection()
        self.size = SizeState(self.tables)
        self.panel = TextPanel(
            text=self.text, tables=self.tables, selection=self.selection, size=self.size
        )
        qtbot.addWidget(self.panel)
        self.panel.resize(640, 440)
        self.panel.show()

    @property
    def slide(self) -> text_slide.TextSlide:
        return self.panel.slide

    def open(self, tokenizer: Tokenizer | None = None) -> OpenTable:
        return self.tables.add(OpenTable(tokenizer=tokenizer or small_tokenizer(), name="small"))

    def wait(self, what: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(what, timeout=60_000)

    def rest(self) -> None:
        self.wait(lambda: self.size.rests and self.panel.pane.layout_is_fresh)
        self.wait(lambda: not self.panel._worker.busy)

    def trace(self) -> None:
        """Move a little, so that the text is traced."""
        self.size.set_merges(1)
        self.wait(lambda: self.slide.tracer._answer is not None)

    def shown(self) -> list[int]:
        return self.panel.pane.token_layout().ids.tolist()


@pytest.fixture
def bench(qtbot: QtBot) -> Bench:
    return Bench(qtbot)


def edited_tokenizer() -> Tokenizer:
    return replace(small_tokenizer(), rules=TextRules(normalizer=(Lowercase(),)))


def special_tokenizer() -> Tokenizer:
    rules = TextRules(added=(AddedToken("<bos>", 1),))
    return replace(small_tokenizer(), rules=rules)


@pytest.mark.parametrize("make", [small_tokenizer, edited_tokenizer, special_tokenizer])
def test_every_frame_is_what_the_first_merges_make(
    bench: Bench, make: Callable[[], Tokenizer]
) -> None:
    tokenizer = bench.open(make()).tokenizer
    bench.text.set_text(TEXT.title())
    bench.trace()
    for merges in (0, 5, 27, 17, 28, 2):
        bench.size.set_merges(merges)
        bench.slide._frame()
        expected = tokenizer.prefix(merges).encode(TEXT.title())
        assert bench.shown() == expected
        assert bench.panel.ids_line.ids.text() == " ".join(map(str, expected))
        assert f"{len(expected)} tokens" in bench.panel.figures.text()
    bench.rest()
    assert bench.shown() == tokenizer.prefix(2).encode(TEXT.title())


def test_the_figures_say_that_a_smaller_size_is_shown(bench: Bench) -> None:
    bench.open()
    bench.text.set_text(TEXT)
    bench.panel.slide.bar.slider.setValue(10)
    bench.rest()
    shown, whole = small_tokenizer().prefix(10), small_tokenizer()
    assert bench.panel.figures.text().startswith(f"size {shown.vocab_size} of {whole.vocab_size}")
    bench.panel.copy_ids()
    copied = QGuiApplication.clipboard().text()
    assert copied == " ".join(map(str, shown.encode(TEXT)))
    assert bench.panel.picked.tokenizer.merges == shown.merges, "what tooltips are of"
    bench.panel.slide.bar.all_button.click()
    bench.rest()
    bench.wait(lambda: bench.shown() == whole.encode(TEXT))
    assert bench.panel.figures.text().startswith(f"{len(TEXT)} characters")


def test_dragging_never_lets_jobs_wait_in_a_line(bench: Bench) -> None:
    bench.open()
    bench.text.set_text(TEXT)
    for merges in range(28):
        bench.panel.slide.bar.slider.setValue(merges)
        bench.qtbot.wait(2)
        assert len(bench.panel.findChildren(Job)) <= 2, "one that traces, one that encodes"
        assert len(bench.size.findChildren(Job)) <= 1
    bench.rest()
    assert bench.shown() == small_tokenizer().prefix(27).encode(TEXT)


def test_frames_in_one_turn_of_the_loop_are_one(bench: Bench) -> None:
    bench.open()
    bench.text.set_text(TEXT)
    bench.trace()
    bench.rest()
    frames = []
    bench.slide.moved.connect(frames.append)
    for merges in range(25):
        bench.size.set_merges(merges)
    bench.wait(lambda: bool(frames))
    assert len(frames) == 1
    assert frames[0].tokens == len(small_tokenizer().prefix(24).encode(TEXT))


def test_another_table_while_tracing(bench: Bench) -> None:
    bench.open()
    bench.text.set_text(TEXT)
    bench.size.set_merges(3)
    bench.slide._frame()
    assert bench.slide.tracer.busy
    other = bench.open(small_tokenizer(merges=20))
    bench.rest()
    assert bench.shown() == other.tokenizer.encode(TEXT)
    bench.size.set_merges(4)
    bench.wait(lambda: bench.slide.tracer._answer is not None)
    assert bench.slide.tracer._answer.tokenizer is other.tokenizer
    bench.rest()
    assert bench.shown() == other.tokenizer.prefix(4).encode(TEXT)


def test_another_text_while_sliding(bench: Bench) -> None:
    table = bench.open()
    bench.text.set_text(TEXT)
    bench.trace()
    bench.size.set_merges(9)
    bench.text.set_text("lower and lower")
    bench.rest()
    assert bench.shown() == table.tokenizer.prefix(9).encode("lower and lower")
    bench.size.set_merges(11)
    bench.wait(lambda: bench.slide.tracer._answer is not None)
    bench.rest()
    assert bench.shown() == table.tokenizer.prefix(11).encode("lower and lower")


def test_only_what_is_visible_of_a_long_text(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_slide, "WHOLE", 100)
    tokenizer, text = bench.open().tokenizer, (TEXT + "\n") * 400
    bench.text.set_text(text)
    bench.rest()
    bench.trace()
    bench.size.set_merges(8)
    bench.slide._frame()
    pane, expected = bench.panel.pane, tokenizer.prefix(8).encode(text)
    assert not pane.layout_is_fresh and not bench.panel.ids_line.copy_button.isEnabled()
    part = bench.shown()
    assert part == expected[: len(part)] and len(part) < len(expected) // 4
    assert f"{len(expected):,} tokens" in bench.panel.figures.text()
    pane.verticalScrollBar().setValue(pane.verticalScrollBar().maximum())
    bench.wait(lambda: pane.layout_is_fresh or bench.shown() == expected[-len(bench.shown()) :])
    bench.rest()
    assert bench.shown() == expected


def test_a_text_too_large_to_trace_is_cut_when_the_slider_rests(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_slide, "MOST", 10)
    tokenizer = bench.open().tokenizer
    bench.text.set_text(TEXT)
    bench.rest()
    bench.size.set_merges(8)
    bench.slide._frame()
    assert text_slide.LARGE in bench.panel.figures.text()
    bench.size.set_merges(None)
    bench.slide._frame()
    assert bench.panel.figures.text() == text_slide.LARGE, "no dot before it"
    bench.size.set_merges(8)
    bench.rest()
    assert bench.shown() == tokenizer.prefix(8).encode(TEXT)
    assert not bench.slide.tracer.busy and bench.size.curve is None
    assert bench.slide.tracer.answer(tokenizer, TEXT) is None


def test_the_curve_of_the_text(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer = bench.open().tokenizer
    bench.text.set_text(TEXT)
    bench.trace()
    assert bench.size.curve.tokens[5] == len(tokenizer.prefix(5).encode(TEXT))
    bench.text.set_text("another")
    assert bench.size.curve_is_old and bench.size.curve.characters == len(TEXT)
    assert bench.size.why_no_curve == text_slide.TRACING
    bench.slide._idle_timer.setInterval(0)
    bench.text.set_text("a third")
    bench.wait(lambda: not bench.size.curve_is_old)
    assert bench.size.curve.characters == 7, "it is known before anybody slides"
    assert not bench.size.curve_is_old and not bench.size.why_no_curve
    bench.text.set_text("")
    assert bench.size.curve is None and not bench.size.why_no_curve


@pytest.mark.parametrize(("limit", "why"), [("MOST", "TOO_LONG"), ("MOST_IDLE", "ON_DEMAND")])
def test_a_text_that_is_not_traced_says_why(
    bench: Bench, limit: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.open()
    bench.text.set_text("low")
    bench.trace()
    monkeypatch.setattr(text_slide, limit, 10)
    bench.text.set_text(TEXT)
    assert bench.size.curve is None and bench.size.why_no_curve == getattr(text_slide, why)


def test_a_long_text_keeps_its_curve_when_it_is_edited(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.open()
    bench.text.set_text(TEXT * 3)
    bench.trace()
    monkeypatch.setattr(text_slide, "MOST_IDLE", 10)
    bench.text.set_text(TEXT * 3 + "a")
    assert bench.size.curve_is_old and bench.size.why_no_curve == text_slide.ON_DEMAND


def test_what_a_table_makes_of_its_added_tokens_is_not_guessed(bench: Bench) -> None:
    """With too few merges they are no tokens that are found: it is encoded when it rests."""
    table = MergeTable.build(byte_ids=range(256), merges=[(97, 98, 256), (97, 99, 257)])
    rules = TextRules(added=(AddedToken("ac", 257, special=False),))
    tokenizer = replace(Tokenizer(table, PRESETS["classic"]), rules=rules)
    bench.open(tokenizer)
    bench.text.set_text("abac")
    bench.size.set_merges(1)
    bench.wait(lambda: bench.slide.tracer._answer is not None)
    bench.rest()
    assert bench.shown() == tokenizer.prefix(1).encode("abac") == [256, 97, 99]
    assert bench.size.curve is None and bench.size.why_no_curve == text_slide.NOT_EXACT


def test_tables_of_one_size_only_say_why(bench: Bench) -> None:
    bar = bench.slide.bar
    assert not bar.isVisible(), "without a table there is nothing to choose"
    whole = small_tokenizer()
    for tokenizer, why in (
        (small_tokenizer(merges=0), text_slide.NO_MERGES),
        (replace(whole, view_only="It is looked at only."), text_slide.VIEW_ONLY),
    ):
        bench.open(tokenizer)
        assert bar.isVisible() and not bar.slider.isEnabled()
        assert bar.slider.accessibleDescription() == why
    bench.open(whole)
    assert bar.slider.isEnabled()


def test_a_table_in_training_keeps_the_size(bench: Bench) -> None:
    table = bench.open(small_tokenizer(merges=20))
    bench.text.set_text(TEXT)
    bench.size.set_merges(12)
    bench.rest()
    bench.tables.set_tokenizer(table, small_tokenizer())
    assert (bench.slide.bar.slider.value(), bench.slide.bar.slider.maximum()) == (12, 28)
    bench.wait(lambda: bench.size.rests)
    bench.rest()
    assert bench.shown() == small_tokenizer().prefix(12).encode(TEXT)


def test_tokens_have_tips_while_the_slider_moves(bench: Bench) -> None:
    tokenizer = bench.open().tokenizer
    bench.text.set_text("lowest")
    bench.trace()
    bench.size.set_merges(0)
    bench.rest()
    bench.size.set_merges(27)
    bench.slide._frame()
    assert not bench.size.rests
    token = bench.shown()[0]
    assert token not in tokenizer.prefix(0).table
    assert f"{token}" in bench.panel._tip(0)
    bench.panel.views.tokenHovered.emit(0)
    assert any(chip.token == token for chip in bench.panel.readout.chips)


def test_a_text_that_is_only_read_slides_too(bench: Bench) -> None:
    tokenizer, text = bench.open().tokenizer, "low newest\n" * (MOST_LINES + 1)
    bench.text.set_text(text)
    assert isinstance(bench.panel.pane, LongTextView)
    bench.rest()
    bench.trace()
    bench.size.set_merges(6)
    bench.slide._frame()
    part, expected = bench.shown(), tokenizer.prefix(6).encode(text)
    assert part == expected[: len(part)] and 0 < len(part) < len(expected) // 10
    bench.rest()
    assert bench.shown() == expected

"""The Text page of Compare shows what the analysis finds, and nothing that holds no more."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from pytestqt.qtbot import QtBot

from bpe_studio.analysis.compare_lines import compare_lines_of
from bpe_studio.analysis.compare_text import compare_text
from bpe_studio.analysis.difference_reasons import difference_reasons
from bpe_studio.analysis.reason_summary import summary_of
from bpe_studio.gui.models import pair_comparing
from bpe_studio.gui.models.legible import legible
from bpe_studio.gui.models.text_pair import compare_texts, marks
from bpe_studio.gui.models.token_layout import lay_out
from bpe_studio.gui.widgets import both_cuts_view
from bpe_studio.gui.widgets.compare_pages import TEXT as TEXT_PAGE
from bpe_studio.gui.widgets.token_chips import Chip, TokenChips
from tests.gui.comparing import TEXT_SHOWN as TEXT
from tests.gui.comparing import Bench
from tests.gui.small_tables import PROSE, small_tokenizer


@pytest.fixture
def bench(qtbot: QtBot) -> Bench:
    return Bench(qtbot, TEXT_PAGE)


def test_the_text_stands_under_both(bench: Bench) -> None:
    a, b = bench.open_two()
    expected = compare_text(a.tokenizer, b.tokenizer, TEXT)
    pair = bench.panel.pages.text.pair
    assert f"{expected.tokens_a} tokens" in pair.figures[0].text()
    assert f"{expected.tokens_b} tokens" in pair.figures[1].text()
    assert len(pair.layout_of(0)) == expected.tokens_a
    bench.text.set_text("lower")
    bench.wait(a, b)
    assert pair.panes[0].text() == "lower"
    assert pair.panes[0].isReadOnly()


def test_marks_are_the_tokens_of_differing_spans() -> None:
    a, b = small_tokenizer(), small_tokenizer(PROSE[20:] * 3, 12)
    found = compare_text(a, b, TEXT)
    layout = lay_out(a, TEXT)
    expected = [
        any(span.start <= first < span.end for span in found.differences)
        for first in layout.characters[:, 0].tolist()
    ]
    assert (marks(layout, found) != 0).tolist() == expected
    assert np.any(marks(layout, found))


def test_differences_are_walked_round(bench: Bench) -> None:
    """With its reason, which is what the analysis says of it."""
    a, b = bench.open_two()
    page = bench.panel.pages.text
    found = compare_text(a.tokenizer, b.tokenizer, TEXT)
    rows = found.kinds.nonzero()[0].tolist()
    page.go(-1)
    assert page.card.head.text().startswith(f"{len(rows)} of {len(rows)} · ")
    page.go(1)
    assert page.card.head.text().startswith(f"1 of {len(rows)} · ")
    (expected,) = difference_reasons(a.tokenizer, b.tokenizer, TEXT, found, rows[:1])
    bench.qtbot.waitUntil(lambda: page.card.reason.text() == legible(expected.sentence))
    span = found.differences[0]
    assert f"{span.tokens_a} : {span.tokens_b} token" in page.card.head.text()
    texts = [[chip.text for chip in chips.chips] for chips in page.card.cuts]
    assert [len(cut) for cut in texts] == [span.tokens_a, span.tokens_b]
    for pane, layout in zip(page.pair.panes, (page.pair.layout_of(0), page.pair.layout_of(1)),
                            strict=True):  # fmt: skip
        token = pane._painter.current
        first, last = layout.characters[token].tolist()
        assert first <= span.start < last


def test_only_the_classes_that_are_wanted_are_walked(bench: Bench) -> None:
    a, b = bench.open_two()
    page = bench.panel.pages.text
    legend = page.legend
    counts = compare_text(a.tokenizer, b.tokenizer, TEXT).counts
    for kind, count in counts.items():
        assert legend.buttons[kind].text().endswith(f" {count}")
        for other, button in legend.buttons.items():
            button.setChecked(other == kind)
        assert legend.next_button.isEnabled() == bool(count)
        if count:
            page.go(1)
            assert f"of {count} · " in page.card.head.text()


def test_a_key_walks_through_one_class_after_the_other(bench: Bench) -> None:
    bench.open_two()
    legend = bench.panel.pages.text.legend
    there = [kind for kind, button in legend.buttons.items() if button.isEnabled()]
    assert there
    for kind in there:
        legend.next_class()
        assert legend.kinds == {kind}
    legend.next_class()
    assert legend.kinds == set(legend.buttons)


def test_keys_turn_to_other_views_and_texts(bench: Bench) -> None:
    bench.open_two()
    page = bench.panel.pages.text
    page.turn()
    assert page.pair.both.isVisible()
    page.turn()
    assert page.pair.panes[0].isVisible()
    texts = set()
    for _ in range(page.source.count() - 1):
        page.source.next_text()
        texts.add(page.source.text)
    assert page.source.currentIndex() == 0 and len(texts) == page.source.count() - 1


def test_a_token_in_one_pane_shows_the_same_place_in_the_other(bench: Bench) -> None:
    bench.open_two()
    page, told = bench.panel.pages.text, []
    page.spanChosen.connect(lambda *span: told.append(span))
    for side in (0, 1):
        layout, other = page.pair.layout_of(side), page.pair.layout_of(1 - side)
        for token in range(len(layout)):
            page.pair.panes[side].tokenClicked.emit(token)
            first, last = layout.characters[token].tolist()
            linked = page.pair.panes[1 - side]._painter.current
            begin, end = other.characters[linked].tolist()
            assert begin <= first < end
            assert page.pair.both._chosen[1 - side] == linked
            assert told[-1] == (TEXT, first, last)


def test_one_pane_has_both_cuts(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.open_two()
    tips: list[str] = []
    shown = SimpleNamespace(showText=lambda _, words, __: tips.append(words), hideText=tips.clear)
    monkeypatch.setattr(both_cuts_view, "QToolTip", shown)
    page = bench.panel.pages.text
    page.switch.choose(1)
    both = page.pair.both
    assert both.isVisible() and both.text() == TEXT
    told = []
    page.pair.tokenChosen.connect(lambda *token: told.append(token))
    row, place = next(iter(both.visible_rows()))
    for side in (0, 1):
        cells = both._cells_of(side, row, 0, row.height)
        rect = cells[1].rect.translated(place.topLeft())
        y = rect.top() - 4 if side == 0 else rect.bottom() + 4
        point = QPoint(int(rect.center().x()), int(y))
        assert both.side_at(point) == (side, cells[1].token)
        bench.qtbot.mouseClick(both.viewport(), Qt.MouseButton.LeftButton, pos=point)
        assert told[-1] == (side, cells[1].token)
        assert both._chosen[side] == cells[1].token
        both.viewportEvent(
            QHelpEvent(QEvent.Type.ToolTip, point, both.viewport().mapToGlobal(point))
        )
        assert f"<td>{page.pair.layout_of(side).ids[cells[1].token]}</td>" in tips[-1]
    both.grab()


def test_lines_by_difference(bench: Bench) -> None:
    a, b = bench.open_two()
    page = bench.panel.pages.text
    page.lines_button.setChecked(True)
    found = compare_text(a.tokenizer, b.tokenizer, TEXT)
    expected = compare_lines_of(a.tokenizer, b.tokenizer, TEXT, found)
    model = page.lines.model
    assert model.rowCount() == len(expected) == 2
    shown = [model.source_row(row) for row in range(2)]
    extra = expected.extra[shown].tolist()
    assert extra == sorted(extra, reverse=True)
    page.lines.table.selectRow(shown.index(1))
    start = int(expected.starts[1])
    token = page.pair.panes[0]._painter.current
    first, last = page.pair.layout_of(0).characters[token].tolist()
    assert first <= start < last


def test_probe_texts_leave_the_text_pane_alone(bench: Bench) -> None:
    a, b = bench.open_two()
    page = bench.panel.pages.text
    page.source.choose_probe("Emoji.txt")
    wanted = page.source.text
    assert wanted != TEXT and bench.text.text == TEXT
    bench.qtbot.waitUntil(lambda: page.pair.pair is not None and page.pair.pair.text == wanted)
    bench.text.set_text("other")
    assert page.pair.pair is not None and page.pair.pair.text == wanted
    page.source.setCurrentIndex(0)
    bench.wait(a, b)
    assert page.pair.pair.text == "other"


def test_all_reasons_are_summed_up(bench: Bench) -> None:
    a, b = bench.open_two()
    pair = bench.panel.pages.text.pair
    found = compare_text(a.tokenizer, b.tokenizer, TEXT)
    expected = summary_of(a.tokenizer, b.tokenizer, TEXT, found)
    bench.qtbot.waitUntil(lambda: pair.differences.text() == expected.sentence)


class Slow:
    """Comparisons of texts that wait to be let go, one entry for each that was begun."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun: list[str] = []
        self.closed: list[str] = []
        self.go = threading.Event()
        self._real = pair_comparing.compare_texts
        monkeypatch.setattr(pair_comparing, "compare_texts", self)

    def __call__(self, a: object, b: object, text: str, **options: object) -> Iterator[float]:
        self.begun.append(text)
        try:
            while not self.go.wait(0.005):
                yield 0.25
        except GeneratorExit:
            self.closed.append(text)
            raise
        return (yield from self._real(a, b, text, **options))


def test_a_stale_comparison_is_ended_and_not_shown(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = bench.open_two()
    pair, slow = bench.panel.pages.text.pair, Slow(monkeypatch)
    bench.text.set_text("one")
    assert pair.differences.text().startswith("Comparing")
    assert [pane.text() for pane in pair.panes] == ["", ""]
    assert pair.figures[0].text() == ""
    bench.qtbot.waitUntil(lambda: slow.begun == ["one"])
    bench.qtbot.waitUntil(lambda: "25 %" in pair.differences.text())
    bench.text.set_text("two")
    bench.qtbot.waitUntil(lambda: slow.closed == ["one"])
    bench.qtbot.waitUntil(lambda: slow.begun == ["one", "two"])
    slow.go.set()
    bench.wait(a, b)
    assert pair.panes[0].text() == "two"
    assert "Comparing" not in pair.differences.text()


def test_a_table_that_learns_does_not_stop_the_comparison(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, b = bench.open_two()
    slow = Slow(monkeypatch)
    bench.text.set_text("lowest")
    bench.qtbot.waitUntil(lambda: slow.begun == ["lowest"])
    bench.tables.set_tokenizer(b, small_tokenizer(merges=20))
    bench.qtbot.waitUntil(lambda: "25 %" in bench.panel.pages.text.pair.differences.text())
    assert not slow.closed
    slow.go.set()
    bench.qtbot.waitUntil(lambda: slow.begun == ["lowest"] * 2)
    bench.qtbot.waitUntil(lambda: bench.panel.pages.text.pair._tokenizers[1] is b.tokenizer)


def test_what_is_chosen_stays_chosen_while_a_table_learns(bench: Bench) -> None:
    a, b = bench.open_two()
    page = bench.panel.pages.text
    page.go(1)
    page.go(1)
    start = int(page.pair.pair.comparison.starts[page._walk.row])
    bench.tables.set_tokenizer(b, small_tokenizer(PROSE[20:] * 3, 11))
    bench.qtbot.waitUntil(lambda: page.pair.tokenizers[1] is b.tokenizer)
    found = compare_text(a.tokenizer, b.tokenizer, TEXT)
    there = [span for span in found.differences if span.start <= start < span.end]
    assert page.card.isVisible() == bool(there)
    if there:
        assert found.span(page._walk.row) == there[0]


def test_only_the_beginning_of_a_long_text_is_laid_out() -> None:
    a, b = small_tokenizer(), small_tokenizer(PROSE[20:] * 3, 12)
    text = "the lowest 你 widest " * 40
    steps = list(compare_steps(a, b, text, most=101))
    pair = steps.pop()
    assert steps == sorted(steps)
    assert pair.a.text == pair.b.text
    assert text.startswith(pair.a.text)
    assert 90 < len(pair.a.text) <= 101
    assert a.encode(pair.a.text) == pair.a.ids.tolist()
    assert b.encode(pair.b.text) == pair.b.ids.tolist()
    assert pair.comparison.tokens_a == len(a.encode(text))


def compare_steps(*what: object, **options: object) -> Iterator[object]:
    yield (yield from compare_texts(*what, **options))


def test_the_steps_stay_in_their_place(bench: Bench) -> None:
    bench.open_two()
    page = bench.panel.pages.text
    button = page.legend.next_button
    before = button.mapTo(page, QPoint(0, 0))
    page.go(1)
    assert page.card.isVisible()
    bench.qtbot.wait(20)
    assert button.mapTo(page, QPoint(0, 0)) == before


def test_without_a_text_a_probe_text_is_offered(bench: Bench) -> None:
    bench.open_two()
    page = bench.panel.pages.text
    bench.text.set_text("")
    bench.qtbot.waitUntil(page.empty.isVisible)
    assert not page.split.isVisible()
    page.empty.button.click()
    bench.qtbot.waitUntil(lambda: page.split.isVisible() and page.pair.pair is not None)
    assert page.pair.pair.text == page.source.text


def test_chips_without_room_have_a_sign(qtbot: QtBot) -> None:
    chips = TokenChips(most_lines=1)
    qtbot.addWidget(chips)
    chips.set_chips([Chip(f"token {number}", number) for number in range(9)])
    drawn = []
    chips._draw_more = lambda _painter, cell: drawn.append(cell)
    chips.resize(200, 30)
    chips.grab()
    assert drawn
    drawn.clear()
    chips.set_chips([Chip("a", 1)])
    chips.grab()
    assert not drawn

"""The Text page of Compare shows what the analysis finds, and nothing that holds no more."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from bpe_studio.analysis.compare_text import compare_text
from bpe_studio.gui.models.compare_rows import compare_texts, marks
from bpe_studio.gui.models.token_layout import lay_out
from bpe_studio.gui.widgets import compare_text_page
from bpe_studio.gui.widgets.compare_pages import TEXT as TEXT_PAGE
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
    assert marks(layout, found).tolist() == expected
    assert np.any(marks(layout, found))


def test_differences_are_walked_round(bench: Bench) -> None:
    bench.open_two()
    pair = bench.panel.pages.text.pair
    places = pair._places()
    pair.go(-1)
    assert pair._at == len(places) - 1
    pair.go(1)
    assert pair._at == 0


class Slow:
    """Comparisons of texts that wait to be let go, one entry for each that was begun."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun: list[str] = []
        self.closed: list[str] = []
        self.go = threading.Event()
        self._real = compare_text_page.compare_texts
        monkeypatch.setattr(compare_text_page, "compare_texts", self)

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

"""Tables that cannot encode, and those that another library encodes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from bpe_studio.bpe.patterns import OTHERS
from bpe_studio.bpe.table import MergeTable
from bpe_studio.bpe.tokenizer import Tokenizer
from bpe_studio.gui.app import make_window
from bpe_studio.gui.main_window import MainWindow
from bpe_studio.gui.panels.merges_panel import NO_MERGES, why_empty
from bpe_studio.gui.panels.text_panel import VIEW_ONLY
from bpe_studio.gui.state.offer import offer
from bpe_studio.gui.state.open_tables import OpenTable
from bpe_studio.gui.state.settings_store import SettingsStore
from bpe_studio.gui.widgets.compare_pages import TEXT
from tests.gui.small_tables import small_tokenizer

WHY = "The normalizer Odd is not understood."
VIEWED = replace(small_tokenizer(), training=None, view_only=WHY, notes=("A note.",))


@dataclass(frozen=True)
class Pairs:
    """Cuts a text into pairs of characters."""

    kind: str = "Unigram"
    library: str = "pairs"

    def encode(self, text: str) -> tuple[np.ndarray, np.ndarray]:
        starts = np.arange(0, len(text), 2)
        spans = np.stack([starts, np.minimum(starts + 2, len(text))], axis=1)
        return np.full(len(starts), 97, np.int32), spans.astype(np.int64)

    def ids(self, text: str) -> np.ndarray:
        return self.encode(text)[0]

    def decode(self, ids: object, skip_specials: bool) -> str:
        return ""


OUTSIDE = Tokenizer(
    MergeTable.build(byte_ids=range(256)),
    OTHERS["whole"],
    outside=Pairs(),
    notes=("Run by pairs.",),
)


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> MainWindow:
    made = make_window(SettingsStore(tmp_path))
    qtbot.addWidget(made)
    made.kernels.skip()
    made.show()
    made.text.set_text("low lower lowest")
    return made


def add(window: MainWindow, tokenizer: Tokenizer, name: str) -> OpenTable:
    table = OpenTable(tokenizer=tokenizer, name=name, path=Path("/t") / name)
    return window.tables.add(table)


def test_a_table_for_viewing_says_why(qtbot: QtBot, window: MainWindow) -> None:
    add(window, VIEWED, "viewed")
    assert window.notes.isVisible() and window.notes.first.text() == WHY
    assert window.text_panel.figures.text() == VIEW_ONLY
    qtbot.wait(100)
    assert window.text_panel.notice.isHidden()
    assert window.merges.model.rowCount() == len(VIEWED.merges)
    window.selection.select_token(int(VIEWED.table.merges[0, 2]))
    qtbot.waitUntil(lambda: window.explain.story is not None)
    assert window.explain.story.unexplained == WHY
    window.selection.select_span("low lower lowest", 0, 3)
    qtbot.waitUntil(lambda: window.explain.story.end == 3)
    assert window.explain.story.unexplained == WHY
    window.show_panel(window.health)
    qtbot.waitUntil(lambda: window.health.checked is not None)
    assert WHY in window.health.head.remarks.text()


def test_a_library_cuts_the_text(qtbot: QtBot, window: MainWindow) -> None:
    window.kernels.ready.clear()  # it needs none
    add(window, OUTSIDE, "pairs")
    qtbot.waitUntil(lambda: window.text_panel.pane.token_layout() is not None)
    assert len(window.text_panel.pane.token_layout()) == 8
    window.selection.select_span("low lower lowest", 0, 3)
    qtbot.waitUntil(lambda: window.explain.story is not None)
    assert "no merges to tell of" in window.explain.story.unexplained
    assert len(window.explain.story.tokens) == 2  # what the library cuts is told all the same
    window.kernels.ready.set()
    assert window.merges.empty.sentence.text() == (
        "A Unigram tokenizer has no merges: it finds the likeliest pieces of a text by their "
        "scores."
    )
    assert window.merges.empty.button.isHidden() and window.merges.pages.currentIndex() == 0
    assert "cut by pairs · Unigram" in window.status.table_words.text()
    window.show_panel(window.health)
    qtbot.waitUntil(lambda: window.health.checked is not None)


def test_both_can_be_compared(qtbot: QtBot, window: MainWindow) -> None:
    window.show_panel(window.compare)
    add(window, VIEWED, "viewed")
    add(window, OUTSIDE, "pairs")
    qtbot.waitUntil(lambda: window.compare.rows is not None)
    window.compare.pages.show_page(TEXT)
    words = window.compare.pages.text.pair.differences.text
    qtbot.waitUntil(lambda: bool(words()) and "Comparing" not in words())
    assert window.compare.notice.isHidden()


@pytest.mark.parametrize(
    ("tokenizer", "words"),
    [
        (VIEWED, f"t cannot be continued. {WHY}"),
        (OUTSIDE, "t cannot be continued. Unigram has no merges to go on from."),
    ],
)
def test_training_does_not_go_on(tokenizer: Tokenizer, words: str) -> None:
    found = offer(OpenTable(tokenizer=tokenizer, name="t"), None, {"vocab_size": 9, "min_freq": 2})
    assert (found.kind, found.sentence) == ("", words)


def test_why_there_are_no_merges() -> None:
    plain = Tokenizer(MergeTable.build(byte_ids=range(256)), OTHERS["whole"])
    assert why_empty(None) == "" and why_empty(OpenTable(tokenizer=VIEWED, name="t")) == ""
    assert why_empty(OpenTable(tokenizer=plain, name="t")) == ""  # a training begins with none
    assert why_empty(OpenTable(tokenizer=plain, name="t", path=Path("t"))) == NO_MERGES
    other = OpenTable(tokenizer=replace(OUTSIDE, outside=Pairs("WordLevel")), name="t")
    assert "looks up whole words" in why_empty(other)

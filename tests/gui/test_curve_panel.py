"""The Curve panel: exact points, live growth, cross-hair, clicks and files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QFontMetricsF, QImage
from PySide6.QtSvg import QSvgRenderer
from pytestqt.qtbot import QtBot

from bpe_studio.analysis.compression import Curve, text_curve
from bpe_studio.bpe.traced_text import trace_text
from bpe_studio.bpe.trainer import MergeBatch
from bpe_studio.gui import theme
from bpe_studio.gui.models.curve_data import Curves, LiveCurve, curve_of, held_of
from bpe_studio.gui.panels.curve_panel import NO_RECORD, NO_TEXT, ONE_SIZE, CurvePanel
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.selection import Selection
from bpe_studio.gui.state.size import SizeState
from bpe_studio.gui.widgets.curve_plot import OLD
from tests.bpe.test_trainer import trained
from tests.gui.small_tables import small_tokenizer
from tests.gui.test_view_only import Pairs


class Bench:
    """A panel with its states."""

    def __init__(self, qtbot: QtBot) -> None:
        self.tables, self.selection, self.size = OpenTables(), Selection(), SizeState()
        self.panel = CurvePanel(
            tables=self.tables, training=None, selection=self.selection, size=self.size
        )
        qtbot.addWidget(self.panel)
        self.panel.resize(600, 260)
        self.panel.show()

    def open_table(self, merges: int = 40) -> OpenTable:
        return self.tables.add(OpenTable(tokenizer=small_tokenizer(merges=merges), name="small"))


@pytest.fixture
def bench(qtbot: QtBot) -> Bench:
    return Bench(qtbot)


def test_without_a_table_it_offers_training(bench: Bench, qtbot: QtBot) -> None:
    with qtbot.waitSignal(bench.panel.trainAsked):
        bench.panel.empty.button.click()


def test_points_are_the_training_record(bench: Bench) -> None:
    table = bench.open_table()
    record, curve = table.tokenizer.training, bench.panel.curve
    assert len(curve) == len(record.applied) + 1
    assert curve.tokens[-1] == record.totals["tokens"]
    assert curve.sizes[-1] == table.tokenizer.vocab_size
    assert curve.characters_per_token[0] == pytest.approx(
        record.totals["characters"] / record.totals["base_symbols"]
    )


def test_it_grows_with_batches_and_ignores_what_it_has(bench: Bench, qtbot: QtBot) -> None:
    whole = small_tokenizer(merges=40)
    table = bench.open_table(merges=10)
    for first in (10, 5, 20):
        batch = MergeBatch(
            first,
            whole.table.merges[first : first + 10],
            whole.training.counts[first : first + 10],
            whole.training.applied[first : first + 10],
            40,
        )
        bench.tables.grow(table, batch)
    expected = curve_of(whole)
    assert len(bench.panel.curve) == len(expected)
    assert np.array_equal(bench.panel.curve.tokens, expected.tokens)
    assert np.array_equal(bench.panel.curve.sizes, expected.sizes)
    drawn = bench.panel.plot.characters
    qtbot.waitUntil(lambda: len(drawn.getData()[0]) == len(expected))


def test_it_is_drawn_seldom_and_the_last_state_always(
    bench: Bench, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, drawn = small_tokenizer(merges=40), []
    table = bench.open_table(merges=10)
    monkeypatch.setattr(
        bench.panel.plot, "set_curves", lambda found, _: drawn.append(len(found.own))
    )
    last = len(whole.table.merges)
    for rank in range(10, last):
        record, at = whole.training, slice(rank, rank + 1)
        batch = MergeBatch(rank, whole.table.merges[at], record.counts[at], record.applied[at], 40)
        bench.tables.grow(table, batch)
    assert not drawn  # a tenth of a second later, once
    qtbot.waitUntil(lambda: bool(drawn))
    assert drawn == [last + 1]


def test_before_the_first_merge_it_says_so(bench: Bench) -> None:
    start = small_tokenizer().prefix(0)
    record = replace(start.training, counts=np.empty(0, np.int64), applied=np.empty(0, np.int64))
    bench.tables.add(OpenTable(tokenizer=replace(start, training=record), name="new"))
    assert bench.panel.pages.currentIndex() == 0
    assert "first merges" in bench.panel.empty.sentence.text()


def test_the_legend_leaves_out_what_matters_least(bench: Bench) -> None:
    bench.open_table()
    legend, metrics, stages = bench.panel.legend, QFontMetricsF(theme.ui_font()), []
    for width in range(900, 100, -10):
        legend.resize(width, 24)
        shown = tuple(entry.text for entry in legend.fitting(metrics))
        if not stages or shown != stages[-1]:
            stages.append(shown)
    assert [words.count("per token") for words in map(" ".join, stages)] == [2, 2, 1, 0, 0, 0]
    first, _, where = zip(*stages, strict=True)
    assert ["rank" in words for words in where] == [True] + 5 * [False]
    assert ["at " in words for words in where] == 4 * [True] + 2 * [False]
    assert ["characters" in words for words in first] == 5 * [True] + [False]
    assert all("its training" in words for words in first)


def held_out_table(bench: Bench) -> OpenTable:
    documents = [f"low lower {n} newest the then lowest\n" for n in range(60)]
    tokenizer = trained(documents, vocab_size=290, hold_out=0.3)
    return bench.tables.add(OpenTable(tokenizer=tokenizer, name="held"))


def text_curve_of(table: OpenTable, text: str = "the lowest newest") -> Curve:
    return text_curve(trace_text(table.tokenizer, text), text)


def test_what_was_held_out_and_the_text_have_lines_of_their_own(bench: Bench) -> None:
    table = held_out_table(bench)
    bench.size.set_curve(text_curve_of(table))
    bench.panel._draw()
    plot, curves = bench.panel.plot, bench.panel.curves
    for line, curve in (
        (plot.characters, curve_of(table.tokenizer)),
        (plot.held, held_of(table.tokenizer)),
        (plot.text, LiveCurve(bench.size.curve)),
    ):
        assert np.array_equal(line.getData()[1], curve.characters_per_token)
    assert len({line.opts["pen"].color().name() for line in plot.listDataItems()[:4]}) == 4
    plot.point_to(9)
    assert bench.panel.legend.words[1:3] == [
        f"{curves.held.characters_per_token[9]:.2f} held out",
        f"{curves.text.characters_per_token[9]:.2f} this text",
    ]
    assert len(plot._dots.getData()[0]) == 4


def test_without_a_training_record_the_text_is_shown(bench: Bench, tmp_path: Path) -> None:
    table = bench.tables.add(
        OpenTable(tokenizer=replace(small_tokenizer(), training=None), name="bare")
    )
    assert bench.panel.pages.currentIndex() == 0
    assert "no training record" in bench.panel.empty.sentence.text()
    bench.size.set_curve(text_curve_of(table))
    bench.panel._draw()
    assert bench.panel.pages.currentIndex() == 1
    assert bench.panel.legend.words[0].endswith("characters per token, this text")
    bench.panel.save(tmp_path / "curve.csv")
    first = (tmp_path / "curve.csv").read_text().splitlines()[0]
    assert first == "vocab_size,text_tokens,text_characters_per_token,text_bytes_per_token"
    bench.size.set_curve(None)
    bench.panel._draw()
    assert bench.panel.pages.currentIndex() == 0


def test_why_there_is_no_curve(bench: Bench) -> None:
    """Also where one asks which size."""
    panel, size = bench.panel, bench.size
    bench.tables.add(OpenTable(tokenizer=replace(small_tokenizer(), training=None), name="bare"))
    assert panel.empty.sentence.text() == f"{NO_RECORD} {NO_TEXT}"
    size.set_curve(None, why="A text of more than so many characters is not traced.")
    panel._draw()
    assert panel.empty.sentence.text() == f"{NO_RECORD} {size.why_no_curve}"
    panel.show_sizing(True)
    assert panel.sizing.isVisible() and panel.sizing.nothing.isVisible()
    assert size.why_no_curve in panel.sizing.nothing.text()
    panel.show_sizing(False)
    assert panel.empty.isVisible()
    outside = replace(small_tokenizer(), training=None, outside=Pairs())
    bench.tables.add(OpenTable(tokenizer=outside, name="unigram"))
    assert panel.empty.sentence.text() == ONE_SIZE.format(kind="Unigram")


def test_after_an_edit_the_old_curve_stays_muted(bench: Bench) -> None:
    table = bench.tables.add(
        OpenTable(tokenizer=replace(small_tokenizer(), training=None), name="bare")
    )
    bench.size.set_curve(text_curve_of(table))
    bench.panel._draw()
    plot = bench.panel.plot
    assert plot.characters.opacity() == 1.0
    bench.size.age_curve("It is traced.")
    bench.panel._draw()
    assert bench.panel.pages.currentIndex() == 1 and plot.characters.opacity() == OLD
    assert bench.panel.legend.words[0].endswith("characters per token, the text before")
    bench.size.set_curve(text_curve_of(table, "lower"))
    bench.panel._draw()
    assert plot.characters.opacity() == 1.0
    held_out_table(bench)
    bench.size.set_curve(text_curve_of(bench.tables.current))
    bench.size.age_curve("It is traced.")
    bench.panel._draw()
    assert (plot.characters.opacity(), plot.text.opacity()) == (1.0, OLD)


def test_the_curve_of_a_text_under_another_table_is_not_shown(bench: Bench) -> None:
    table = held_out_table(bench)
    bench.size.set_curve(text_curve_of(table))
    bench.open_table()
    assert bench.panel.curves.text is None


def test_the_size_of_the_slider_is_marked_and_read(bench: Bench) -> None:
    bench.open_table()
    plot, curve = bench.panel.plot, bench.panel.curve
    assert not plot._mark.isVisible()
    bench.size.set_merges(7)
    assert plot._mark.isVisible() and plot._mark.value() == float(curve.sizes[7])
    assert f"{curve.characters_per_token[7]:.2f} characters" in bench.panel.legend.words[0]
    bench.panel.log_button.setChecked(True)
    assert plot._mark.value() == pytest.approx(np.log10(curve.sizes[7]))
    bench.size.set_merges(None)
    assert not plot._mark.isVisible()


def test_all_columns_are_saved(bench: Bench, tmp_path: Path) -> None:
    table = held_out_table(bench)
    bench.size.set_curve(text_curve_of(table))
    bench.panel.save(tmp_path / "curve.csv")
    rows = (tmp_path / "curve.csv").read_text().splitlines()
    names, last = rows[0].split(","), rows[-1].split(",")
    assert names[4:] == [
        f"{part}_{name}"
        for part in ("held_out", "text")
        for name in ("tokens", "characters_per_token", "bytes_per_token")
    ]
    totals = table.tokenizer.training.held_out_totals
    assert last[4] == str(totals["tokens"])
    assert last[7] == str(len(table.tokenizer.encode("the lowest newest")))


def test_that_nothing_was_held_out_is_said(bench: Bench) -> None:
    tokenizer = trained(["low low lower lowest"], vocab_size=280, hold_out=0.01)
    bench.tables.add(OpenTable(tokenizer=tokenizer, name="nothing"))
    assert bench.panel.legend.words[-1] == "nothing was held out"


def test_what_is_not_exact_is_about_so(bench: Bench) -> None:
    curve = LiveCurve(replace(curve_of(small_tokenizer()).known, exact_from=5))
    legend = bench.panel.legend
    legend.tell(Curves(own=curve), 4)
    assert legend.words[0].startswith("≈") and "not exact" in legend.toolTip()
    legend.tell(Curves(own=curve), 5)
    assert not legend.words[0].startswith("≈")


def test_a_training_that_has_only_counted_begins_with_its_bytes() -> None:
    whole = small_tokenizer()
    start = whole.prefix(0)
    totals = {**start.training.totals, "base_symbols": 0, "tokens": 0}
    counted = replace(start, training=replace(start.training, totals=totals))
    assert curve_of(counted).tokens.tolist() == [totals["bytes"]]
    assert curve_of(counted).tokens[0] == curve_of(whole).tokens[0]


def test_choosing_a_point_selects_its_merge(bench: Bench, qtbot: QtBot) -> None:
    table = bench.open_table()
    plot = bench.panel.plot
    qtbot.keyClick(plot, Qt.Key.Key_End)
    qtbot.keyClick(plot, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(plot, Qt.Key.Key_Return)
    assert bench.selection.token == table.tokenizer.table.merges[-2, 2]
    assert f"rank {len(table.tokenizer.table.merges) - 2}" in bench.panel.legend.words[-1]


def test_both_scales_find_the_same_point(bench: Bench) -> None:
    bench.open_table()
    plot = bench.panel.plot
    for log in (False, True):
        bench.panel.log_button.setChecked(log)
        plot.point_to(17)
        assert plot._hair.value() == pytest.approx(plot._x(float(bench.panel.curve.sizes[17])))
    assert bench.panel.curve.point_at_size(float(bench.panel.curve.sizes[17]) + 0.4) == 17


def test_it_is_saved_as_picture_drawing_and_numbers(bench: Bench, tmp_path: Path) -> None:
    bench.open_table()
    for suffix in ("png", "svg", "csv"):
        bench.panel.save(tmp_path / f"curve.{suffix}")
    assert not QImage(str(tmp_path / "curve.png")).isNull()
    drawing = (tmp_path / "curve.svg").read_bytes()
    assert QSvgRenderer(QByteArray(drawing)).isValid()
    rows = (tmp_path / "curve.csv").read_text().splitlines()
    assert rows[0] == "vocab_size,tokens,characters_per_token,bytes_per_token"
    assert len(rows) == len(bench.panel.curve) + 1


def test_a_failed_save_is_told(bench: Bench, tmp_path: Path) -> None:
    bench.open_table()
    bench.panel.save(tmp_path / "nowhere" / "curve.png")
    assert bench.panel.notice.isVisible()


def test_other_open_tables_are_drawn_too(bench: Bench, qtbot: QtBot) -> None:
    bench.open_table(merges=40)
    bench.open_table(merges=10)
    plot = bench.panel.plot
    qtbot.waitUntil(plot.key.isVisible)
    assert [entry.name for entry in plot.key.entries] == ["small, its training"]
    assert bench.panel.legend.words[0].endswith("per token, its training")
    bench.panel.resize(500, 200)  # as low as it is under the text
    qtbot.waitUntil(lambda: plot.key.geometry().bottom() < plot.geometry().top())
    bench.tables.remove(next(iter(bench.tables)))
    qtbot.waitUntil(lambda: not plot.key.isVisible())


def test_a_saved_picture_does_not_depend_on_the_window(bench: Bench, tmp_path: Path) -> None:
    bench.open_table()
    bench.open_table(merges=10)
    bench.panel.log_button.setChecked(True)
    pictures = []
    for size in ((600, 260), (300, 160)):
        bench.panel.resize(*size)
        bench.panel.plot.getPlotItem().getViewBox().setXRange(2.42, 2.45)
        bench.panel.save(tmp_path / "curve.png")
        pictures.append((tmp_path / "curve.png").read_bytes())
    image = QImage.fromData(pictures[0])
    assert image.width() > 1800
    assert pictures[0] == pictures[1]


def test_which_size_takes_the_place_of_the_plot(bench: Bench, qtbot: QtBot) -> None:
    table, panel = held_out_table(bench), bench.panel
    with qtbot.waitSignal(panel.sizingShown):
        panel.show_sizing(True)
    assert panel.sizing.isVisible() and not panel.legend.isVisible()
    assert panel.sizing.lines._rows
    bench.size.set_merges(5)
    assert panel.sizing.lines.point == 5
    panel.sizing.pointChosen.emit(3)
    assert bench.selection.token == table.tokenizer.table.merges[2, 2]
    panel.show_sizing(False)
    assert panel.legend.isVisible() and not panel.sizing.isVisible()
    qtbot.waitUntil(lambda: not panel.sizing.busy)

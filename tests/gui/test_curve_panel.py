"""The Curve panel: exact points, live growth, cross-hair, clicks and files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QImage
from PySide6.QtSvg import QSvgRenderer
from pytestqt.qtbot import QtBot

from bpe_studio.bpe.trainer import MergeBatch
from bpe_studio.gui.models.curve_data import curve_of
from bpe_studio.gui.panels.curve_panel import CurvePanel
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.selection import Selection
from tests.gui.small_tables import small_tokenizer


class Bench:
    """A panel with its states."""

    def __init__(self, qtbot: QtBot) -> None:
        self.tables, self.selection = OpenTables(), Selection()
        self.panel = CurvePanel(tables=self.tables, training=None, selection=self.selection)
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
    qtbot.wait(60)
    assert len(bench.panel.plot.characters.getData()[0]) == len(expected)


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
    assert f"rank {len(table.tokenizer.table.merges) - 2}" in bench.panel.legend._where


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
    qtbot.wait(60)
    assert [name.toPlainText() for name in bench.panel.plot._names] == ["small"]

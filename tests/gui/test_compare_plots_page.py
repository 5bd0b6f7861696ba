"""The plots of Compare: every rank pair a point, a region selects rows, the curve reads its k."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from pytestqt.qtbot import QtBot

from bpe_studio.gui.models.rank_cloud import Region, rank_cloud
from bpe_studio.gui.state.open_tables import OpenTable
from bpe_studio.gui.widgets.compare_pages import PLOTS, TABLES
from tests.gui.comparing import Bench
from tests.gui.small_tables import small_tokenizer


@pytest.fixture
def bench(qtbot: QtBot) -> Bench:
    made = Bench(qtbot, PLOTS)
    made.open_two()
    return made


def expected_inside(bench: Bench, region: Region) -> list[int]:
    found = bench.panel.rows.comparison
    inside = []
    for row in range(len(found)):
        a, b = int(found.rank_a[row]), int(found.rank_b[row])
        if a >= 0 and b >= 0:
            x, y = np.log10(a + 1), np.log10(b + 1)
            if region.left <= x <= region.right and region.bottom <= y <= region.top:
                inside.append(row)
    return inside


def test_a_region_selects_the_tokens_in_it(bench: Bench) -> None:
    cloud = bench.panel.rows.cloud
    assert len(cloud) > 4
    region = Region(float(np.sort(cloud.x)[2]), 9.0, 0.0, float(np.sort(cloud.y)[-2]))
    rows = expected_inside(bench, region)
    assert 0 < len(rows) < len(cloud)
    assert cloud.inside(region).tolist() == rows


def test_what_is_selected_is_what_the_table_shows(bench: Bench) -> None:
    page, tables = bench.panel.pages.plots, bench.panel.pages.tables
    far = float(np.sort(bench.panel.rows.cloud.x)[2])
    assert page.show_button.isHidden() and not page.hint.isHidden()
    page.ranks.select(Region(0.0, far, 0.0, 9.0))
    picked = bench.panel.compared.picked
    assert sorted(picked.tolist()) == expected_inside(bench, Region(0.0, far, 0.0, 9.0))
    assert page.show_button.text() == f"Show {len(picked)} tokens"
    assert tables.shown.currentText() == "Selected in the plot"
    assert sorted(tables.model.shown_rows.tolist()) == sorted(picked.tolist())
    page.show_button.click()
    assert bench.panel.pages.page == TABLES
    page.clear_button.click()
    assert bench.panel.compared.picked is None
    assert tables.shown.currentText() == "All"
    assert tables.model.rowCount() == len(bench.panel.rows.comparison)


def test_the_mouse_drags_a_region(bench: Bench) -> None:
    plot = bench.panel.pages.plots.ranks
    bench.qtbot.waitExposed(plot)
    box = plot.getPlotItem().getViewBox()
    rect, inside = box.sceneBoundingRect(), QPointF(2, 2)
    scene = (rect.topLeft() + inside, rect.bottomRight() - inside)
    ends = [plot.mapFromScene(corner) for corner in scene]
    bench.qtbot.mousePress(plot.viewport(), Qt.MouseButton.LeftButton, pos=ends[0])
    middle = (ends[0] + ends[1]) / 2
    bench.qtbot.wait(30)
    bench.qtbot.mouseMove(plot.viewport(), middle)
    bench.qtbot.wait(30)
    bench.qtbot.mouseMove(plot.viewport(), ends[1])
    bench.qtbot.wait(30)
    bench.qtbot.mouseRelease(plot.viewport(), Qt.MouseButton.LeftButton, pos=ends[1])
    picked = bench.panel.compared.picked
    assert picked is not None and len(picked) == len(bench.panel.rows.cloud)


def test_the_keyboard_stretches_a_region_and_chooses_a_token(bench: Bench) -> None:
    plot, compared = bench.panel.pages.plots.ranks, bench.panel.compared
    plot.setFocus()
    for _ in range(40):
        bench.qtbot.keyClick(plot, Qt.Key.Key_Left)
        bench.qtbot.keyClick(plot, Qt.Key.Key_Down)
    assert compared.picked is None
    for _ in range(70):
        bench.qtbot.keyClick(plot, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
        bench.qtbot.keyClick(plot, Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    assert len(compared.picked) == len(bench.panel.rows.cloud)
    bench.qtbot.keyClick(plot, Qt.Key.Key_Delete)
    assert compared.picked is None
    last = bench.panel.rows.cloud
    plot._cross = (float(last.x[-1]), float(last.y[-1]))
    with bench.qtbot.waitSignal(plot.rowChosen) as told:
        bench.qtbot.keyClick(plot, Qt.Key.Key_Return)
    found = bench.panel.rows.comparison
    row = told.args[0]
    assert (found.rank_a[row], found.rank_b[row]) == (
        round(10 ** last.x[-1]) - 1, round(10 ** last.y[-1]) - 1,
    )  # fmt: skip
    assert bench.selection.token == found.id_b[row]  # the table opened last is the current one


def test_the_cursor_reads_the_curve(bench: Bench) -> None:
    page, curve = bench.panel.pages.plots, bench.panel.rows.overlap
    first = {bytes(bench.panel.rows.comparison.token(row)) for row in firsts(bench, "rank_a", 3)}
    other = {bytes(bench.panel.rows.comparison.token(row)) for row in firsts(bench, "rank_b", 3)}
    page.overlap.point(3)
    assert page.overlap_title.text().startswith(f"Overlap  ·  first 3: {len(first & other)} shared")
    page.overlap.setFocus()
    bench.qtbot.keyClick(page.overlap, Qt.Key.Key_Right)
    assert page.overlap.at == 4 or len(curve) == 3
    bench.qtbot.keyClick(page.overlap, Qt.Key.Key_Left)
    assert page.overlap.at == 3
    page.overlap.point(0)
    assert f"first {len(curve)}: {curve.shared[-1]} shared" in page.overlap_title.text()


def firsts(bench: Bench, ranks: str, count: int) -> list[int]:
    """The rows that the first merges of a table make."""
    values = getattr(bench.panel.rows.comparison, ranks)
    return [int(np.flatnonzero(values == rank)[0]) for rank in range(count)]


def test_a_table_without_ranks_is_told(bench: Bench) -> None:
    bare = bench.tables.add(OpenTable(tokenizer=small_tokenizer(merges=0), name="bare"))
    bench.panel.choose(bench.panel.chooser_a.chosen, bare)
    bench.wait(bench.panel.chooser_a.chosen, bare)
    page = bench.panel.pages.plots
    assert page.views.currentWidget() is page.empty
    assert page.empty.sentence.text().startswith("B has no merges")
    assert len(rank_cloud(bench.panel.rows.comparison)) == 0


def test_a_point_tells_its_token(bench: Bench) -> None:
    page, found = bench.panel.pages.plots, bench.panel.rows.comparison
    row = int(bench.panel.rows.cloud.rows[0])
    all_of_them = page.ranks_title.text()
    assert all_of_them.startswith(f"{len(bench.panel.rows.cloud)} tokens that merges make in both")
    page.ranks.pointed.emit(row)
    assert f"rank {found.rank_a[row]} in A, {found.rank_b[row]} in B" in page.ranks_title.text()
    page.ranks.pointed.emit(-1)
    assert page.ranks_title.text() == all_of_them

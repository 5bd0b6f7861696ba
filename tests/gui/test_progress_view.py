"""What a training says about itself."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from bpe_studio.gui.state.training import Progress
from bpe_studio.gui.widgets.progress_view import ProgressView
from tests.gui.test_training_state import SETTINGS, Bench


def test_each_phase_has_its_words(qtbot: QtBot, tmp_path: Path) -> None:
    bench = Bench(qtbot, tmp_path, pause=0.002)
    view = ProgressView(bench.state)
    qtbot.addWidget(view)
    assert view.title.text() == "Ready" and view.detail.text() == ""
    bench.state.start(SETTINGS)
    assert view.title.text() == "Counting pieces"
    bench.wait()
    assert view.title.text() == "Done" and view.bar.share == 1
    assert view.detail.text() == "20 merges: the vocabulary has its size"
    assert view.pieces.text() == "30 pieces, 3 distinct"


def test_a_stopped_training_says_what_it_kept(qtbot: QtBot, tmp_path: Path) -> None:
    bench = Bench(qtbot, tmp_path)
    view = ProgressView(bench.state)
    qtbot.addWidget(view)
    bench.state.step(SETTINGS)
    bench.wait()
    assert view.title.text() == "Stopped" and view.detail.text() == "1 merge learned and kept"


def test_it_tells_how_much_how_fast_and_how_long(qtbot: QtBot, tmp_path: Path) -> None:
    bench = Bench(qtbot, tmp_path)
    view = ProgressView(bench.state)
    qtbot.addWidget(view)
    told = bench.state.progressed
    told.emit(
        Progress(phase="counting", done=5_000_000, total=20_000_000, rate=1e6, seconds_left=15.0,
                 pieces=1200, distinct=34)
    )  # fmt: skip
    assert view.detail.text() == "5.0 MB of 20.0 MB · 1.0 MB/s · 15 s left"
    assert view.share.text() == "25 %" and view.bar.share == 0.25
    told.emit(Progress(phase="merging", done=10, total=40, rate=0.0))
    assert view.detail.text() == "10 of 40" and view.pieces.text().startswith("1,200 pieces")


def test_what_is_held_out_is_told_beside_the_pieces(qtbot: QtBot, tmp_path: Path) -> None:
    bench = Bench(qtbot, tmp_path)
    view = ProgressView(bench.state)
    qtbot.addWidget(view)
    told = bench.state.progressed
    counted = {"pieces": 1200, "distinct": 34, "held_documents": 31, "held_bytes": 612_000}
    told.emit(Progress(phase="counting", done=5, total=20, **counted))
    assert view.pieces.text() == "1,200 pieces, 34 distinct\n31 documents, 612.0 kB, held out of it"


def test_waiting_for_the_kernels_is_said(qtbot: QtBot, tmp_path: Path) -> None:
    bench = Bench(qtbot, tmp_path)
    view = ProgressView(bench.state)
    qtbot.addWidget(view)
    bench.kernels.ready.clear()
    bench.state.start(SETTINGS)
    qtbot.waitUntil(lambda: bench.state.phase == "compiling")
    assert view.bar.busy and "ompiling" in view.title.text()
    assert view.detail.text().startswith("It takes half a minute to a minute")
    bench.kernels.seconds = 42
    qtbot.waitUntil(lambda: view.detail.text().startswith("42 s so far. It takes half a minute"))
    bench.kernels.skip()
    bench.wait()
    assert not view.bar.busy

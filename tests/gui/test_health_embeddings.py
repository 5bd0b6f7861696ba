"""Embeddings in the Health panel: their flags, other tables, Esc."""

from __future__ import annotations

from pathlib import Path

import pytest

from bpe_studio.gui.models.indicator_rows import EmbeddingChoice
from bpe_studio.gui.state.open_tables import OpenTable
from bpe_studio.gui.widgets.health_pages import EMBEDDINGS
from bpe_studio.gui.widgets.indicator_view import IndicatorView
from tests.analysis.made_matrices import made_rows
from tests.formats.tensor_files import file_of
from tests.gui.small_tables import small_tokenizer
from tests.gui.test_health_panel import Bench, bench, folder  # noqa: F401 — fixtures


@pytest.fixture
def weights(bench: Bench, tmp_path: Path) -> Path:  # noqa: F811
    bound = bench.tokenizer.id_bound
    rows = made_rows(bound + 40, 8, [bound - 1, bound - 2, *range(bound, bound + 40)])
    path = tmp_path / "model.safetensors"
    path.write_bytes(file_of({"wte.weight": (rows, "F32")}))
    return path


def page_of(bench: Bench) -> IndicatorView:  # noqa: F811
    bench.look()
    bench.panel.pages.show_page(EMBEDDINGS)
    page = bench.panel.pages.embeddings
    assert page is not None
    return page


def judge(bench: Bench, page: IndicatorView, path: Path) -> None:  # noqa: F811
    with bench.qtbot.waitSignal(page.found, timeout=10_000):
        page.open(EmbeddingChoice(path))
    bench.qtbot.waitUntil(lambda: not bench.panel.running, timeout=10_000)


def flagged(bench: Bench) -> set[int]:  # noqa: F811
    assert bench.panel.checked is not None
    return {flag.id for flag in bench.panel.checked.report.of_kind("under-trained")}


def test_what_embeddings_say_becomes_flags(bench: Bench, weights: Path) -> None:  # noqa: F811
    page = page_of(bench)
    judge(bench, page, weights)
    bound = bench.tokenizer.id_bound
    assert {bound - 1, bound - 2} & flagged(bench)
    assert bench.panel.checked is not None
    assert bench.panel.checked.undertrained is page.undertrained
    page.tokenChosen.emit(300)
    assert bench.selection.token == 300


def test_a_check_on_a_corpus_keeps_them(
    bench: Bench,  # noqa: F811
    weights: Path,
    folder: Path,  # noqa: F811
) -> None:
    page = page_of(bench)
    judge(bench, page, weights)
    before = flagged(bench)
    bench.check_on(folder)
    assert flagged(bench) == before
    assert bench.panel.checked is not None and bench.panel.checked.report.use is not None


def test_those_that_come_during_a_check_are_not_lost(
    bench: Bench,  # noqa: F811
    weights: Path,
    folder: Path,  # noqa: F811
) -> None:
    page = page_of(bench)
    bench.panel.head.source.choose_paths([folder])
    page.open(EmbeddingChoice(weights))
    bench.panel.check()
    bench.qtbot.waitUntil(lambda: bool(flagged(bench)), timeout=10_000)
    bench.qtbot.waitUntil(lambda: not bench.panel.running, timeout=10_000)
    assert bench.panel.checked is not None
    assert bench.panel.checked.undertrained is page.undertrained


def test_each_table_has_its_own(bench: Bench, weights: Path) -> None:  # noqa: F811
    page = page_of(bench)
    judge(bench, page, weights)
    found = page.undertrained
    other = bench.tables.add(OpenTable(tokenizer=small_tokenizer(), name="other"))
    bench.tables.set_current(other)
    bench.wait()
    assert page.undertrained is None and not flagged(bench)
    bench.tables.set_current(bench.table)
    bench.qtbot.waitUntil(lambda: page.undertrained is found, timeout=10_000)
    assert flagged(bench)


def test_stopping_ends_the_reading(bench: Bench, weights: Path) -> None:  # noqa: F811
    page = page_of(bench)
    page.open(EmbeddingChoice(weights))
    assert bench.panel.running
    bench.panel.cancel()
    bench.qtbot.waitUntil(lambda: not bench.panel.running, timeout=10_000)
    assert page.undertrained is None

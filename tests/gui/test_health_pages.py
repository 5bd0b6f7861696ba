"""The pages of Health: plots, corpus, and two tables side by side; limits; files that are saved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from bpe_studio.analysis.flags import Thresholds
from bpe_studio.analysis.health_change import compare_health
from bpe_studio.bpe.generators import result_of
from bpe_studio.gui.models.health_check import Checked, Source, iter_checked
from bpe_studio.gui.models.health_saving import iter_reopened, iter_saved_report, save_use
from bpe_studio.gui.state.open_tables import OpenTable
from bpe_studio.gui.widgets.corpus_page import CorpusPage
from bpe_studio.gui.widgets.health_pages import CHANGE, PLOTS, entries
from bpe_studio.gui.widgets.health_plots import HINT, HealthPlots
from bpe_studio.gui.widgets.kind_list import KindList
from bpe_studio.gui.widgets.thresholds_dialog import ThresholdsDialog
from tests.gui.plain_use import plain_use
from tests.gui.small_tables import PROSE, small_tokenizer
from tests.gui.test_health_panel import Bench, bench, folder  # noqa: F401 — fixtures


@pytest.fixture
def checked(tmp_path: Path) -> Checked:
    (tmp_path / "a.txt").write_text(PROSE * 2 + "low " * 30, encoding="utf-8")
    source = Source("chosen", "a folder", paths=(tmp_path,))
    return result_of(iter_checked(small_tokenizer(), source, read=plain_use))


def test_plots_draw_and_lead_to_tokens(qtbot: QtBot, checked: Checked) -> None:
    plots = HealthPlots()
    qtbot.addWidget(plots)
    plots.resize(800, 500)
    plots.show()
    listed = entries(checked.report)
    plots.show_checked(None, [])
    assert plots.views.currentIndex() == 0
    plots.show_checked(checked, listed)
    assert plots.views.currentIndex() == 1
    assert checked.cloud is not None
    drawn = sum(plots.cloud.drawn)
    assert 0 < drawn <= len(checked.cloud)
    kind = next(entry.kind for entry in listed if entry.kind is not None and entry.count)
    plots.set_kind(kind)
    words = plots.cloud.words_of(3)
    assert f"id {checked.cloud.ids[3]}" in words and "rank" in words
    assert [line.split()[0] for line in words.split("\n")[1:]] == ["rank"]
    plots.cloud.pointed.emit(words)
    assert plots.pointed_words == words
    plots.cloud.pointed.emit("")
    assert plots.pointed_words == HINT


def test_a_page_of_plots_is_made_when_it_is_looked_at(bench: Bench, folder: Path) -> None:  # noqa: F811
    bench.look()
    pages = bench.panel.pages
    assert pages.plots is None
    pages.show_page(PLOTS)
    assert pages.plots is not None and pages.plots.views.currentIndex() == 0
    bench.check_on(folder)
    assert pages.plots.views.currentIndex() == 1
    token = int(bench.panel.checked.cloud.ids[2])
    pages.plots.cloud.tokenChosen.emit(token)
    assert bench.selection.token == token
    kind = bench.panel.checked.rows.flags[0].kind
    pages.plots.bars.kindChosen.emit(kind)
    assert pages.kinds.chosen() == kind


def test_the_corpus_page_tells_specials_scripts_and_problems(
    qtbot: QtBot, checked: Checked
) -> None:
    page = CorpusPage()
    qtbot.addWidget(page)
    page.show_checked(None)
    with qtbot.waitSignal(page.filesAsked):
        page.empty.button.click()
    page.show_checked(checked)
    specials, scripts, problems = page.parts
    assert specials.model.data(specials.model.index(0, 0)) == "<eos>"
    assert specials.model.data(specials.model.index(0, 3)) == "a.txt (3)"
    assert scripts.model.data(scripts.model.index(0, 0)) == "Latin"
    assert problems.view.isHidden() and "every file" in problems.none.text().lower()
    assert "1 files" in page.figures.text() or "1 file" in page.figures.text()
    assert "gives every document back" in page.failures.text()


def test_two_tables_side_by_side(bench: Bench) -> None:  # noqa: F811
    bench.look()
    page = bench.panel.pages.change
    assert page.views.currentIndex() == 0
    other = bench.tables.add(OpenTable(tokenizer=small_tokenizer(), name="other"))
    bench.wait()
    bench.panel.pages.show_page(CHANGE)
    page.chooser.choose(bench.table)
    bench.qtbot.waitUntil(lambda: page.change is not None)
    before, after = bench.panel.checks.of(bench.table), bench.panel.checks.of(other)
    pair = (before.rows.tokenizer, after.rows.tokenizer)
    expected = compare_health(before.report, after.report, pair)
    assert page.change == expected
    change, name = bench.panel.change
    assert change == expected and name == "small"
    assert page.model.rowCount() == len(expected.kinds)


def test_a_table_that_nobody_has_checked_is_judged_to_be_compared(bench: Bench) -> None:  # noqa: F811
    other = bench.tables.add(OpenTable(tokenizer=small_tokenizer(), name="other"))
    bench.tables.set_current(bench.table)
    bench.look()
    assert bench.panel.checks.of(other) is None
    page = bench.panel.pages.change
    page.chooser.choose(other)
    bench.qtbot.waitUntil(lambda: page.change is not None, timeout=60_000)
    assert bench.tables.current is bench.table


def test_the_chosen_kind_alone_says_what_it_means(qtbot: QtBot, checked: Checked) -> None:
    kinds = KindList()
    qtbot.addWidget(kinds)
    kinds.resize(240, 600)
    listed = entries(checked.report)
    assert [entry.count > 0 for entry in listed] == sorted(
        (entry.count > 0 for entry in listed), reverse=True
    )
    kinds.set_entries(listed)
    kinds.show()
    low = kinds.sizeHintForRow(1)
    kinds.choose(listed[1].kind)
    assert kinds.sizeHintForRow(1) > low
    assert listed[1].advice in listed[1].told and "of the vocabulary" in listed[1].told


def test_limits_are_asked_for(qtbot: QtBot) -> None:
    dialog = ThresholdsDialog(None, Thresholds(long_bytes=40, scaffold_ratio=0.125))
    assert dialog.thresholds == Thresholds(long_bytes=40, scaffold_ratio=0.125)
    dialog.fields["rare_uses"].setValue(9)
    with qtbot.waitSignal(dialog.chosen) as told:
        dialog.use_button.click()
    assert told.args[0] == Thresholds(long_bytes=40, scaffold_ratio=0.125, rare_uses=9)
    dialog = ThresholdsDialog(None, told.args[0])
    dialog.defaults_button.click()
    assert dialog.thresholds == Thresholds()
    dialog.reject()


def test_limits_are_remembered(bench: Bench) -> None:  # noqa: F811
    bench.panel.set_thresholds(Thresholds(run_length=7))
    remembered = json.loads(json.dumps(bench.panel.state()))
    bench.panel.restore({"thresholds": {"run_length": "x"}})
    assert bench.panel.thresholds == Thresholds()
    bench.panel.restore(remembered)
    assert bench.panel.thresholds == Thresholds(run_length=7)


@pytest.mark.parametrize("suffix", ["html", "md", "csv", "json"])
def test_a_report_is_saved(checked: Checked, tmp_path: Path, suffix: str) -> None:
    path = result_of(iter_saved_report(tmp_path / f"r.{suffix}", "small", checked))
    text = path.read_text(encoding="utf-8")
    assert len(text) > 500
    if suffix == "json":
        json.loads(text)


def test_a_report_of_another_suffix_is_a_sentence(checked: Checked, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="html"):
        result_of(iter_saved_report(tmp_path / "r.xyz", "small", checked))


def test_what_a_corpus_has_told_is_saved_and_opened_again(checked: Checked, tmp_path: Path) -> None:
    other = tmp_path / "essay.txt"
    other.write_text("An essay.")
    with pytest.raises(ValueError, match="is no saved use of a corpus; name another file"):
        save_use(other, "small", checked)
    assert other.read_text() == "An essay."
    path = save_use(tmp_path / "small.use.json", "small", checked)
    limits = Thresholds(rare_uses=50)
    assert checked.corpus is not None
    again = result_of(iter_reopened(path, small_tokenizer(), limits, (checked.corpus,)))
    assert again.use is not None and checked.use is not None
    assert again.use.final.tolist() == checked.use.final.tolist()
    assert again.report.thresholds == limits
    assert again.corpus is checked.corpus and again.source.kind == "saved"
    assert result_of(iter_reopened(path, small_tokenizer(), limits)).corpus is None

"""The Health panel shows what the analysis finds, and can be filtered, sorted and left."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from threading import Event
from time import sleep
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from bpe_studio.analysis.flags import Thresholds
from bpe_studio.analysis.health import check_all
from bpe_studio.gui.job import Job
from bpe_studio.gui.models.health_checks import GROWING, GROWN
from bpe_studio.gui.models.pass_progress import PassStep
from bpe_studio.gui.panels.health_panel import HealthPanel
from bpe_studio.gui.state.corpus import CorpusState
from bpe_studio.gui.state.findings import FindingsState
from bpe_studio.gui.state.open_tables import OpenTable, OpenTables
from bpe_studio.gui.state.selection import Selection
from bpe_studio.gui.window_layout import _stops_in
from tests.gui.plain_use import Step, plain_use
from tests.gui.small_tables import PROSE, small_tokenizer

TEXT = PROSE + "─" * 8 + " नमस्ते नमस्ते " * 2


def one_context(tokenizer: Any, corpus: Any, use: Any, token: int) -> Generator[int, None, Any]:
    """As `iter_context`: the token between two words."""
    yield 1
    text = tokenizer.token_bytes(token).decode("utf-8", "replace")
    return SimpleNamespace(
        place="a.txt", path=corpus.files[0].path, offset=7, before="one ", text=text, after=" two"
    )


class Bench:
    """A panel with its states and an open table."""

    def __init__(self, qtbot: QtBot, training: Any = None) -> None:
        self.qtbot = qtbot
        self.tables, self.selection = OpenTables(), Selection()
        self.corpus, self.findings = CorpusState(), FindingsState()
        self.panel = HealthPanel(
            tables=self.tables,
            selection=self.selection,
            corpus=self.corpus,
            findings=self.findings,
            training=training,
            read=plain_use,
            find=one_context,
        )
        qtbot.addWidget(self.panel)
        self.panel.resize(700, 480)
        self.tokenizer = small_tokenizer(TEXT * 2, 80)
        self.table = self.tables.add(OpenTable(tokenizer=self.tokenizer, name="small"))

    def wait(self) -> None:
        self.qtbot.waitUntil(lambda: not self.panel.runner.running, timeout=60_000)

    def look(self) -> None:
        self.panel.show()
        self.wait()
        assert self.panel.checked is not None

    def check_on(self, folder: Path) -> None:
        self.panel.head.source.choose_paths([folder])
        self.panel.check()
        self.wait()


@pytest.fixture
def bench(qtbot: QtBot) -> Bench:
    return Bench(qtbot)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.txt").write_text(TEXT * 2 + "low " * 30, encoding="utf-8")
    (tmp_path / "b.txt").write_text("the newest thing", encoding="utf-8")
    return tmp_path


def test_the_table_alone_is_judged_as_soon_as_somebody_looks(bench: Bench) -> None:
    assert bench.panel.checked is None
    bench.look()
    expected = check_all(bench.tokenizer)
    assert bench.panel.checked.report.flags == expected.flags
    assert bench.panel.pages.table.model.rowCount() == len(expected.flags)
    assert "self-test holds" in bench.panel.head.figures.text()
    assert bench.panel.views.currentWidget() is bench.panel.pages


def test_what_was_found_is_kept_for_other_panels(bench: Bench, folder: Path) -> None:
    with bench.qtbot.waitSignal(bench.findings.changed, timeout=60_000) as told:
        bench.panel.show()
    assert told.args == [bench.table]
    bench.wait()
    assert bench.findings.of(bench.table).corpus is None
    bench.check_on(folder)
    found = bench.findings.of(bench.table)
    assert [file.label for file in found.corpus.files] == ["a.txt", "b.txt"]
    assert found.report is bench.panel.checked.report


def test_a_corpus_adds_its_figures_and_columns(bench: Bench, folder: Path) -> None:
    bench.look()
    bench.check_on(folder)
    assert " in use" in bench.panel.head.figures.text()
    assert folder.name in bench.panel.head.remarks.text()
    assert "absent and rare say little" in bench.panel.head.remarks.text()
    long = folder / "long.txt"
    long.write_text("the " * 60_000, encoding="utf-8")
    bench.check_on(long)
    assert "say little" not in bench.panel.head.remarks.text()
    titles = [column.title for column in bench.panel.pages.table.model.columns]
    assert "F1" in titles and "DF" in titles and "Share %" in titles


def test_it_says_that_files_were_checked_that_the_training_left_out(
    bench: Bench, folder: Path
) -> None:
    bench.corpus.add([folder])
    bench.qtbot.waitUntil(lambda: bench.corpus.corpus is not None)
    session = SimpleNamespace(corpus=bench.corpus.corpus)
    record = bench.tokenizer.training
    left_out = {**record.settings, "without": ("b.txt",)}
    for settings, more in ((record.settings, ""), (left_out, ", with what the training left out")):
        made = replace(bench.tokenizer, training=replace(record, settings=settings))
        bench.tables.add(OpenTable(tokenizer=made, name="again", session=session))
        bench.wait()
        assert bench.panel.head.source.source.kind == "training"
        bench.panel.check()
        bench.wait()
        said = bench.panel.head.remarks.text()
        assert f"Checked on the training corpus{more}: 2 documents" in said


def test_retraining_can_be_asked_for(bench: Bench) -> None:
    bench.look()
    with bench.qtbot.waitSignal(bench.panel.retrainAsked):
        bench.panel.head.retrain_button.click()


def test_a_kind_and_a_text_filter(bench: Bench) -> None:
    bench.look()
    page, flags = bench.panel.pages, bench.panel.checked.rows.flags
    kind = flags[0].kind
    page.kinds.choose(kind)
    assert page.table.model.rowCount() == sum(flag.kind == kind for flag in flags)
    page.table.filter_edit.setText(str(flags[0].id))
    bench.qtbot.waitUntil(lambda: 1 <= page.table.model.rowCount() < len(flags))


def test_a_row_leads_to_its_token(bench: Bench) -> None:
    bench.look()
    table = bench.panel.pages.table
    table.model.sort(2, Qt.SortOrder.DescendingOrder)
    table.view.selectRow(0)
    assert bench.selection.token == int(bench.panel.checked.rows.ids.max())
    assert table.detail.isVisible()


def test_a_token_selected_elsewhere_is_selected_here(bench: Bench) -> None:
    bench.look()
    table, rows = bench.panel.pages.table, bench.panel.checked.rows
    bench.selection.select_token(int(rows.ids[-1]))
    row = table.model.source_row(table.view.currentIndex().row())
    assert rows.ids[row] == rows.ids[-1]
    bench.selection.select_token(3)  # has no flag
    assert not table.view.currentIndex().isValid()


def test_a_row_shows_the_text_that_made_its_token(bench: Bench, folder: Path) -> None:
    bench.look()
    bench.check_on(folder)
    table, rows = bench.panel.pages.table, bench.panel.checked.rows
    row = int(rows.use.uses.argmax())
    detail = table.detail
    table.view.selectRow(table.model.view_row(row))
    bench.qtbot.waitUntil(lambda: detail.context is not None)
    assert detail.place.text() == "a.txt, byte 7"
    assert detail.view.toPlainText().startswith("one")
    detail.copy_button.click()
    assert QGuiApplication.clipboard().text() == "a.txt, byte 7"
    with bench.qtbot.waitSignal(bench.panel.textAsked) as asked:
        detail.open_button.click()
    text, name, start, end = asked.args
    assert name == "a.txt"
    expected = bench.tokenizer.token_bytes(int(rows.ids[row])).decode("utf-8", "replace")
    assert text[start:end] == expected


def test_cancel_keeps_what_was_shown(bench: Bench, folder: Path) -> None:
    bench.look()
    before = bench.panel.checked

    def endless(*_: object, **__: object) -> Generator[Step, None, None]:
        while True:
            yield Step(1)

    bench.panel.checks.read = endless
    bench.panel.head.source.choose_paths([folder])
    bench.panel.check()
    assert not bench.panel.head.strip.isHidden()
    bench.qtbot.waitUntil(lambda: "small: encoding" in bench.panel.head.strip.words.text())
    assert bench.panel.views.currentWidget() is bench.panel.pages
    bench.panel.head.strip.cancel_button.click()
    assert "ending" in bench.panel.head.strip.words.text()
    assert not bench.panel.head.strip.cancel_button.isEnabled()
    bench.wait()
    assert bench.panel.checked is before
    assert bench.panel.head.strip.isHidden()


def test_what_was_cancelled_does_not_begin_again_by_itself(bench: Bench) -> None:
    bench.panel.show()
    bench.panel.cancel()
    bench.wait()
    assert bench.panel.checked is None and not bench.panel.runner.running
    assert bench.panel.views.currentWidget() is bench.panel.empty
    assert bench.panel.empty.button.text() == "Check small"
    bench.panel.empty.button.click()
    bench.wait()
    assert bench.panel.checked is not None


def test_what_does_not_end_at_once_is_not_waited_for(bench: Bench) -> None:
    gate, ends = Event(), []

    def busy() -> Generator[PassStep, None, None]:
        gate.wait(60)  # as encoding a long text, which nothing can end
        ends.append(1)
        yield PassStep("Waiting", 0, 0)

    bench.look()
    alone = bench.panel.checked
    bench.panel.run(bench.table, busy())
    bench.panel.cancel()
    bench.wait()
    assert not ends and bench.panel.checked is alone
    bench.panel.check()
    bench.wait()
    again = bench.panel.checked
    assert again is not alone
    gate.set()
    bench.qtbot.waitUntil(lambda: bool(ends))
    bench.qtbot.waitUntil(lambda: not any(job.running for job in bench.panel.findChildren(Job)))
    assert bench.panel.checked is again and not bench.panel.running


def test_a_failure_is_told_and_keeps_what_was_shown(bench: Bench, tmp_path: Path) -> None:
    bench.look()
    before = bench.panel.checked
    empty = tmp_path / "empty"
    empty.mkdir()
    bench.check_on(empty)
    assert "no file with text" in bench.panel.head.notice.label.text()
    assert bench.panel.checked is before


def test_other_limits_judge_again(bench: Bench, folder: Path) -> None:
    bench.look()
    bench.check_on(folder)
    use = bench.panel.checked.use
    bench.panel.set_thresholds(Thresholds(long_bytes=3))
    bench.wait()
    assert bench.panel.checked.use is use
    assert bench.panel.checked.report.thresholds.long_bytes == 3
    assert bench.panel.checked.report.counts["over-long"] > 3


def test_each_table_keeps_what_was_found_in_it(bench: Bench) -> None:
    bench.look()
    found = bench.panel.checked
    bench.tables.add(OpenTable(tokenizer=small_tokenizer(), name="other"))
    bench.wait()
    assert bench.panel.checked is not found
    assert bench.panel.checked.report.tokens == len(small_tokenizer().table)
    bench.tables.set_current(bench.table)
    assert bench.panel.checked is found
    assert bench.panel.pages.table.model.rowCount() == len(found.rows)


def test_without_a_table_it_says_what_it_is_for(qtbot: QtBot, bench: Bench) -> None:
    bench.look()
    bench.tables.remove(bench.table)
    assert bench.panel.views.currentWidget() is bench.panel.empty
    assert "Open or train a table" in bench.panel.empty.sentence.text()
    with qtbot.waitSignal(bench.panel.openAsked):
        bench.panel.empty.button.click()


def test_the_files_of_the_corpus_panel_can_be_checked_on(bench: Bench, folder: Path) -> None:
    bench.look()
    source = bench.panel.head.source
    assert not source.choose("panel")
    bench.corpus.add([folder])
    bench.qtbot.waitUntil(lambda: bench.corpus.corpus is not None)
    assert source.source.kind == "panel"  # the best that there is
    assert source.choose("table") and source.source.kind == "table"


class Training(QObject):
    """As much of a training as the panel looks at."""

    finished = Signal()
    running = False
    table: OpenTable | None = None


def test_a_table_that_has_grown_is_judged_again_when_its_training_ends(qtbot: QtBot) -> None:
    training = Training()
    bench = Bench(qtbot, training)
    bench.table.tokenizer = small_tokenizer(TEXT * 2, 20)
    bench.look()
    small = bench.panel.checked
    training.running, training.table = True, bench.table
    bench.tables.set_tokenizer(bench.table, bench.tokenizer)
    assert bench.panel.head.notice.label.text() == GROWING
    bench.panel.hide()
    bench.panel.show()
    assert not bench.panel.runner.running and bench.panel.checked is small  # it is quiet
    assert not bench.panel.head.notice.isHidden()
    training.running = False
    training.finished.emit()
    bench.wait()
    assert bench.panel.checked.rows.tokenizer is bench.table.tokenizer
    assert bench.panel.head.notice.isHidden()


def test_a_corpus_is_not_read_again_for_a_table_that_has_grown(bench: Bench, folder: Path) -> None:
    bench.table.tokenizer = small_tokenizer(TEXT * 2, 20)
    bench.look()
    bench.check_on(folder)
    bench.tables.set_tokenizer(bench.table, bench.tokenizer)
    bench.panel.hide()
    bench.panel.show()
    assert not bench.panel.runner.running
    other = bench.tables.add(OpenTable(tokenizer=bench.tokenizer, name="other"))
    bench.wait()
    assert bench.panel.checks.of(other) is not None and bench.panel.head.notice.isHidden()
    bench.tables.set_current(bench.table)
    assert bench.panel.head.notice.label.text() == GROWN
    assert not bench.panel.head.notice.isHidden()


def endless() -> Generator[PassStep, None, None]:
    while True:
        sleep(0.002)
        yield PassStep("Waiting", 0, 0)


def test_controls_stay_while_a_table_is_checked(bench: Bench) -> None:
    bench.look()
    bench.panel.run(bench.table, endless())
    assert bench.panel.head.source.isVisible() and bench.panel.head.retrain_button.isVisible()
    assert bench.panel.head.check_button.isVisible()
    assert not bench.panel.head.check_button.isEnabled()
    bench.panel.cancel()
    bench.wait()
    assert bench.panel.head.check_button.isEnabled()


def test_what_failed_is_named(bench: Bench) -> None:
    def broken() -> Generator[Any, None, Any]:
        raise ValueError("a.use.json: it is of another table.")
        yield

    bench.look()
    bench.panel.checks.run(bench.table, broken(), failing="It could not be read.")
    bench.wait()
    said = bench.panel.head.notice.label.text()
    assert said == "It could not be read. a.use.json: it is of another table."


def test_tab_comes_to_the_kinds_before_the_flags(bench: Bench) -> None:
    pages = bench.panel.pages
    stops = _stops_in(pages)
    assert stops.index(pages.kinds) < stops.index(pages.table.filter_edit)
